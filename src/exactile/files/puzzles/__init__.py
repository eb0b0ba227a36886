"""Puzzle files and the catalogue: reading and writing."""
