"""Exact cover models with bounds, in flat arrays: made from puzzles, searched by backends."""

from exactile.model.decoder import decode
from exactile.model.model import ItemKind, Meaning, Model

__all__ = ["ItemKind", "Meaning", "Model", "decode"]
