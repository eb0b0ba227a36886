"""Polyforms: pieces, named sets, generation. This package does not depend on puzzles."""
