"""The library of instances: what it has, what is known of each, and its files."""
