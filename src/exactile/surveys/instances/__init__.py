"""A library of puzzles and models to compare solvers, with what is known about their solutions."""
