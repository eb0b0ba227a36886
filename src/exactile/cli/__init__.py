"""The command `exactile`, one file for each subcommand."""
