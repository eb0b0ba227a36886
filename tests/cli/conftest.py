"""What tests of commands share."""

from __future__ import annotations

import pytest

from exactile.cli.main import run
from support.command_line import Cli


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
