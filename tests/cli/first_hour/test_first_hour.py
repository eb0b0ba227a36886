"""The first hour of a new user: every command does what its words promise, without a surprise."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from support.command_line import Cli

SESSION = Path(__file__).with_name("session.txt")

NAMING = ("-o", "--certificate", "--store", "--ledger")
"""Options behind which a file is named."""


class Step(NamedTuple):
    """A command, its exit code, and words that stand in what it prints."""

    command: str
    code: int
    said: list[str]


def steps() -> Iterator[Step]:
    """Yield the commands of the session."""
    for part in re.split(r"^\$ ", SESSION.read_text("utf-8"), flags=re.M)[1:]:
        command, *rest = part.strip().splitlines()
        code = next((int(line[2:]) for line in rest if line.startswith("= ")), 0)
        yield Step(command, code, [line[2:] for line in rest if line.startswith(": ")])


def surprises(step: Step, cli: Cli) -> Iterator[str]:
    """Run a command; yield what is not as it should be."""
    before = {path.name for path in Path().iterdir()}
    _, *words = shlex.split(step.command)
    code, out, err = cli(*words)
    told = re.sub(r" +", " ", out + err)
    if code != step.code:
        yield f"{step.command} left with {code}:\n{told}"
    for said in step.said:
        if re.sub(r" +", " ", said) not in told:
            yield f"{step.command} does not say '{said}':\n{told}"
    named = {*words[1:]} if words[0] == "new" and code == 0 else set()
    named |= {word for option, word in pairwise(words) if option in NAMING and code == 0}
    if {path.name for path in Path().iterdir()} - before != named - before:
        yield f"{step.command} leaves other files than it was told"
    for name in named:
        path = Path(name)
        if path.is_file() and path.read_bytes().startswith(b"<svg ") != name.endswith(".svg"):
            yield f"{step.command}: {name} is not what its name says"


def test_the_first_hour(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text("1..4.4.223.1..2.\n")
    session = [*steps()]
    assert len(session) >= 40
    found = [surprise for step in session for surprise in surprises(step, cli)]
    assert not found, "\n".join(found)
