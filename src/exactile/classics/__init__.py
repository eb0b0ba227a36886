"""Classic puzzles without polyforms: sudokus, queens and peg solitaire."""
