"""The library of instances: its contents, what is known about each, and its files."""
