"""Puzzle files and the catalogue: reading, and writing in a readable form."""
