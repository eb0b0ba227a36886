"""Boards: which sets of pieces do all of them, and how many solutions a set has on each."""
