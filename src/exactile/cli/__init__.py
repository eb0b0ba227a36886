"""The command `exactile`, one file a subcommand."""
