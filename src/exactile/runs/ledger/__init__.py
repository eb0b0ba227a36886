"""The ledger: what is known of the solutions of every puzzle of the catalogue, and how."""
