"""Variants: a backend with settings behind its name, such as ``sat:glucose4+encoding=bitwise``.

The settings ``encoding``, ``seed``, ``symmetry`` and ``threads`` are ours and replace those of a
request; all others are parameters of the solver. ``method`` is for counts only.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from exactile.backends.base import Backend, Batch, Request, check_encoding
from exactile.errors import BackendError, BackendMissingError, BackendNotFoundError
from exactile.model.model import Model

WORDS = re.compile(r"(.*?)((?:\+[a-z]\w*=[^+=\s]+)*)", re.DOTALL)

METHOD = "method"
"""The setting that names a method of counting in place of a backend's listing."""

TRUTHS = {"yes": True, "no": False}

MOST_THREADS = 1024


class VariantName(NamedTuple):
    """The parts of the name of a variant."""

    backend: str  # the name without settings
    settings: dict[str, str]

    @property
    def words(self) -> str:
        """The settings as they are written after a name."""
        return "".join(f"+{name}={value}" for name, value in self.settings.items())


def parsed(spec: str) -> VariantName:
    """Return the parts of a variant; raise BackendError if a setting occurs twice.

    Examples
    --------
    >>> parsed("sat:glucose4+encoding=bitwise+seed=3")
    VariantName(backend='sat:glucose4', settings={'encoding': 'bitwise', 'seed': '3'})
    >>> parsed("external:solver --depth=3 {cnf}").settings
    {}
    """
    found = WORDS.fullmatch(spec)
    assert found is not None
    pairs = [word.split("=") for word in found[2].split("+")[1:]]
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BackendError(f"'{spec}' sets {twice} twice: leave one out.")
    return VariantName(found[1], {word[0]: word[1] for word in pairs})


def with_method(spec: str, method: str) -> tuple[str, str]:
    """Return a variant without its counting method, and that method or the given one.

    Examples
    --------
    >>> with_method("dlx+method=memo", "auto"), with_method("sat", "auto")
    (('dlx', 'memo'), ('sat', 'auto'))
    """
    name, settings = parsed(spec)
    own = settings.pop(METHOD, method)
    return name + VariantName(name, settings).words, own


def seed_of(spec: str, seed: int) -> int | None:
    """Return the seed that reaches the solver of a variant; None if none does.

    Examples
    --------
    >>> seed_of("sat+seed=3", 7), seed_of("sat", 7), seed_of("dlx", 7)
    (3, 7, None)
    """
    from exactile.backends.registry import get_backend  # which imports this module

    name, settings = parsed(spec)
    if "seed" in settings:
        return int(settings["seed"])
    try:
        return seed if get_backend(name).takes_seed else None
    except (BackendMissingError, BackendNotFoundError):  # it may be a solver that only packs
        return None


class VariedBackend(Backend):
    """A backend with settings of its own.

    `inner`: the backend, configured. `words`: the settings as they are written. `fixed`: those that
    replace values of requests. `symmetric`: whether it may use symmetry.
    """

    def __init__(
        self, inner: Backend, words: str, fixed: Mapping[str, Any], *, symmetric: bool
    ) -> None:
        self.inner = inner
        self._words, self._fixed, self._symmetric = words, fixed, symmetric

    def _asked(self, request: Request) -> Request:
        return replace(request, **self._fixed)

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """Yield all solutions; see `exactile.backends.base.Backend`."""
        yield from self.inner.search(model, self._asked(request))

    def version(self) -> str:
        """Return name and version of the solver."""
        return self.inner.version()

    def choices(self) -> list[str]:
        """Return the solvers that the backend offers."""
        return self.inner.choices()

    def parameters(self, request: Request) -> Mapping[str, int | str]:
        """Return the parameters that the solver gets."""
        return self.inner.parameters(self._asked(request))

    def knows(self, name: str) -> bool:
        """Return whether `configured` accepts a parameter of this name."""
        return self.inner.knows(name)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the backend, which may change during the search, with the settings."""
        return self.inner.name + self._words

    @property
    def takes_seed(self) -> bool:  # type: ignore[override]
        """Whether it uses the seed of a request."""
        return self.inner.takes_seed and "seed" not in self._fixed

    def __getattribute__(self, name: str) -> Any:
        if name in SYMMETRIC and not self._symmetric:
            return False
        return getattr(self.inner, name) if name in INNER else super().__getattribute__(name)


SYMMETRIC = frozenset({"takes_prefixes", "takes_images", "takes_spared"})
"""A backend without these attributes searches for all solutions, images included."""

INNER = frozenset(Backend.__annotations__) - {"name", "takes_seed"}
"""Attributes that are taken from the inner backend."""


def varied(backend: Backend, variant: VariantName) -> Backend:
    """Return a backend with the settings of a variant.

    Raises
    ------
    BackendError
        If it does not use one of them, or a value is wrong.
    """
    own = dict(variant.settings)
    fixed: dict[str, Any] = {}
    if METHOD in own:
        raise BackendError(
            f"'+{METHOD}={own[METHOD]}' is for counting: leave it out, or use `count`."
        )
    if "seed" in own:
        if not backend.takes_seed:
            raise BackendError(
                f"The backend {backend.name} makes no random choices: leave '+seed' out"
                + _or_write("{seed}", variant)
            )
        fixed["seed"] = _number(own.pop("seed"), "seed", 0, 2**31 - 1)
    if "threads" in own:
        if not (backend.takes_workers or own["threads"] == "1"):
            raise BackendError(
                f"The backend {backend.name} does not use threads: leave '+threads' out"
                + _or_write("{threads}", variant)
            )
        fixed["workers"] = _number(own.pop("threads"), "threads", 1, MOST_THREADS)
    if "encoding" in own:
        fixed["encoding"] = own.pop("encoding")
        check_encoding(backend, fixed["encoding"])
    symmetric = own.pop("symmetry", "yes")
    if symmetric not in TRUTHS:
        raise BackendError(f"'+symmetry={symmetric}' says nothing: write yes or no.")
    inner = backend.configured(own) if own else backend
    return VariedBackend(inner, variant.words, fixed, symmetric=TRUTHS[symmetric])


def _or_write(place: str, variant: VariantName) -> str:
    """Return the end of the advice to leave a setting out: commands have another way."""
    return f", or write {place} in the command." if variant.backend[:9] == "external:" else "."


def _number(text: str, name: str, least: int, most: int) -> int:
    """Return the number of a setting."""
    if text.isdecimal() and len(text) < 11 and least <= int(text) <= most:
        return int(text)
    raise BackendError(f"'+{name}={text}' is not a number from {least} to {most:,}.")
