"""Models: exact cover with bounds, in flat arrays; made from puzzles, read by backends."""

from exactile.model.decoder import decode
from exactile.model.meaning import ItemKind, Meaning
from exactile.model.model import Model

__all__ = ["ItemKind", "Meaning", "Model", "decode"]
