"""CP-SAT loaded without pandas, which is two thirds of its start and which we do not need."""

from __future__ import annotations

import sys
from contextlib import suppress
from types import ModuleType
from typing import Any


def import_lean() -> None:
    """Import CP-SAT with a stand-in for pandas, in a process of Exactile alone.

    OR-Tools imports pandas for those of its functions that take and return its series. If it asks
    for more than their types, or if either is loaded already, nothing is done; a later
    import of pandas gets the real one.

    Examples
    --------
    >>> import_lean()
    >>> from ortools.sat.python import cp_model
    >>> cp_model.CpModel().new_bool_var("a").name
    'a'
    """
    if "pandas" in sys.modules or "ortools.sat.python.cp_model" in sys.modules:
        return
    stand_in = ModuleType("pandas")
    for name in ("Index", "Series"):
        setattr(stand_in, name, type(name, (), {}))
    sys.modules["pandas"] = stand_in
    try:
        with suppress(AttributeError, ImportError):
            from ortools.sat.python import cp_model  # noqa: F401
    finally:
        del sys.modules["pandas"]


def default_parameters() -> Any:
    """Return CP-SAT's parameters at their defaults; its models are not loaded for that.

    Examples
    --------
    >>> default_parameters().random_seed
    1
    """
    try:
        from ortools.sat.python.cp_model_helper import SatParameters
    except ImportError:  # they were elsewhere in earlier versions
        from ortools.sat.python import cp_model

        return cp_model.CpSolver().parameters
    return SatParameters()
