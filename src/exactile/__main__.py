"""``python -m exactile``: the command line."""

from exactile.cli.main import main

if __name__ == "__main__":
    main()
