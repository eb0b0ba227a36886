"""What holds for every source file: its length, and names that are one thing."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import exactile
from exactile.model import lower
from exactile.puzzle import check

SOURCES = Path(exactile.__file__).parent
NATIVE = Path(__file__).parents[2] / "src" / "native"
MOST_LINES = 400


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
