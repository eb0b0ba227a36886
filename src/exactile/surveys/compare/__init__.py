"""Solvers on the same instances on equal terms, and whether their answers agree."""
