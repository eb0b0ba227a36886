"""Models: exact cover with bounds, in flat arrays; made from puzzles, read by backends."""

from exactile.model.decoder import decode
from exactile.model.model import ItemKind, Meaning, Model

__all__ = ["ItemKind", "Meaning", "Model", "decode"]
