"""Comparisons of solvers: times and answers on the same instances under the same conditions."""
