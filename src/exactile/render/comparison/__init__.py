"""Comparisons of backends as text, as plots and as a page."""
