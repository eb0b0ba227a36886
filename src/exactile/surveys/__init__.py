"""All solutions of a puzzle, sorted by similarity; all choices of some of its pieces."""
