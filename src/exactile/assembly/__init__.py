"""Taking solutions apart: sequences of translations and quarter turns, and proofs that there are none."""
