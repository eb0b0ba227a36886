"""The command `exactile` and its subcommands."""
