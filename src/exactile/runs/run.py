"""Runs in a store: begin one, continue it, and get its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypedDict, Unpack

import msgspec

from exactile.answers import SOLUTION_LIMIT, AssemblyCount, Count, Stats, Status, Verdict
from exactile.assembly.disassemble import TOO_MANY
from exactile.backends.base import Prefix, cores
from exactile.clock import CLOCK
from exactile.counting.shares import Share, numbers
from exactile.doors import door
from exactile.errors import FileError
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle.coordinates import in_coordinates
from exactile.puzzle.puzzle import Puzzle
from exactile.runs.drive import Driver, found_in, in_groups, own_session
from exactile.runs.executor import RunPart, RunWork, get_executor, own_version
from exactile.runs.levels import Apart, assembly_numbers
from exactile.runs.part import Searcher
from exactile.runs.store import RunRecord, Store, Totals
from exactile.runs.store.store import OWN
from exactile.search.case import AT_SIGHT, Case
from exactile.search.limits import Limits

RunAnswer = Count | Verdict | AssemblyCount
"""The result of a run so far; its type depends on the settings of the run."""

Method = Literal["list", "frontier"]
Verb = Literal["count", "solve", "prove"]


class RunSettings(msgspec.Struct, frozen=True):
    """The settings of the search of a run."""

    verb: Verb  # "solve" keeps solutions; for "prove" one is enough
    backend: str = DEFAULT_BACKEND
    symmetric: bool = True  # whether only one branch of each orbit is searched
    method: Method = "list"
    reason: str | None = None  # why there is obviously no solution, in words
    most: int | None = None  # number of solutions after which "solve" ends; None for all
    apart: Apart | None = None  # moves by which solutions must come apart to count, if any
    together: tuple[tuple[str, ...], ...] = ()  # with `apart`: pieces that may stay together

    @property
    def keep(self) -> bool:
        """Whether solutions are stored, rather than only counted."""
        return self.verb != "count"

    @property
    def limit(self) -> int | None:
        """Number of solutions after which the run ends; None for all."""
        return 1 if self.verb == "prove" else self.most


def settings_in(store: Store, record: RunRecord) -> RunSettings:
    """Return the settings of a run in a store; raise FileError if they are damaged."""
    with store.decoding(f"the settings of run {record.number}"):
        return msgspec.convert(record.settings, RunSettings)


GIVEN_UP = "parts given up"
"""Why an answer is incomplete: parts were given up after processes died while searching them."""

SHARE = "a share of a run"
"""Why an answer is incomplete: the store has only a share of the parts of the run."""

NOT_SEARCHED = "not searched"
"""Why an answer is incomplete: no process works on the run."""


class StoredRun:
    """A run in a store.

    Parameters
    ----------
    store
        The store; it must be open for writing if the run is to continue.
    number
        Number of the run.
    case
        The `Case` of the run's puzzle; if None, it is made from the stored puzzle.

    Raises
    ------
    FileError
        If there is no such run, or its settings or its puzzle are damaged.

    Examples
    --------
    >>> import exactile, tempfile
    >>> with Store(tempfile.mkdtemp() + "/a.store", write=True) as store:
    ...     run = StoredRun.begin(store, exactile.load("soma-cube"), "count")
    ...     stopped = run.go_on(limits=Limits(1e-9))
    ...     answer = StoredRun(store, run.number).go_on()
    >>> stopped.raw, answer.raw, answer.symmetry
    (None, 11520, 240)
    """

    @door
    def __init__(self, store: Store, number: int, case: Case | None = None) -> None:
        self.store, self.number = store, number
        self.record = store.run(number)
        self.settings = settings_in(store, self.record)
        puzzle, together = case.puzzle if case else store.puzzle(number), self.settings.together
        # A puzzle may be equal to that of the run, or be read from the store, without these groups.
        if self.settings.apart and together != puzzle.together:
            case = Case(replace(puzzle, together=together))
        self.case = case or Case(puzzle)

    @classmethod
    @door
    def begin(
        cls, store: Store, puzzle: Puzzle | Case, verb: Verb, **options: Unpack[RunOptions]
    ) -> StoredRun:
        """Add a new run to a store and return it; the store must be open for writing.

        `verb` is ``"count"``, ``"solve"`` or ``"prove"``. For the options see
        `exactile.runs.run.settings_of`. The search itself begins with `go_on`. Raise FileError if
        the store is open only for reading, cannot be written, or has a census of tilings, and
        ModelError if the model would be too large.
        """
        case = Case.of(puzzle)
        settings = settings_of(case, verb, **options)
        starts = case.starts if settings.symmetric else [Prefix((), 1.0)]
        number = store.add_run(
            case.puzzle,
            case.digest,
            msgspec.to_builtins(settings),
            own_version(),
            [] if settings.reason else [starts],
        )
        return cls(store, number, case)

    @classmethod
    @door
    def same(
        cls, store: Store, puzzle: Puzzle | Case, verb: Verb, **options: Unpack[RunOptions]
    ) -> StoredRun:
        """Return the stored run of a puzzle with these settings; begin one if there is none.

        The run may be finished. Runs that other versions of exactile began are ignored, as are
        shares of runs. The arguments and errors are those of `begin`.
        """
        case = Case.of(puzzle)
        for record in store.runs():
            if (record.digest, record.version) != (case.puzzle.digest, own_version()):
                continue
            run = cls(store, record.number, case)
            if run.settings == settings_of(case, verb, **options) and not record.share:
                return run
        return cls.begin(store, case, verb, **options)

    @property
    def finished(self) -> bool:
        """Whether no part is left, or the requested number of solutions is found."""
        return not self.record.parts or self._enough

    @property
    def answered(self) -> bool:
        """Whether the run is finished and, unless it is a share, its answer is stored."""
        return self.finished and (self.record.share or self.record.answer is not None)

    @property
    def _enough(self) -> bool:
        """Whether the requested number of solutions is found."""
        limit = self.settings.limit
        return limit is not None and self.record.totals.found >= limit

    @door
    def go_on(
        self,
        on: str = "threads",
        workers: int | None = None,
        limits: Limits | None = None,
        watch: Callable[[Driver], None] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> RunAnswer:
        """Search until the run is finished or time is up; return the result so far.

        The answer of a finished run is stored in the run, unless the run is a share. If processes
        keep dying at a part, it is given up, and the next call tries it again.

        Everything is stored before it is reported. If the process dies, only the parts that workers
        were searching are searched again, and a count by a frontier resumes at its last checkpoint;
        nothing counts twice.

        Parameters
        ----------
        on, workers
            The executor and the number of workers: see `exactile.runs.executor.get_executor`. A
            count by a frontier always uses threads of this process.
        limits
            The time limit and, for a count by a frontier, the memory limit; none by default.
        watch
            Called with the driver at every heartbeat.
        progress
            Called with the fraction that is done, in place of `watch`, if the run counts by a
            frontier.

        Raises
        ------
        FileError
            If another version of exactile began the run, the model that this process makes of the
            puzzle differs from that of the run, the store is damaged, or the run is not finished
            and the store cannot be written.
        WorkError
            If there is no such executor, or its workers cannot search.
        BackendError
            If the backend is missing or fails, and the workers are threads of this process.
        CountingError
            If a count by a frontier needs more memory or nodes than are allowed.
        CheckFailedError
            If a solution is wrong: a bug.
        """
        self._require_own()
        if not self.answered:
            self.store.writer(f"run {self.number} is not finished, and ")
        limits = limits or Limits()
        limits.begin()
        stopped = None
        if not self.finished:
            if self.settings.method == "frontier":
                stopped = self._sweep(workers or cores(), limits, progress)
            else:
                if self.record.lost:
                    self.store.forgive(self.number)
                stopped = self._search(on, workers, limits, watch)
            self.record = self.store.run(self.number)
        answer = self.answer(stopped)
        if self.finished and not self.answered:
            self.store.finish(self.number, answer.to_json())
        return answer

    @door
    def cut(self, parts: int) -> None:
        """Cut the run into at least `parts` parts, so that several machines can share them.

        A small search may have fewer parts.

        Raises
        ------
        FileError
            If another version of exactile began the run, the model that this process makes of the
            puzzle differs from that of the run, the store is damaged or cannot be written, or the
            run counts by a frontier.
        BackendError
            If the backend is missing.
        CheckFailedError
            If a solution is wrong: a bug.
        """
        self._require_own()
        if self.settings.method == "frontier":
            raise FileError("A count by a frontier cannot be cut into parts: list the solutions.")
        searcher = Searcher(self._work())
        while self.record.parts and self.record.parts < parts:
            heaviest = self.store.parts(self.number)[0]
            prefixes = self.store.prefixes(self.number, heaviest.number)
            part = RunPart(heaviest.number, prefixes, 0.0)
            missing = parts - self.record.parts + 1
            result = searcher.cut(part, missing)
            left = in_groups(result.left, missing)
            self.store.settle(self.number, part.number, left, found_in(result), result.rows)
            self.record = self.store.run(self.number)

    def _search(
        self,
        on: str,
        workers: int | None,
        limits: Limits,
        watch: Callable[[Driver], None] | None,
    ) -> str | None:
        executor = get_executor(on, workers)
        try:
            work = self._work()
            executor.start(work)
            driver = Driver(self.store, self.number, executor, on, lambda: Searcher(work))
            report = None if watch is None else lambda: watch(driver)
            return driver.drive(limits, self.settings.limit, report)
        finally:
            executor.close()

    def _sweep(
        self, workers: int, limits: Limits, progress: Callable[[float], None] | None
    ) -> str | None:
        """Count by a frontier, and store the counts if the count is complete.

        Return the limit that stopped the count, or None. The time of the count is stored in either
        case.
        """
        from exactile.counting.orbits import OrbitCount
        from exactile.runs.front import KeptFrontier

        begun, session = CLOCK.worked(), own_session("frontier", workers)
        self.store.begin_session(self.number, session)
        frontier = KeptFrontier(self.store, self.number, workers=workers, puzzle=self.case.puzzle)
        watch = None if progress is None else lambda method: progress(method.done or 0.0)
        counted = OrbitCount(self.case, frontier).run(limits, watch)
        seconds = CLOCK.worked() - begun
        if counted.raw is None or counted.rotation is None or counted.symmetry is None:
            with self.store.transaction():
                self.store.add_found(self.number, OWN, Totals(seconds=seconds))
            return counted.stopped
        action = self.case.action
        proper = counted.rotation * int(action.proper.sum())
        share = Share(counted.raw, counted.symmetry * action.order, proper)
        found = Totals({"": share}, 0, counted.stats.nodes or 0, seconds)
        with self.store.decoding(f"run {self.number}"):
            [part] = self.store.parts(self.number)
        self.store.settle(self.number, part.number, [], found)
        return None

    def _work(self) -> RunWork:
        settings = self.settings
        return RunWork(
            self.case,
            self.record.model,
            self.record.version,
            settings.backend,
            settings.symmetric,
            settings.keep,
            settings.limit,
            settings.apart,
        )

    def _require_own(self) -> None:
        """Raise FileError if the version of exactile, or the model, differs from that of the run.

        If so, the options of the model may have other numbers here than in the run.
        """
        record, own = self.record, own_version()
        if record.version == own and record.model == self.case.digest:
            return
        began = f"exactile {record.version} began run {self.number}, and this is {own}"
        if record.version == own:
            began = f"run {self.number} was begun with another model, by another build of {own}"
        raise FileError(
            f"{self.store.path}: {began}: numbers of options may differ. Go on with that one, or "
            "begin a new run."
        )

    @door
    def answer(self, stopped: str | None = None) -> RunAnswer:
        """Return the result so far, as of `record`.

        `stopped`: the limit that ended the search, or None. It has no effect if the run is
        finished.
        """
        record, found = self.record, self.record.totals.found
        done = not record.parts and not record.share
        stopped = stopped or (GIVEN_UP if record.lost else NOT_SEARCHED)
        if found or (record.totals.raw and not self.settings.apart):
            whole = done and not self._enough
            status = Status.COMPLETE if whole else Status.SOLVABLE
        else:
            status = Status.UNSOLVABLE if done else Status.UNKNOWN
        if self.finished:
            stopped = SHARE if record.share else None
            if self._enough and self.settings.verb == "solve":
                stopped = SOLUTION_LIMIT
        if self.settings.verb == "prove":
            return self._verdict(status, stopped)
        if self.settings.apart:
            return self._by_level(status, stopped)
        return self._count(status, stopped, done=done)

    def _count(self, status: Status, stopped: str | None, *, done: bool) -> Count:
        settings, record = self.settings, self.record
        known = done and status is not Status.SOLVABLE
        raw, rotation, symmetry = _numbers(self.case, record) if known else (None, None, None)
        return Count(
            puzzle=self.case.puzzle.name,
            backend=None if settings.reason or settings.method != "list" else settings.backend,
            method=AT_SIGHT if settings.reason else settings.method,
            status=status,
            raw=raw,
            rotation=rotation,
            symmetry=symmetry,
            found=record.totals.raw,
            stopped=stopped,
            done=1.0 if done else record.done,
            reason=settings.reason,
            crossing=self.case.puzzle.crossing,
            stats=self._stats(),
        )

    def _by_level(self, status: Status, stopped: str | None) -> AssemblyCount:
        record = self.record
        numbers = assembly_numbers(self.case, record.totals.shares)
        if numbers["unknown"] and status.final:
            status = Status.of(None, record.totals.found)
        if not status.final:
            numbers |= {"raw": None, "rotation": None, "symmetry": None}
        return AssemblyCount(
            puzzle=self.case.puzzle.name,
            backend=self.settings.backend,
            status=status,
            stopped=stopped or (TOO_MANY if numbers["unknown"] else None),
            stats=self._stats(),
            **numbers,
        )

    def _verdict(self, status: Status, stopped: str | None) -> Verdict:
        settings, record = self.settings, self.record
        solution = None
        if record.totals.found:
            rows = next(self.store.solutions(self.number))
            [solution] = self.case.decoder.solutions(rows[:1])
        return Verdict(
            puzzle=self.case.puzzle.name,
            backend=None if settings.reason else settings.backend,
            method=AT_SIGHT if settings.reason else "search",
            status=status,
            reason=settings.reason,
            stopped=stopped,
            crossing=self.case.puzzle.crossing,
            done=record.done,
            solution=in_coordinates(self.case.puzzle, solution) if solution else None,
            stats=self._stats(),
        ).of(self.case.puzzle)

    def _stats(self) -> Stats:
        totals = self.record.totals
        return Stats(
            items=self.case.model.items,
            options=self.case.model.options,
            nodes=None if self.settings.reason else totals.nodes,
            seconds=round(totals.seconds, 6),
        )


class RunOptions(TypedDict, total=False):
    """The keyword arguments of `settings_of`."""

    backend: str
    use_symmetry: bool
    use_reasons: bool
    method: Method
    most: int | None
    apart: Apart | None


def settings_of(
    case: Case,
    verb: Verb,
    *,
    backend: str = DEFAULT_BACKEND,
    use_symmetry: bool = True,
    use_reasons: bool = True,
    method: Method = "list",
    most: int | None = None,
    apart: Apart | None = None,
) -> RunSettings:
    """Return the settings of a run.

    `method`: ``"list"``, or ``"frontier"`` to count without listing, and only in this process;
    `backend` and `use_symmetry` then have no effect. `most`: number of solutions after which a run
    ends; None for all. Only the verb ``"solve"`` uses it. `apart`: the moves by which one solution
    of each orbit is taken apart; only orbits that come apart then count as solutions. None to take
    no solution apart. For the other parameters see `exactile.search.search.Search`.
    """
    reason = case.reason if use_reasons else None
    symmetric = use_symmetry and case.branches is not None and method == "list"
    name = backend if method == "list" else method
    most = most if verb == "solve" else None
    together = case.puzzle.together if apart else ()
    return RunSettings(verb, name, symmetric, method, reason, most, apart, together)


def _numbers(case: Case, record: RunRecord) -> tuple[int, int, int]:
    """Return the numbers of solutions: raw, up to rotation, up to symmetry."""
    everything = Share()
    for share in record.totals.shares.values():
        everything.add(share)
    return numbers(case, {"": everything})[""]
