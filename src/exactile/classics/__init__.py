"""Classic puzzles that are no polyforms: sudokus, queens, peg solitaire."""
