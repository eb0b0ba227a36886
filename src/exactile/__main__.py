"""``python -m exactile``, and the command ``exactile``: the command line."""

import signal


def main() -> None:
    """Run the command line and exit with its code; see `exactile.cli.main.main`.

    Ctrl-C ends it at once and without a word while it is still being loaded.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from exactile.cli.main import main as command_line

    command_line()


if __name__ == "__main__":
    main()
