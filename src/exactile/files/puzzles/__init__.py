"""Puzzle files and the catalogue: read, and written so that people can read them."""
