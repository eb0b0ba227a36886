"""Pieces that one can hold: meshes for printers, from the cells of a lattice, in millimeters."""
