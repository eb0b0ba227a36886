"""Comparisons of solvers on the same instances under the same conditions, and of their answers."""
