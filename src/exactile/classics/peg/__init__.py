"""Peg solitaire: boards, searches, models, and proofs that a position cannot be reached."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
