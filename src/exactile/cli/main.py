"""The entry point: the list of commands, which are loaded when called, and the exit codes.

Errors and signals become exit codes here.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from errno import ENOENT
from functools import partial
from importlib import import_module
from io import BufferedWriter, FileIO, RawIOBase, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import rich_click as click
from click.exceptions import Exit
from click.shell_completion import shell_complete

from exactile.atomic import OF_DISKS
from exactile.cli.words import VARIABLE, in_plain_words
from exactile.clock import CLOCK
from exactile.errors import ExactileError, UnfinishedError, clipped, suggestion

if TYPE_CHECKING:
    from exactile.search.limits import Limits


class About(NamedTuple):
    """A one-line summary of a command, and an example of its use, such as ``solve soma-cube``."""

    summary: str
    example: str


GROUPS: dict[str, dict[str, About]] = {
    "Puzzles": {
        "serve": About("Open a page in the browser: choose, draw, solve, play.", "serve soma-cube"),
        "list": About("List the puzzles of the catalogue.", "list hexiamond"),
        "show": About("Show what a puzzle is and what is known about it.", "show soma-cube"),
        "new": About("Write a puzzle file to start from.", "new mine.toml"),
        "render": About("Draw a solution, or the empty puzzle.", "render soma-cube -o soma.svg"),
        "design": About(
            "Make challenges, grade puzzles, choose pieces for boards.",
            "design challenges soma-cube -n 3",
        ),
        "sheet": About("Lay out puzzles on pages for printing.", "sheet 'soma-*' -o soma.pdf"),
        "make": About("Write pieces as meshes for 3D printers.", "make soma-cube"),
        "pieces": About("Generate all polyforms of an order.", "pieces square 5"),
    },
    "Solutions": {
        "solve": About("Find solutions and draw them.", "solve pentominoes-6x10"),
        "count": About("Count solutions: all, and up to symmetry.", "count soma-cube"),
        "sample": About("Draw solutions at random.", "sample dominoes-8x8 -n 3"),
        "estimate": About("Estimate the number of solutions.", "estimate pentominoes-6x10"),
        "subsets": About(
            "Show which regions can be covered by some of the pieces.", "subsets 'shader-*'"
        ),
        "classes": About("Sort solutions into classes of similar ones.", "classes tetrahexes-4x7"),
        "takeapart": About("Take solutions apart, move by move.", "takeapart soma-cube"),
        "check": About("Check every solution in a file.", "check soma-cube found.jsonl"),
    },
    "No solution": {
        "prove": About("Decide whether a puzzle has a solution.", "prove tetrominoes-5x4"),
        "coloring": About(
            "Look for a coloring that rules out solutions.", "coloring tetrominoes-5x4"
        ),
        "explain": About("Show which demands cannot be met together.", "explain tetrominoes-5x4"),
        "pack": About("Pack as much as possible.", "pack tetrominoes-5x4"),
        "verify-certificate": About(
            "Verify a certificate of prove, count or tile.", "verify-certificate my-certificate"
        ),
    },
    "Long searches": {
        "resume": About("Continue a search stored in a file.", "resume my.store"),
        "status": About("Show the progress of the searches in a store.", "status my.store"),
        "solutions": About("Show the solutions in a store.", "solutions my.store --limit 3"),
        "work": About(
            "Search one share of a stored search.", "work my.store --shard 3/200 -o part-003.store"
        ),
        "merge": About("Merge the results of shares.", "merge my.store part-*.store"),
    },
    "Solvers and files": {
        "compare": About("Compare solvers on the same puzzles.", "compare soma-cube"),
        "instances": About(
            "List or write problems for comparing solvers.", "instances list bricks"
        ),
        "backends": About("List the solvers.", "backends"),
        "export": About("Write a puzzle for other programs.", "export soma-cube -o soma.xcc"),
        "import": About("Convert a file of another program.", "import burr.xmpuzzle -o burr.toml"),
        "catalogue": About(
            "Count the solutions of the catalogue's puzzles.", "catalogue verify --help"
        ),
    },
    "Tilings": {"tile": About("Decide whether a piece tiles the plane or space.", "tile X")},
    "Classics": {
        "peg": About("Solve peg solitaire.", "peg english --start 17"),
        "sudoku": About("Solve sudokus.", "sudoku mine.txt"),
        "queens": About("Place queens that do not attack each other.", "queens 8 --count"),
    },
    "Help": {
        "help": About("Show the help of a command.", "help solve"),
        "completion": About("Set up completion in the shell.", "completion bash"),
    },
}

FILES = {
    "list_commands": ("list", "instances"),
    "solve_commands": ("solve", "sample"),
    "drawing_commands": ("render", "sheet", "make"),
    "grid_commands": ("sudoku", "queens"),
    "check_commands": ("check", "verify-certificate"),
    "file_commands": ("new", "export", "import"),
    "help_commands": ("help", "completion"),
    "piece_commands": ("show", "pieces"),
    "reason_commands": ("prove", "coloring", "explain", "pack"),
    "run_commands": ("resume", "status", "solutions", "work", "merge"),
    "solver_commands": ("compare", "backends"),
}
"""Modules of `exactile.cli` that define several commands, with the names of the commands.

