"""Searches as runs: made of parts that others may search, kept in a store, resumed, joined."""
