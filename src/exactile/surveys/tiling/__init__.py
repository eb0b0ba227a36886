"""Tilings of the plane and of space by copies of prototiles."""
