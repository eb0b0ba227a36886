"""Finding colorings: weights of units that show a puzzle to be unsolvable."""
