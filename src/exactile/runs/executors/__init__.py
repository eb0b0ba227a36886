"""Executors of the parts of a run, one in each module."""
