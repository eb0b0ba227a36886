"""One file for each lattice, found through an entry point of the group `exactile.lattices`."""
