"""Puzzles of other programs: reading and writing."""
