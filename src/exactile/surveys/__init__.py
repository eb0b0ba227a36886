"""Tasks that take many searches.

Examples are comparisons of solvers, the design of puzzles with one solution, and censuses of the
polyforms that tile the plane.
"""
