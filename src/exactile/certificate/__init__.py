"""Certificates: what a proof says, and whether it holds, by code that took no part in making it."""
