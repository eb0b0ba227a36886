"""The ledger: the numbers of solutions of the puzzles in the catalogue, and how they were found."""
