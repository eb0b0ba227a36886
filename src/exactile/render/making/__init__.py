"""Meshes of pieces for 3D printers, and outlines for laser cutters, in millimeters."""
