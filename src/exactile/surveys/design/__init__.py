"""Designing puzzles: clues that leave one solution, as few as possible, and grades of difficulty."""
