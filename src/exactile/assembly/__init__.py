"""Taking solutions apart: sequences of moves, and proofs that there are none."""
