"""Certificates: their contents and their verification, independent of the code that makes them."""
