"""A library of puzzles and models for comparing solvers, with known facts about their solutions."""
