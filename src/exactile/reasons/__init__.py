"""Why a puzzle has no solution, or no more: colorings, proofs, cores, packings."""