In these modules, the function of a command such as ``solve`` is called `solve_command`. Every other
command, such as ``count``, has a module of its own, `count_command`, with the function `command`.
"""

COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}
"""The commands by name, without their groups, in the order of the help."""


class LazyGroup(click.RichGroup):
    """The command `exactile`, which loads only the module of the subcommand that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the subcommands in the order of the help."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a placeholder with the summary of a subcommand; None if its name is unknown.

        `resolve_command` loads the real subcommand.
        """
        if cmd_name not in COMMANDS:
            return None
        return click.RichCommand(name=cmd_name, short_help=COMMANDS[cmd_name].summary)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Load the subcommand that the arguments call.

        Return its name, the command, and the remaining arguments. If the name is unknown, raise
        click.UsageError with a suggestion; but while a shell completes a command line, return None
        for the name and for the command. Also turn the garbage collector on again, which
        `exactile.__main__` turns off.
        """
        if args[0] not in COMMANDS and not ctx.resilient_parsing and args[0][:1] != "-":
            ctx.fail(f"There is no command '{args[0]}'.{suggestion(args[0], COMMANDS)}")
        name, _, rest = super().resolve_command(ctx, args)
        command = None if name is None else loaded(name)
        if not gc.isenabled():  # see `exactile.__main__`; loaded modules need no collection
            gc.freeze()
            gc.enable()
        return name, command, rest


def loaded(name: str) -> click.Command:
    """Load and return a subcommand; the last line of its help is an example of its use."""
    own = f"{name.replace('-', '_')}_command"
    file = next((file for file, names in FILES.items() if name in names), None)
    module = import_module(f"exactile.cli.{file or own}")
    command: click.Command = getattr(module, own if file else "command")
    command.epilog = f"Example: exactile {COMMANDS[name].example}"
    return command


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Yield all commands and their subcommands, as pairs such as ``("design grade", command)``."""
    for name in COMMANDS:
        command = loaded(name)
        yield name, command
        for inner, each in getattr(command, "commands", {}).items():
            yield f"{name} {inner}", each


@click.command(
    cls=LazyGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "rich_help_config": {"range_string": ""},  # narrow; values out of range are reported
    },
    epilog="PUZZLE is an id or alias from the catalogue, FILE.toml, or FILE.toml#id.",
)
@click.version_option(package_name="exactile")
def group() -> None:
    """Solve polyform puzzles, count their solutions, or prove that they have none."""


for title, commands in GROUPS.items():
    click.command_panel(title, commands=[*commands])(group)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code.

    The codes are 0 answered, 1 error, 2 wrong usage, 3 not finished, 130 Ctrl-C, 143 SIGTERM. With
    ``--exit-code sat``, answers have the codes 10 solvable, 20 unsolvable and 0 unknown.
    """
    for name, mode in (("stdin", "r"), ("stdout", "a"), ("stderr", "a")):  # by descriptor
        if getattr(sys, name) is None:  # closed: another file would get its descriptor
            setattr(sys, name, TextIOWrapper(FileIO(os.devnull, mode)))
    if isinstance(sys.stdout, TextIOWrapper) and isinstance(sys.stdout.buffer, RawIOBase):
        # PYTHONUNBUFFERED: without a buffer, a signal would cut a text in two
        sys.stdout = TextIOWrapper(BufferedWriter(sys.stdout.detach()), line_buffering=True)
    for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):  # files and pipes have one encoding everywhere
            stream.reconfigure(encoding="utf-8", errors=errors)
    try:
        catch_signals()
        code = run(arguments)
        ignore_signals()
    except KeyboardInterrupt:  # the second, while results were printed after the first
        ignore_signals()
        code = 130
    except Exception:
        if not interrupted():
            raise
        # Libraries such as NumPy turn an interrupt into an error of their own.
        click.echo("Interrupted.", err=True)
        code = 130
    leave(final_code(code))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line, print its errors, and return its exit code."""
    try:
        words = sys.argv[1:] if arguments is None else arguments
        if instruction := os.environ.get(VARIABLE):
            return shell_complete(group, {}, "exactile", VARIABLE, instruction)
        with group.make_context("exactile", list(words)) as context:
            result: Any = group.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except ExactileError as error:
        return _failed(error)
    except Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.message = clipped(in_plain_words(error.message))  # type: ignore[misc]
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        return 130
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        _let_go()
        return 0
    except OSError as error:
        _let_go()
        name = error.filename or ("standard output" if error.errno in OF_DISKS else "")
        where = f" {name}" if name else ""
        return _fail(f"Cannot read or write{where}: {_cause(error)}.")
    except MemoryError:
        return _fail("Out of memory: the puzzle has too many placements for this machine.")
    return result if isinstance(result, int) else 0


def _cause(error: OSError) -> str:
    """Return in words why a file cannot be read or written, such as a missing folder."""
    if error.errno == ENOENT and isinstance(error.filename, str) and error.filename:
        folder = Path(error.filename).parent
        if not folder.is_dir():
            return f"there is no folder {folder}; create it first"
    return error.strerror or str(error)


def _let_go() -> None:
    """Flush standard output; if that fails, redirect it to the null device.

    Without the redirection, Python would flush again at exit and print a second error.
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(error: ExactileError) -> int:
    """Print an error of the package and return its exit code: 3 for UnfinishedError, else 1."""
    if not isinstance(error, UnfinishedError):
        return _fail(str(error))
    from exactile.cli.common import UNFINISHED  # here, because it loads much

    click.echo(str(error), err=True)
    return UNFINISHED


