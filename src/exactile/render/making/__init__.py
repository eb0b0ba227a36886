"""Pieces as meshes for 3D printers and as outlines for laser cutters, in millimeters."""
