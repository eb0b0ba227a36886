"""An executor that searches parts on the workers of a Dask cluster, local or at an address.

Workers need only the same version of this package: the puzzle is sent with each part, and no files
are shared. If a worker is lost, Dask may search its part again; the part is counted only once.
"""

from __future__ import annotations

import logging
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from uuid import uuid4

from exactile.clock import CLOCK, HEARTBEAT
from exactile.errors import CheckFailedError, ExactileError, WorkError
from exactile.runs.executor import Executor, PartLost, PartResult, RunPart, RunWork, own_version
from exactile.runs.executors.threads import Threads
from exactile.tuning import TUNING

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster


ABSENT = "Dask is not installed: pip install 'exactile[dask]'."

ALONE = 30
"""Longest time that a cluster may have no workers, in multiples of `Tuning.dask_patience`."""

_mine = threading.local()
"""In each thread of a Dask worker: its `Searcher`, kept for later parts, and the pickled work."""


class Refused(NamedTuple):
    """The answer of a worker that cannot search parts of a run: its address, and the reason."""

    address: str
    why: str


def search(version: str, work: bytes, part: bytes) -> PartResult | Refused | CheckFailedError:
    """Search a part; this function runs in a Dask worker.

    `version`: that of exactile in the run's own process. `work` and `part`: a pickled `RunWork` and
    `RunPart`. A worker with a different version of exactile does not unpickle them, but returns
    `Refused`; so does a worker that makes a different model of the puzzle. If a solution is wrong,
    the error is returned, not raised.
    """
    from distributed import get_worker

    from exactile.runs.part import Searcher

    begun = CLOCK.now()
    if version != own_version():
        return Refused(get_worker().address, f"it has exactile {own_version()}, the run {version}")
    try:
        if getattr(_mine, "work", None) != work:
            _mine.searcher, _mine.work = Searcher(pickle.loads(work)), work  # noqa: S301
        result: PartResult = _mine.searcher.search(pickle.loads(part))  # noqa: S301
    except WorkError as error:
        return Refused(get_worker().address, str(error))
    except CheckFailedError as error:
        return error
    # Other threads of this worker use processor time as well.
    return result._replace(seconds=min(result.seconds, CLOCK.now() - begun))


def connect(address: str | None, workers: int) -> tuple[Client, LocalCluster | None]:
    """Return a client of a cluster, and the cluster if it was started here, else None.

    If `address` is None, a local cluster with `workers` processes is started. After the call, the
    logger ``distributed`` reports only critical errors.

    Raise WorkError if Dask is not installed, or no scheduler answers.
    """
    try:
        from dask import config
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise WorkError(ABSENT) from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are reported here
    cluster = None
    try:
        if address is None:
            # Profiles cost time. Ctrl-C is for this process, which ends the others.
            with config.set({"distributed.worker.profile.enabled": False}), _ignored_interrupts():
                cluster = LocalCluster(
                    n_workers=workers, threads_per_worker=1, dashboard_address=None
                )
        client = Client(address or cluster, timeout=CLOCK.lasting(TUNING.dask_patience))
    except (OSError, ValueError, RuntimeError) as error:  # the last if a worker died at its start
        raise WorkError(f"No Dask scheduler answers {_where(address)}: {error}") from error
    return client, cluster


