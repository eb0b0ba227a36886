"""One lattice a file; each is found through an entry point of the group `exactile.lattices`."""
