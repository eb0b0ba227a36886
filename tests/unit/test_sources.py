"""What holds for every source file: its length, and names that are one thing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import exactile
from exactile.model import lower
from exactile.puzzle import check

SOURCES = Path(exactile.__file__).parent
NATIVE = Path(__file__).parents[2] / "src" / "native"
TESTS = Path(__file__).parents[1]
MOST_LINES = 600


def test_no_module_is_longer_than_can_be_held_in_mind() -> None:
    native = [*NATIVE.glob("*.cpp"), *NATIVE.glob("*.hpp")]
    assert len(native) > 50
    modules = [*SOURCES.rglob("*.py"), *native]
    lengths = {p: len(p.read_text("utf-8").splitlines()) for p in modules}
    assert len(lengths) > 250
    assert [str(p) for p, lines in lengths.items() if lines > MOST_LINES] == []


def test_no_function_hides_its_module() -> None:
    assert isinstance(lower, ModuleType)
    assert isinstance(check, ModuleType)
    for package in SOURCES.rglob("__init__.py"):
        modules = {p.stem for p in package.parent.glob("*.py")}
        names = set(re.findall(r"^    \"(\w+)\",$", package.read_text("utf-8"), re.MULTILINE))
        if package.parent != SOURCES:
            assert not names & modules, package


def test_a_class_name_stands_for_one_class() -> None:
    found = Counter(
        name
        for module in SOURCES.rglob("*.py")
        for name in re.findall(r"^class (\w+)", module.read_text("utf-8"), re.MULTILINE)
    )
    assert len(found) > 300
    assert [name for name, times in found.items() if times > 1] == []


def test_public_methods_say_what_they_do() -> None:
    """Themselves, or where the method that they override is defined."""
    trees = [ast.parse(p.read_text("utf-8")) for p in SOURCES.rglob("*.py")]
    classes = {c.name: c for tree in trees for c in ast.walk(tree) if isinstance(c, ast.ClassDef)}
    bases = {
        name: [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in c.bases]
        for name, c in classes.items()
    }

    def is_said(name: str, method: str) -> bool:
        if name not in classes:
            return name in FOREIGN
        functions = (f for f in classes[name].body if isinstance(f, ast.FunctionDef))
        said = any(f.name == method and ast.get_docstring(f) for f in functions)
        return said or any(is_said(base, method) for base in bases[name])

    silent = [
        f"{name}.{f.name}"
        for name, c in classes.items()
        for f in c.body
        if isinstance(f, ast.FunctionDef) and not f.name.startswith("_") and name[0] != "_"
        if not is_said(name, f.name)
    ]
    assert silent == []


FOREIGN = {"CpSolverSolutionCallback", "RC2"}
"""Classes of other packages whose methods ours override."""


def test_one_object_owns_time() -> None:
    """Nothing else reads a clock, pauses, or hands its own seconds to others who wait."""
    texts = {p: p.read_text("utf-8") for p in SOURCES.rglob("*.py")}
    modules = {path.relative_to(SOURCES).as_posix(): text for path, text in texts.items()}
    clocks = re.compile(r"^\s*(?:import time\b|from time import)|\bperf_counter\b", re.MULTILINE)
    assert [name for name, text in modules.items() if clocks.search(text)] == ["clock.py"]
    waits = re.compile(r"\btimeout=(?!CLOCK\.lasting\()")
    assert [name for name, text in modules.items() if waits.search(text)] == []
    native = {p.name: p.read_text("utf-8") for p in NATIVE.glob("*.[ch]pp")}
    assert [name for name, text in native.items() if "steady_clock" in text] == ["deadline.hpp"]


WAITING = {
    "benchmarks/test_race.py",  # reads what a race has written down
    "support/waiting.py",
    "unit/test_clock.py",
    "unit/test_sources.py",
}
"""What waits for other processes, and what tests the clock itself."""

CLOCKS = re.compile(
    r"^\s*(?:import|from) (?:time|timeit|sched|datetime)\b|\bTimer\b|perf_counter|monotonic"
    r"|\bsleep\((?!0\))|\bset_?itimer\b|\balarm\(|wait_for_timeout|asyncio\.(?:wait_for|timeout)"
    r"|\btimeout=(?!PATIENCE)|\.(?:join|communicate)\(\d|\bprocess\.wait\(\d",
    re.MULTILINE,
)


def test_no_test_looks_at_a_clock() -> None:
    """Nor sleeps, nor gives up before PATIENCE is over; see tests/README.md."""
    found = {
        path.relative_to(TESTS).as_posix(): CLOCKS.findall(path.read_text("utf-8"))
        for path in TESTS.rglob("*.py")
    }
    assert len(found) > 200
    assert {name for name, clocks in found.items() if clocks} <= WAITING


def test_ctrl_c_leaves_no_lock_behind() -> None:
    """Condition and what is made of it are Python code, which Ctrl-C can end between lock and try.

    Lock, RLock and SimpleQueue are not.
    """
    locks = re.compile(r"\b(?:Condition|Semaphore|Barrier|(?<!Simple)Queue)\(")
    modules = {p: p.read_text("utf-8") for p in SOURCES.rglob("*.py")}
    assert [p.name for p, text in modules.items() if locks.search(text)] == []


DRAFTS = {
    "atomic.py",  # writes the drafts
    "backends/external.py",  # all in a folder of its own, which nobody keeps
    "backends/sat_proof.py",  # a draft
    "certificate/verify.py",  # a copy in a folder of its own
    "render/making/verbs.py",  # the folder is the draft
    "serve/tasks/puzzles.py",  # in a folder of its own
    "reasons/certify.py",  # the folder is the draft
    "reasons/refuter.py",  # a draft
    "runs/front.py",  # in a folder of its own
    "work/child.py",  # pipes
}
"""Who writes files that nobody else sees before they are whole."""


def test_files_are_written_as_a_whole_and_in_utf8() -> None:
    """Nothing else opens files for writing; none of these leaves the encoding to the locale."""
    found = set()
    for module in SOURCES.rglob("*.py"):
        for call in ast.walk(ast.parse(module.read_text("utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = ast.unparse(call.func).rpartition(".")[2]
            words = [str(a.value) for a in call.args if isinstance(a, ast.Constant)]
            mode = next((word for word in words if re.fullmatch("[rwax]b?[+]?", word)), "r")
            if name in ("write_text", "write_bytes") or (
                name in ("open", "fdopen") and mode[0] != "r"
            ):
                found.add(module.relative_to(SOURCES).as_posix())
                binary = "b" in mode or name == "write_bytes"
                given = {keyword.arg for keyword in call.keywords}
                assert binary or "encoding" in given, ast.unparse(call)
    assert {"reasons/refuter.py", "reasons/certify.py"} <= found <= DRAFTS


def test_the_rooms_of_the_walk_are_there() -> None:
    page = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text("utf-8")
    walk = page.split("### One command, step by step")[1].split("\n## ")[0]
    rooms = re.findall(r"^\d+\. `([\w/]+)`", walk, re.MULTILINE)
    assert 10 <= len(rooms) <= 12
    assert len(set(rooms)) == len(rooms)
    assert [room for room in rooms if not (SOURCES / f"{room}.py").is_file()] == []
