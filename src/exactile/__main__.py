"""Runs the command line, for ``python -m exactile`` and for the command ``exactile``."""

# Built into the interpreter: loading `signal` takes longer than everything before it.
import _signal  # type: ignore[import-not-found]
import gc


def main() -> None:
    """Run the command line, and exit with the code that it returns: see `exactile.cli.main.main`.

    While the program is still loading, Ctrl-C ends it at once, without a message.
    """
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # unless it is ignored
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    gc.disable()  # until the command is loaded: see `exactile.cli.main`
    from exactile.cli.main import main as command_line

    command_line()


if __name__ == "__main__":
    main()
