"""Words that shells complete; in bash as a user has it, with the script that we print."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from exactile.cli.main import COMMANDS, run
from support.command_line import Cli


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_that_which_the_variable_asks_for(
    shell: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, script, _ = cli("completion", shell)
    assert code == 0
    assert f"_EXACTILE_COMPLETE={shell}_complete" in script
    monkeypatch.setenv("_EXACTILE_COMPLETE", f"{shell}_source")
    assert cli() == (0, script, "")


COMPLETED = [
    ("", {*COMMANDS}),
    ("so", {"solve", "solutions"}),
    ("solve --set use_", {"use_symmetry=", "use_reasons="}),
    ("solve soma-cu", {"soma-cube", "soma-curved-wall"}),
    ("count --backend ref", {"reference"}),
    ("count --method m", {"memo"}),
    ("compare soma-cube tetrahexes-4x7-n", set()),
    ("catalogue ", {"verify", "estimate", "export"}),
    ("design ", {"boards", "challenges", "grade"}),
    ("list --lattice triangle-", {"triangle-edges"}),
    ("completion z", {"zsh"}),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    program = tmp_path / "bin" / "exactile"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m exactile "$@"\n')
    program.chmod(0o755)
    return tmp_path


def in_bash(folder: Path, line: str) -> set[str]:
    """Return what bash offers at the end of a line, by the function that our script defines."""
    name, script = "_exactile_completion", folder / "script.bash"
    ask = (
        f"source {script}; COMP_LINE='{line}'; COMP_WORDS=({line}"
        + (" ''" if line.endswith(" ") else "")
        + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); compopt() { :; }; "
        f"{name} exactile; complete -p exactile; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    defined, *offered = in_shell(folder, "bash", "--norc", "-c", ask).splitlines()
    assert name in defined, "bash knows which function completes our commands"
    return {word for word in offered if word}


def in_shell(folder: Path, *words: str) -> str:
    """Return what a shell prints that knows our program."""
    path = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(
        words, capture_output=True, text=True, check=True, cwd=folder, env=os.environ | path
    ).stdout


FISH = "source script.fish; complete --do-complete $argv[1]"
ZSH = """
compdef() { : }
compadd() { print -l -- $completions }
_describe() { print -l -- ${completions_with_descriptions%%:*} }
words=(${(z)1}); [[ $1 == *' ' ]] && words+=('')
CURRENT=$#words
source ./script.zsh
_exactile_completion
"""
"""Builtins that only work while a line is edited print what is to be offered."""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(("line", "words"), COMPLETED)
def test_bash_completes(line: str, words: set[str], folder: Path, cli: Cli) -> None:
    (folder / "script.bash").write_text(cli("completion", "bash")[1])
    assert in_bash(folder, f"exactile {line}") == words


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_the_same_words(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_EXACTILE_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", "exactile solve soma-")
    monkeypatch.setenv("COMP_CWORD", "2" if shell == "zsh" else "soma-")
    assert run([]) == 0
    assert "soma-cube" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")
@pytest.mark.parametrize(("line", "words"), COMPLETED)
def test_fish_completes(line: str, words: set[str], folder: Path, cli: Cli) -> None:
    (folder / "script.fish").write_text(cli("completion", "fish")[1])
    ran = in_shell(folder, "fish", "--no-config", "-c", FISH, f"exactile {line}")
    assert {told.split("\t")[0] for told in ran.splitlines()} >= words


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
@pytest.mark.parametrize(("line", "words"), COMPLETED)
def test_zsh_completes(line: str, words: set[str], folder: Path, cli: Cli) -> None:
    (folder / "script.zsh").write_text(cli("completion", "zsh")[1])
    ran = in_shell(folder, "zsh", "-f", "-c", ZSH, "zsh", f"exactile {line}")
    assert set(ran.split()) >= words
