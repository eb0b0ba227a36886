"""Several runs of a comparison at the same time, here or on the workers of a Dask cluster."""

from __future__ import annotations

import pickle
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any
from uuid import uuid4

from exactile.answers import ComparedRun
from exactile.clock import CLOCK, HEARTBEAT
from exactile.closing import Closing
from exactile.errors import PuzzleError, WorkError
from exactile.runs.executor import own_version
from exactile.surveys.compare.trial import Trial, run_trial
from exactile.tuning import TUNING

LOOK = 1.0
"""Seconds between questions to the scheduler whether a run is to be killed."""


def require_place(on: str | None) -> None:
    """Raise PuzzleError if comparisons cannot run in this place."""
    place, colon, address = (on or "dask").partition(":")
    if place != "dask" or (colon and not address):
        raise PuzzleError(f"A comparison cannot run on '{on}': use dask or dask:ADDRESS.")


class Crew(Closing):
    """Threads that each wait for the process of one run.

    `most`: the number of runs at the same time. `on`: see `Comparison`.
    """

    def __init__(self, most: int, on: str | None = None) -> None:
        self.busy = 0
        self._stop = Event()
        self._threads: list[Thread] = []
        self._done: SimpleQueue[ComparedRun | BaseException | None] = SimpleQueue()
        self._most, self._on = most, on
        self._cluster: Cluster | None = None

    def begin(self, trial: Trial) -> None:
        """Begin a run. Raise WorkError if there is no such cluster."""
        if self._on is not None and self._cluster is None:  # only now: all may be in the store
            self._cluster = Cluster(self._on.partition(":")[2] or None, self._most)
        run = self._cluster or run_trial

        def work() -> None:
            try:
                if self._stop.is_set():
                    return
                self._done.put(run(trial, self._stop))
            except BaseException as error:
                self._done.put(error)

        self.busy += 1
        self._threads = [t for t in self._threads if t.is_alive()] + [Thread(target=work)]
        self._threads[-1].start()

    def next(self) -> ComparedRun | None:
        """Return an outcome; None if there is none within a heartbeat."""
        try:
            done = self._done.get(timeout=CLOCK.lasting(HEARTBEAT))
        except Empty:
            return None
        self.busy -= 1
        if isinstance(done, BaseException):
            raise done
        return done

    def close(self) -> None:
        """Kill the processes of all runs."""
        self._stop.set()
        for thread in self._threads:
            with suppress(RuntimeError):  # it was not started yet when Ctrl-C came
                thread.join()
        if self._cluster is not None:
            self._cluster.close()


class Cluster(Closing):
    """A Dask cluster, whose workers start a process for each run.

    Runs of a worker that is lost are done by another one. `address`: of the scheduler; None starts
    a cluster here, with a number of workers.
    """

    def __init__(self, address: str | None, workers: int) -> None:
        from exactile.runs.executors.dask import ALONE, connect

        self._client, self._own = connect(address, workers)
        self._patience = ALONE * TUNING.dask_patience
        self._name = f"exactile-{uuid4()}"  # of the event that ends all runs

    def __call__(self, trial: Trial, stop: Event) -> ComparedRun | None:
        """Run a trial on a worker; None if it was stopped. Raise WorkError if it cannot."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        words = own_version(), self._name, pickle.dumps(trial)
        try:
            future = self._client.submit(run_there, *words, key=f"exactile-{uuid4()}")
            seen = CLOCK.now()
            while not future.done():
                if stop.is_set():
                    future.cancel()
                    return None
                CLOCK.pause(HEARTBEAT)
                seen = self._seen(seen)
            answer = future.result()
        except WorkError:
            raise
        except KilledWorker as error:  # Dask has tried it several times
            message = f"workers died of it: {error.last_worker.address}"
            return trial.outcome(end="crash", message=message)
        except Exception as error:  # anything that a worker may raise, such as an ImportError
            if isinstance(error, CancelledError) or self._client.status == "closed":
                gone = "The Dask scheduler is gone: a store keeps finished runs."
                raise WorkError(gone) from None
            raise WorkError(f"A Dask worker failed: {type(error).__name__}: {error}") from error
        if isinstance(answer, str):
            raise WorkError(answer)
        found: ComparedRun | None = answer
        return found

    def _seen(self, last: float) -> float:
        """Return when there were workers, the last time; raise WorkError if that is long ago."""
        now = CLOCK.now()
        if now < last + LOOK or self._client.status != "running":
            return last
        if self._client.scheduler_info()["workers"]:
            return now
        if now > last + self._patience:
            raise WorkError(f"The Dask cluster has had no workers for {self._patience:g} seconds.")
        return last

    def close(self) -> None:
        """End all runs, and the cluster if it was started here."""
        from distributed import Event as SharedEvent

        with suppress(Exception):  # it may be gone already, and is not needed
            SharedEvent(self._name, client=self._client).set()
        for ending in (self._client, self._own):
            if ending is not None:
                with suppress(Exception):
                    ending.close()


class _Ended:
    """Whether the comparison has ended, which the scheduler knows; see `threading.Event`."""

    def __init__(self, name: str) -> None:
        from distributed import Event as SharedEvent

        self._event: Any = SharedEvent(name)
        self._next = CLOCK.now() + LOOK

    def is_set(self) -> bool:
        if CLOCK.now() < self._next:
            return False
        self._next = CLOCK.now() + LOOK
        with suppress(Exception):  # the scheduler may be busy
            return bool(self._event.is_set())
        return False


def run_there(version: str, name: str, trial: bytes) -> ComparedRun | str | None:
    """Run a trial in a worker; the result is a message if it has another version.

    `name`: of the event that ends it.
    """
    if version != own_version():
        return f"A Dask worker has exactile {own_version()}, this is {version}."
    return run_trial(pickle.loads(trial), _Ended(name))  # noqa: S301
