"""Runs: searches that are cut into parts, stored, resumed, and shared between machines."""
