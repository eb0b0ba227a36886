"""Taking solutions apart: sequences of translations, and proofs that there are none."""
