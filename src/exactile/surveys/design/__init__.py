"""Designing puzzles: challenges with one solution, the fewest clues, grades of difficulty."""
