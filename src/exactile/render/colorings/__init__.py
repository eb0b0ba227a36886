"""Colorings drawn, and their argument in words."""
