"""Puzzles of other programs, read and written."""
