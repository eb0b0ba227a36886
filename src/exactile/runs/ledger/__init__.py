"""The ledger: what is known about the solutions of every puzzle of the catalogue, and how."""
