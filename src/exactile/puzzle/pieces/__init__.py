"""Polyforms: pieces, named sets, generation. Knows nothing about puzzles."""
