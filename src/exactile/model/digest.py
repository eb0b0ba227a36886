"""A digest of a model's contents."""

from __future__ import annotations

import numpy as np

from exactile.model.model import Model


def model_digest(model: Model) -> str:
    """Return a short digest of a model, the same for equal models.

    Moving a region as a whole does not change the digest.

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
