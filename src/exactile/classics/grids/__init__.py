"""Sudoku and its variants, and queens: puzzles on grids that are exact cover without polyforms."""