def _fail(message: str) -> int:
    plain = False if os.environ.get("NO_COLOR") else None
    click.echo(
        click.style("Error: ", fg="red", bold=True) + clipped(message), err=True, color=plain
    )
    return 1


PATIENCE = 1.0
"""Seconds to wait for running threads before the process exits."""

SOON = 0.01
"""Seconds until a KeyboardInterrupt is raised again that the running code could not raise."""

_came: list[int] = []
"""The numbers of the signals SIGINT and SIGTERM received so far."""

_over: list[None] = []
"""Not empty once signals are to be ignored, at the end of the process."""

ignore_signals = partial(_over.append, None)
"""Makes the process ignore signals from now on. Being C code, the function is not interrupted."""


def catch_signals() -> None:
    """Let SIGTERM, which batch systems send, raise KeyboardInterrupt, as Ctrl-C does.

    Also record both signals, for `interrupted`. If the running code, such as a finalizer, cannot
    raise the exception, it is raised again after `SOON` seconds. In a thread other than the main
    one, do nothing.
    """

    def interrupt(number: int, frame: Any) -> None:
        _came.append(number)
        if not _over:
            raise KeyboardInterrupt

    def unraisable(caught: Any) -> None:
        # Code that cannot raise, such as a finalizer, was running: the signal is repeated soon.
        if caught.exc_type is KeyboardInterrupt:  # raising it here would have no effect either
            signal.setitimer(signal.ITIMER_REAL, SOON)
        else:
            sys.__unraisablehook__(caught)

    def again(number: int, frame: Any) -> None:
        signal.raise_signal(_came[-1])

    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGALRM, again)
        signal.signal(signal.SIGTERM, interrupt)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, interrupt)
        sys.unraisablehook = unraisable


def final_code(code: int) -> int:
    """Return an exit code unchanged, except that 130 becomes 143 if SIGTERM ended the process."""
    return 128 + signal.SIGTERM if code == 130 and signal.SIGTERM in _came else code


def interrupted() -> bool:
    """Return whether a signal asked this process to end."""
    return bool(_came)


def leave(code: int) -> NoReturn:
    """Exit with a code, after waiting at most `PATIENCE` seconds for threads that still run.

    A thread that returns from native code after the interpreter has shut down would crash. If a
    thread still runs, the process therefore exits without shutting down the interpreter. It also
    does so after any signal: if a signal interrupts the waiting, Python 3.11 may mistake a running
    thread for a finished one.
    """
    others = [t for t in threading.enumerate() if t is not threading.current_thread()]
    with suppress(KeyboardInterrupt):
        end = CLOCK.now() + PATIENCE
        for thread in others:
            thread.join(CLOCK.lasting(max(0.0, end - CLOCK.now())))
    alive = any(thread.is_alive() for thread in others)
    if _came and not alive:
        with suppress(KeyboardInterrupt):
            atexit._run_exitfuncs()
    if _came or alive:
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):  # none, broken, closed
                stream.flush()
        os._exit(code)
    sys.exit(code)


def ending_in_order(limits: Limits) -> AbstractContextManager[None]:
    """Return a context in which the first Ctrl-C or SIGTERM only cancels the given limits.

    The search with these limits then ends by itself. A second signal acts as usual.
    """
    return first_signal(limits.cancel)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay the first Ctrl-C or SIGTERM until the end of the ``with`` block, which prints results.

    A second signal acts at once. If a signal came before the block, for example to stop the search,
    it counts as the first.
    """
    if _came:
        yield
        return
    waiting: list[None] = []
    with first_signal(lambda: waiting.append(None)):
        yield
    if waiting:
        raise KeyboardInterrupt


@contextmanager
def first_signal(act: Callable[[], object]) -> Iterator[None]:
    """Let the first Ctrl-C or SIGTERM in a ``with`` block call `act`; a second acts as usual."""
    before: dict[int, Any] = {}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def received(number: int, frame: Any) -> None:
        _came.append(number)
        restore()
        act()

    with suppress(ValueError):  # not in the main thread
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, received)
    try:
        yield
    finally:
        restore()
