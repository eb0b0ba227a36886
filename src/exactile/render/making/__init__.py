"""Pieces as meshes for 3D printers, from the cells of a lattice, in millimeters."""
