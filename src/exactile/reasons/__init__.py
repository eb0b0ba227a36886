"""Why a puzzle has no solution, or none but those found: colorings, proofs, cores, packings."""
