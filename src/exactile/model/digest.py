"""A short name for what a model says."""

from __future__ import annotations

import numpy as np

from exactile.model.model import Model


def model_digest(model: Model) -> str:
    """Return a short digest of a model, the same for equal models.

    A region that is moved as a whole makes an equal model.

    Examples
    --------
    >>> model_digest(Model.of_options([[0]], lower=[1], upper=[1]))
    '77e8cd49c9a9b066'
    """
    from hashlib import sha256  # slow to load, and seldom needed

    digest = sha256()
    for array in (model.lower, model.upper, model.first, model.members, model.colors):
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
        digest.update(b"/")
    return digest.hexdigest()[:16]
