"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# No clock decides over a test, and a run can be repeated.
settings.register_profile("exactile", deadline=None, derandomize=True)
settings.load_profile("exactile")
