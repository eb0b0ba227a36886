"""The main program of a worker process, which processes parts of some work sent through a pipe."""

from __future__ import annotations

import os
import sys
from threading import Lock
from typing import BinaryIO

from exactile.errors import ExactileError
from exactile.work.worker import OUT_OF_MEMORY, Done, Failure, pickled, read


def main(megabytes: int) -> None:
    """Process parts of some work from standard input; write messages to standard output.

    The input begins with the `Service` that processes the parts. `megabytes`: memory limit, 0 for
    none.
    """
    tasks, answers = _pipes()
    with tasks, answers:
        _serve(tasks, answers, megabytes)


def _serve(tasks: BinaryIO, answers: BinaryIO, megabytes: int) -> None:
    """Read a service, and let it process parts until the pipe ends or a part fails."""
    lock = Lock()

    def tell(message: object) -> None:
        data = pickled(message)
        with lock:  # solvers call from threads of their own
            answers.write(data)

    try:
        if megabytes:
            _limit_memory(megabytes)
        work = read(tasks).start()
        while True:
            work(read(tasks), tell)
            tell(Done())
    except (EOFError, BrokenPipeError):
        os._exit(0)  # the other side is gone
    except MemoryError:
        failure = Failure(OUT_OF_MEMORY, again=True)
    except ExactileError as error:
        failure = Failure(str(error), again=False)
    except Exception as error:  # whatever it is, the other side must learn of it
        failure = Failure(f"{type(error).__name__}: {error}", again=False)
    tell(failure)


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams for reading parts and for writing messages.

    Standard input and output are replaced, so that a solver cannot read or write these streams by
    mistake: its output goes to standard error.
    """
    tasks, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(tasks, "rb"), os.fdopen(answers, "wb", buffering=0)


def _limit_memory(megabytes: int) -> None:
    """Limit the memory that this process and each of its children may use.

    On Linux, address space that is only reserved does not count, nor does program code, which is
    large in OR-Tools. On other systems, all address space counts.
    """
    import resource  # not on all systems; the other side has checked

    which = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    resource.setrlimit(which, (megabytes << 20,) * 2)


if __name__ == "__main__":
    main(int(sys.argv[1]))
