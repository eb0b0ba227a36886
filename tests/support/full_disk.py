"""For processes in which a limit on the size of files stands for a disk that is full."""

from __future__ import annotations

import os

ENVIRONMENT = os.environ | {"NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""Python itself would keep the beginnings of compiled modules, which break what imports them."""
