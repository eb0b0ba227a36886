"""The processes of the server when a task is given up."""

from __future__ import annotations

import asyncio
import json
import tempfile
from contextlib import aclosing
from pathlib import Path

import pytest

from exactile.serve.office import Office


def test_the_runs_are_listed_while_as_many_searches_run_as_may() -> None:
    with Office(0, None, 600.0) as office:
        assert office.full("solve")
        assert office.full("go_on")
        assert not office.full("runs")


def test_a_certificate_that_is_given_up_leaves_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    asked = json.dumps({"puzzle": "hexacubes-10x10x10-1"}).encode()

    async def give_up() -> None:
        with Office(1, None, 600.0) as office:
            async with aclosing(office.work("certificate", asked)) as events:
                async for event in events:
                    assert event is None or event[0] == "progress", event
                    if any(tmp_path.glob("exactile-serve-*/*/*")):
                        return

    asyncio.run(give_up())
    assert not any(tmp_path.iterdir())
