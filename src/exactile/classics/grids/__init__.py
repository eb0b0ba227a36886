"""Sudoku and its variants, and queens: exact-cover puzzles on grids, without polyforms."""
