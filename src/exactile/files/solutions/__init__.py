"""Solution files, written and read."""
