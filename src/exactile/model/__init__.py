"""Models: exact cover with bounds, in flat arrays; made from puzzles, read by backends."""

from exactile.model.lower import lower
from exactile.model.model import Model, decode

__all__ = ["Model", "decode", "lower"]
