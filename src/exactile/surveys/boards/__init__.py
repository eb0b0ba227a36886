"""Boards: the sets of pieces that fill all of them, and the number of solutions on each."""
