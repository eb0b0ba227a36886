"""A census: the same by one process or several, stopped and gone on with, shared out and joined."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from exactile.answers import TilingCensus
from exactile.errors import CheckFailedError, FileError, Interrupted
from exactile.runs.store import Store
from exactile.search.limits import Limits
from exactile.surveys.tiling.census import Census, Claim, Judged, judged, verified
from exactile.surveys.tiling.survey import CensusStore, census_of, join_censuses, survey, verify_all

HEPTOMINOES = Census("square", 7, "free")
HEXOMINOES = Census("square", 6, "free")


@pytest.fixture(scope="module")
def whole() -> TilingCensus:
    return survey(HEPTOMINOES, entries=True)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "a.store")


def test_any_number_of_copies_may_be_allowed() -> None:
    assert Census("square", 6, "free", most_copies=2**62).wishes.most_copies > 10**9


def numbers(answer: TilingCensus) -> dict[str, object]:
    leave_out = ("stats", "entries", "stopped")
    return {k: getattr(answer, k) for k in answer.__struct_fields__ if k not in leave_out}


def cancelling(limits: Limits, known: int) -> Callable[[int, int], None]:
    def watch(done: int, of: int) -> None:
        if done >= known:
            limits.cancel()

    return watch


def test_a_census_is_stopped_and_gone_on_with(whole: TilingCensus, path: str) -> None:
    limits = Limits()
    with Store(path, write=True) as store:
        first = survey(HEPTOMINOES, store, limits=limits, watch=cancelling(limits, 40))
    assert 40 <= first.done < first.forms == 108
    assert first.stopped == "cancelled"
    assert census_of(path).done == first.done
    with Store(path, write=True) as store:
        second = survey(HEPTOMINOES, store, entries=True)
    assert numbers(second) == numbers(whole)
    assert second.entries == whole.entries
    assert second.stats.nodes == whole.stats.nodes
    assert numbers(census_of(path)) == numbers(whole)


def test_ctrl_c_keeps_what_is_known(whole: TilingCensus, path: str) -> None:
    def watch(done: int, of: int) -> None:
        if done == 70:
            raise KeyboardInterrupt

    with Store(path, write=True) as store, pytest.raises(Interrupted) as caught:
        survey(HEPTOMINOES, store, watch=watch)
    assert caught.value.answer.done == census_of(path).done == 70
    with Store(path, write=True) as store:
        assert numbers(survey(HEPTOMINOES, store)) == numbers(whole)


def test_two_processes_find_the_same(whole: TilingCensus, path: str) -> None:
    with Store(path, write=True) as store:
        answer = survey(HEPTOMINOES, store, workers=2, verify=True)
    assert numbers(answer) == numbers(whole)


def test_shares_make_the_whole(whole: TilingCensus, tmp_path: Path) -> None:
    parts = [str(tmp_path / f"{number}.store") for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        with Store(part, write=True) as store:
            survey(HEPTOMINOES, store, shard=(number, 3))
    assert join_censuses(parts[0], parts[1:]) == 72
    assert join_censuses(parts[0], parts) == 0
    assert numbers(census_of(parts[0])) == numbers(whole)


def test_another_census_is_refused(path: str, tmp_path: Path) -> None:
    with Store(path, write=True) as store:
        survey(HEXOMINOES, store)
        for other, words in (
            (HEPTOMINOES, ": name a new file"),
            (Census("square", 6, "fixed"), ", with freedom free: name"),
            (Census("square", 6, "free", effort=7, most_copies=3), ", with effort 5000000, copies"),
        ):
            message = f"another census, of order 6 on the square lattice{words}"
            with pytest.raises(FileError, match=message):
                survey(other, store)
    empty = str(tmp_path / "empty.store")
    with Store(empty, write=True):
        pass
    for call in (lambda: census_of(empty), lambda: join_censuses(path, [empty])):
        with pytest.raises(FileError, match="no census"):
            call()
    with Store(empty) as store, pytest.raises(FileError, match="no census"):
        list(verify_all(CensusStore(store)))


def test_every_entry_has_what_shows_it(path: str) -> None:
    with Store(path, write=True) as store:
        survey(HEPTOMINOES, store)
    with Store(path) as store:
        assert list(verify_all(CensusStore(store)))[-1] == (108, 108)


def test_entries_say_what_their_evidence_shows(whole: TilingCensus) -> None:
    ranks = [
        next(e.rank for e in whole.entries if e.exact and e.copies == 2),
        next(e.rank for e in whole.entries if e.verdict == "does not tile" and not e.holes),
    ]
    forms = HEPTOMINOES.forms()
    tiles, not_one = judged(HEPTOMINOES, forms, ranks, verify=True)
    forged: tuple[tuple[Judged, dict[str, Any], Claim | None], ...] = (
        (tiles, {"verdict": "open"}, None),
        (tiles, {"copies": 1}, None),
        (tiles, {"units": not_one.entry.units}, None),
        (tiles, {}, Claim()),
        (not_one, {"holed": 2}, None),
        (not_one, {"verdict": "tiles"}, None),
        (not_one, {"coronas": 3}, None),
        (not_one, {"holes": True}, None),
    )
    for one, changes, claim in forged:
        other = Judged(replace(one.entry, **changes), claim or one.claim, one.nodes)
        with pytest.raises(CheckFailedError, match="is not what its evidence shows"):
            verified(HEPTOMINOES, other, forms[one.entry.rank - 1])


def test_an_entry_that_was_changed_is_noticed(path: str, tmp_path: Path) -> None:
    with Store(path, write=True) as store:
        survey(HEXOMINOES, store)
        kept = CensusStore(store)
        one, other = kept.judged(2), kept.judged(30)
        kept.add([Judged(one.entry, other.claim, one.nodes)])
        with pytest.raises(CheckFailedError, match="form 2 of order 6"):
            list(verify_all(kept))
    changed = tmp_path / "b.store"
    shutil.copy(path, changed)
    with sqlite3.connect(changed) as base:
        base.execute("UPDATE judged SET entry = replace(entry, 'tiles', 'opens') WHERE rank = 9")
    base.close()
    with pytest.raises(FileError, match="damaged"):
        census_of(str(changed))
