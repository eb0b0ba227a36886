"""Pieces, named sets of them, and the generation of polyforms; independent of puzzles."""
