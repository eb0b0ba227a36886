"""Designing puzzles: clues that leave one solution, the fewest such clues, and difficulty."""
