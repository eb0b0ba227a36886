"""Results of verbs, printed by ``--json``: plain structures that can be written and read back."""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
