"""Formats of models: exact-cover problems, formulas, programs, JSON."""
