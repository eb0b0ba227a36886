"""Classic puzzles that are not polyforms: sudokus, queens, peg solitaire."""