@contextmanager
def _ignored_interrupts() -> Iterator[None]:
    """Make processes and threads started in the ``with`` block ignore Ctrl-C; no-op on Windows."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _where(address: str | None) -> str:
    return f"at {address}" if address else "here"


class Dask(Executor):
    """Searches parts on a Dask cluster; the number of its workers may change at any time.

    If `address` is None, a local cluster with `workers` processes is started. Raise WorkError if
    Dask is not installed, or no scheduler answers.
    """

    parallel = ahead = 1

    def __init__(self, address: str | None, workers: int) -> None:
        self._where = _where(address)
        self._client, self._cluster = connect(address, workers)
        self._given: dict[Future[Any], RunPart] = {}
        self._ended: SimpleQueue[Future[Any]] = SimpleQueue()
        self._refused: dict[str, str] = {}
        self._workers: list[str] = []
        self._looked, self._seen = -TUNING.dask_look, CLOCK.now()
        self._look()

    @property
    def alive(self) -> int:
        return len(self._workers)

    def start(self, work: RunWork) -> None:
        self._version, self._work = work.version, pickle.dumps(work)

    def give(self, part: RunPart) -> None:
        future = self._client.submit(
            search,
            self._version,
            self._work,
            pickle.dumps(part),
            key=f"exactile-{uuid4()}",
            workers=self._workers if self._refused else None,
        )
        self._given[future] = part
        future.add_done_callback(self._ended.put)

    def take(self, seconds: float) -> PartResult | PartLost | None:
        self._look()
        try:
            future = self._ended.get(timeout=CLOCK.lasting(seconds))
        except Empty:
            self._require_scheduler()
            return None
        part = self._given.pop(future)
        answer = _answer(future, part.number)
        if isinstance(answer, CheckFailedError):
            raise answer
        if isinstance(answer, Refused):
            self._refused[answer.address] = answer.why
            self._look(now=True)
        elif answer is not None:
            return cast(PartResult | PartLost, answer)
        self._require_scheduler()
        self.give(part)  # it was not searched
        return None

    def close(self) -> None:
        with suppress(Exception):  # it may be gone already, and is not needed
            self._client.cancel(list(self._given), force=True)
        for ending in (self._client, self._cluster):
            if ending is not None:
                with suppress(Exception):
                    ending.close(timeout=CLOCK.lasting(TUNING.dask_patience))

    def _look(self, *, now: bool = False) -> None:
        if not now and CLOCK.now() < self._looked + TUNING.dask_look:
            return
        self._looked = CLOCK.now()
        try:
            known = self._client.scheduler_info()["workers"]
        except (OSError, AttributeError):  # the connection is lost, which is noticed elsewhere
            return
        self._workers = [address for address in known if address not in self._refused]
        patience = ALONE * TUNING.dask_patience
        if known:
            self._seen = CLOCK.now()
        elif CLOCK.now() > self._seen + patience:
            raise WorkError(
                f"The Dask cluster {self._where} has had no workers for {patience:g} seconds: what "
                "was found is kept; start some and resume the run."
            )
        if known and not self._workers:
            why = next(iter(self._refused.values()))
            raise WorkError(f"All Dask workers {self._where} refuse the run: {why}.")
        self.parallel = max(1, sum(known[address]["nthreads"] for address in self._workers))
        self.ahead = 2 * self.parallel  # the next part of each is on its way

    def _require_scheduler(self) -> None:
        """Wait while the client reconnects to its scheduler; raise WorkError if it fails."""
        while self._client.status == "connecting":  # it gives up after a while
            CLOCK.pause(HEARTBEAT)
        if self._client.status != "running":
            raise WorkError(
                f"The Dask scheduler {self._where} is gone: parts without a result are to be "
                "searched again."
            )


def _answer(future: Future[Any], number: int) -> Any:
    """Return the result of `search` for part `number`.

    If `search` raised an error, or its workers died, return a `PartLost`; if Dask has canceled the
    future, None.
    """
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    try:
        return future.result()
    except CancelledError:
        return None
    except KilledWorker as error:  # Dask has tried it several times
        return PartLost(number, f"workers died of it: {error.last_worker.address}", again=False)
    except ExactileError as error:
        return PartLost(number, str(error), again=False)
    except Exception as error:  # anything that a worker may raise, such as an ImportError
        return PartLost(number, f"{type(error).__name__}: {error}")


def executor(choice: str | None, workers: int) -> Executor:
    """Return the executor on the Dask cluster at the address `choice`.

    If `choice` is None, a local cluster with `workers` processes is used, which is not started for
    a short search: see `Meanwhile`. Raise WorkError if Dask is not installed, or no scheduler
    answers.
    """
    if choice is not None:
        return Dask(choice, workers)
    if find_spec("distributed") is None:
        raise WorkError(ABSENT)
    return Meanwhile(lambda: Dask(None, workers), workers)


class Meanwhile(Executor):
    """Searches parts by threads of this process until another executor is ready.

    `make` returns the other executor. It is called in a separate thread after
    `Tuning.run_first_seconds`, so that a short search never calls it. If it fails, `take` raises
    its error.
    """

    def __init__(self, make: Callable[[], Executor], workers: int) -> None:
        self._here = Threads(workers)
        self._make = make
        self._there: Executor | None = None
        self._failure: BaseException | None = None
        self._thread: Thread | None = None
        self._given_here: set[int] = set()

    @property
    def _now(self) -> Executor:
        return self._there or self._here

    @property
    def parallel(self) -> int:
        return self._now.parallel

    @property
    def ahead(self) -> int:
        return self._now.ahead

    @property
    def alive(self) -> int:
        return self._now.alive

    def start(self, work: RunWork) -> None:
        self._here.start(work)
        self._thread = Thread(target=self._start, args=(work,), daemon=True)
        self._due = CLOCK.now() + TUNING.run_first_seconds

    def _start(self, work: RunWork) -> None:
        try:
            there = self._make()
            there.start(work)
        except BaseException as error:  # raised where results are read
            self._failure = error
        else:
            self._there = there
            self._here.stop()

    def give(self, part: RunPart) -> None:
        if self._there is None:
            self._given_here.add(part.number)
            self._here.give(part)
        else:
            self._there.give(part)

    def take(self, seconds: float) -> PartResult | PartLost | None:
        if self._failure is not None:
            raise self._failure
        if self._thread is not None and not self._thread.ident and CLOCK.now() >= self._due:
            self._thread.start()
        if not self._given_here:
            return self._now.take(seconds)
        there = self._there
        result = self._here.take(0.0 if there else seconds)
        if result is not None:
            self._given_here.discard(result.number)
        elif there is not None:
            return there.take(min(seconds, HEARTBEAT))
        return result

    def stop(self) -> None:
        self._here.stop()
        if self._there is not None:
            self._there.stop()

    def close(self) -> None:
        self._here.close()
        if self._thread is not None and self._thread.ident:
            self._thread.join()
        if self._there is not None:
            self._there.close()
