"""Files that are written: nothing old is lost, nothing is left behind, nothing cut passes."""

from __future__ import annotations

import errno
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

import exactile
from exactile.atomic import drafted, written
from exactile.cli.main import run
from exactile.cli.output import KEPT, Output
from exactile.errors import FileError
from exactile.files import read_solutions, write_solutions
from exactile.puzzle import Solution
from support import full_disk
from support.waiting import PATIENCE, wait_until

OLD = '{"format":1,"puzzle":"pentominoes-6x10"}\n{"end":"complete"}\n'
SOLVE = ["solve", "pentominoes-6x10", "--format", "jsonl"]


def _begun(folder: Path, name: str) -> bool:
    """Return whether a draft of a file has something in it."""
    for draft in folder.glob(f".{name}.*.part"):
        with suppress(FileNotFoundError):  # a first draft, to see whether the folder can be written
            if draft.stat().st_size > 1_000:
                return True
    return False


def _searching(file: Path) -> subprocess.Popen[bytes]:
    """Begin a search that writes to a file and lasts; return when it has written something."""
    words = [
        *SOLVE,
        "--all",
        "--backend",
        "reference",
        "--set",
        "use_symmetry=no",
        "-q",
        "-o",
        str(file),
    ]
    process = subprocess.Popen([sys.executable, "-m", "exactile", *words])
    wait_until(lambda: _begun(file.parent, file.name), process)
    return process


def test_a_killed_search_loses_no_old_file_and_what_it_leaves_is_removed(tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    file.write_text(OLD)
    process = _searching(file)
    process.kill()
    process.wait()
    assert file.read_text() == OLD
    (left,) = (p for p in tmp_path.iterdir() if p != file)
    with pytest.raises(
        FileError, match=r"truncated|not a complete JSON object"
    ):  # what is left is never complete
        list(read_solutions(left, exactile.load("pentominoes-6x10")))
    assert run([*SOLVE, "-o", str(file)]) == 0
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_text() != OLD


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_what_was_found_before_ctrl_c_is_kept_and_says_so(
    how: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "found.jsonl"
    process = _searching(file)
    process.send_signal(how)
    assert process.wait() in (130, 143)
    assert list(tmp_path.iterdir()) == [file]
    assert '"end":"stopped: ' in file.read_text().splitlines()[-1]
    assert run(["check", str(file)]) == 0
    assert "There may be more: the search was stopped: " in capsys.readouterr().out


def _interrupted() -> Iterator[Solution]:
    raise KeyboardInterrupt
    yield ()


def test_a_search_that_found_nothing_loses_no_old_file(tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    file.write_text(OLD)
    with pytest.raises(KeyboardInterrupt), Output(str(file), KEPT) as stream:
        write_solutions(exactile.load("tetrahexes-4x7"), _interrupted(), stream)
    assert file.read_text() == OLD
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("form", ["jsonl", "puzzler"])
@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--all"], "all right and all different\n"),
        (["--limit", "3"], "\nThere may be more: the search was stopped: solution limit.\n"),
    ],
)
def test_check_tells_whether_a_file_is_complete(
    form: str, more: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "found")
    assert run(["solve", "tetrahexes-4x7", *more, "--format", form, "-o", file]) == 0
    assert run(["check", file]) == 0
    assert capsys.readouterr().out.endswith(told)


def test_a_cut_file_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "found"
    assert run(["solve", "tetrahexes-4x7", "--all", "--format", "jsonl", "-o", str(file)]) == 0
    lines = file.read_bytes().splitlines(keepends=True)
    puzzle = exactile.load("tetrahexes-4x7")
    for number in range(1, len(lines)):
        file.write_bytes(b"".join(lines[:number]))
        with pytest.raises(FileError, match="the file is truncated"):
            list(read_solutions(file, puzzle))
    file.write_bytes(b"".join(lines)[:-3])
    with pytest.raises(FileError, match="truncated"):
        list(read_solutions(file, puzzle))


def test_a_file_may_say_that_its_end_is_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "found"
    assert run(["solve", "tetrahexes-4x7", "--format", "jsonl", "-o", str(file)]) == 0
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-1]) + '{"end":"unknown"}')
    assert run(["check", str(file)]) == 0
    assert "The file does not say whether there are more" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("8 solutions\n", "The file does not say whether there are more.\n"),
        ("no solutions (stopped: memory)\n", "more: the search was stopped: memory.\n"),
        ("no solutions\n", "nothing to check\n"),
    ],
)
def test_check_tells_whether_a_file_without_solutions_is_complete(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "found").write_text(text)
    assert run(["check", "tetrahexes-4x7", str(tmp_path / "found")]) == 0
    assert capsys.readouterr().out.endswith(told)


HOLDING = """
import signal, sys
from pathlib import Path
from exactile.atomic import drafted
with drafted(Path(sys.argv[1]), directory=sys.argv[2] == "directory") as draft:
    print(draft, flush=True)
    signal.pause()
"""


@pytest.mark.parametrize("kind", ["file", "directory"])
def test_drafts_are_removed_when_nobody_holds_them(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "a [1].txt"
    words = [sys.executable, "-c", HOLDING, str(target), kind]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        draft = Path(process.stdout.readline().strip())
        with drafted(target):
            assert draft.exists()  # somebody is at work on it
        process.kill()
    assert draft.exists()
    with drafted(target):
        assert not draft.exists()
    assert list(tmp_path.iterdir()) == []


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
from exactile.cli.main import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "pentominoes-6x10", "--limit", "100", "--format", "jsonl", "-o"],
        ["export", "pentominoes-6x10", "--format", "cnf", "-o"],
        ["render", "pentominoes-6x10", "--format", "svg", "-o"],
    ],
)
def test_a_full_disk_names_the_file_and_loses_nothing(words: list[str], tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk that is full."""
    file = tmp_path / "out"
    file.write_text("old")
    finished = subprocess.run(
        [sys.executable, "-c", FULL, *words, str(file)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=full_disk.ENVIRONMENT,
        check=False,
    )
    assert finished.returncode == 1, finished.stderr
    assert f"Cannot read or write {file}: File too large." in finished.stderr
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_is_gone_meanwhile_is_told_by_the_name_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "a.txt"
    file.parent.mkdir()
    with ExitStack() as stack:
        stack.enter_context(written(file)).write("all of it")
        shutil.rmtree(file.parent)
        with pytest.raises(FileNotFoundError, match=re.escape(str(file))):
            stack.close()


def test_names_of_255_bytes_have_drafts_with_shorter_names(tmp_path: Path) -> None:
    """Characters of several bytes count as such: a draft's name is longer than its file's."""
    file = tmp_path / ("\u7bb1" * 85)
    with written(file) as stream:
        stream.write("all of it")
    assert file.read_text() == "all of it"
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("exactile.atomic.fcntl.flock", refused)
    with written(tmp_path / "a") as stream:
        stream.write("all")
    assert [(p.name, p.read_text("utf-8")) for p in tmp_path.iterdir()] == [("a", "all")]
