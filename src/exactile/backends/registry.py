"""Backends by name, and variants with settings, such as ``sat:glucose4+encoding=bitwise``.

A backend is a module of the package `exactile.backends`, or an entry point of the group
``exactile.backends``.

A *variant* is a name with settings. The settings ``encoding``, ``seed`` and ``threads`` replace
values of a request; ``symmetry=no`` keeps the search from using symmetry. ``method`` names a method
of counting. All other settings are parameters of the solver.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from exactile import plugins
from exactile.backends.base import Backend, Batch, Request, check_encoding
from exactile.doors import door
from exactile.errors import BackendError, BackendMissingError, BackendNotFoundError, suggestion
from exactile.model.model import Model
from exactile.wanted import seen

WORDS = re.compile(r"(.*?)((?:\+[a-z]\w*=[^+=\s]+)*)", re.DOTALL)

METHOD = "method"
"""Name of the setting for a method of counting, as in ``dlx+method=memo``."""

TRUTHS = {"yes": True, "no": False}

MOST_THREADS = 1024


class VariantName(NamedTuple):
    """The parts of the name of a variant, such as ``sat+seed=3``: the backend and its settings."""

    backend: str  # the name without settings
    settings: dict[str, str]

    @property
    def words(self) -> str:
        """The settings as text that follows the name of the backend, such as ``+seed=3``."""
        return "".join(f"+{name}={value}" for name, value in self.settings.items())


def parsed(spec: str) -> VariantName:
    """Return the parts of the name of a variant; raise BackendError if a setting occurs twice.

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
    """Return the name of a variant without the setting ``method``, and the value of this setting.

    If the name does not have the setting, the value is `method`. Raise BackendError if the setting
    differs from `method`, unless `method` is ``"auto"`` or empty. Raise BackendError also if a
    setting occurs twice, or if the setting is ``memo`` or ``frontier`` and the backend is not the
    default one: others only list solutions.

    Examples
    --------
    >>> with_method("dlx+method=memo", "auto"), with_method("sat", "auto")
    (('dlx', 'memo'), ('sat', 'auto'))
    """
    name, settings = parsed(spec)
    own = settings.pop(METHOD, method)
    if method not in ("", "auto", own):
        raise BackendError(
            f"'{spec}' counts by the method '{own}', but the method '{method}' is asked for: leave "
            "one out."
        )
    if own in ("memo", "frontier") and name != plugins.DEFAULT_BACKEND:
        raise BackendError(
            f"The backend {name} lists solutions: leave it or the method '{own}' out, or write "
            f"{plugins.DEFAULT_BACKEND} in its place."
        )
    return name + VariantName(name, settings).words, own


def seed_of(spec: str, seed: int) -> int | None:
    """Return the seed that the solver of a variant gets; None if it does not use seeds.

    `seed`: the seed of the request, used if the variant has no setting ``seed``. Raise BackendError
    if a setting occurs twice, ValueError if the value of the setting ``seed`` is not an integer.

    Examples
    --------
    >>> seed_of("sat+seed=3", 7), seed_of("sat", 7), seed_of("dlx", 7)
    (3, 7, None)
    """
    name, settings = parsed(spec)
    if "seed" in settings:
        return int(settings["seed"])
    try:
        return seed if get_backend(name).takes_seed else None
    except (BackendMissingError, BackendNotFoundError):  # it may be a solver that only packs
        return None


class VariedBackend(Backend):
    """A backend with settings, such as ``sat+seed=3``.

    `inner`: the backend with the parameters of its solver, but without the other settings. `words`:
    the settings as text, such as ``+seed=3``. `fixed`: attributes of every request that are
    replaced, with their new values. `symmetric`: whether the search may use symmetry.
    """

    def __init__(
        self, inner: Backend, words: str, fixed: Mapping[str, Any], *, symmetric: bool
    ) -> None:
        self.inner = inner
        self._words, self._fixed, self._symmetric = words, fixed, symmetric

    def _asked(self, request: Request) -> Request:
        return replace(request, **self._fixed)

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        yield from self.inner.search(model, self._asked(request))

    def version(self) -> str:
        return self.inner.version()

    def choices(self) -> list[str]:
        return self.inner.choices()

    def parameters(self, request: Request) -> Mapping[str, int | str]:
        return self.inner.parameters(self._asked(request))

    def knows(self, name: str) -> bool:
        return self.inner.knows(name)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the inner backend, which may change during a search, and the settings."""
        return self.inner.name + self._words

    @property
    def takes_seed(self) -> bool:  # type: ignore[override]
        """Whether the seed of a request has an effect; False if a setting replaces it."""
        return self.inner.takes_seed and "seed" not in self._fixed

    def __getattribute__(self, name: str) -> Any:
        if name in SYMMETRIC and not self._symmetric:
            return False
        return getattr(self.inner, name) if name in INNER else super().__getattribute__(name)


SYMMETRIC = frozenset({"takes_prefixes", "takes_images", "takes_spared"})
"""Attributes of `Backend` that allow a search to use symmetry; all False for ``symmetry=no``."""

INNER = frozenset(Backend.__annotations__) - {"name", "takes_seed"}
"""Attributes of a `VariedBackend` that have the value of its inner backend."""


def varied(backend: Backend, variant: VariantName) -> Backend:
    """Return a backend with the settings of a variant.

    Raises
    ------
    BackendError
        If the backend does not use a setting, or a value is wrong.
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
    """Return the end of an error message that advises leaving a setting out.

    For most backends, it is a period. For ``external:CMD``, it offers an alternative: to write
    `place`, such as ``{seed}``, in the command.
    """
    return f", or write {place} in the command." if variant.backend[:9] == "external:" else "."


def _number(text: str, name: str, least: int, most: int) -> int:
    if text.isdecimal() and len(text) < 11 and least <= int(text) <= most:
        return int(text)
    raise BackendError(f"'+{name}={text}' is not a number from {least} to {most:,}.")


GROUP = "exactile.backends"


@door
def backend_names() -> list[str]:
    """Return the names of all backends, sorted, including those whose packages are missing.

    Examples
    --------
    >>> {"cpsat", "dlx", "reference", "sat"} <= set(backend_names())
    True
    """
    return plugins.names(GROUP)


def as_backend(given: str | Backend) -> Backend:
    """Return the backend with the name `given`, or `given` itself if it has a method `search`.

    Raise BackendNotFoundError if `given` is not a name and has no such method; other errors are
    those of `get_backend`.
    """
    if isinstance(given, str):
        return get_backend(given)
    if not hasattr(given, "search"):
        raise BackendNotFoundError(f"A backend is a name, or has a method `search`: not {given!r}.")
    return given


def get_backend(spec: str) -> Backend:
    """Return the backend with a name; a solver may follow a colon, as in ``sat:cadical195``.

    Settings may follow: ``cpsat+linearization_level=2+seed=3``; see `exactile.backends.registry`.
    Raise BackendNotFoundError if there is no such backend or solver, BackendMissingError if the
    backend cannot be loaded or a package or program that it needs is not installed, BackendError if
    the backend does not use a setting, a setting occurs twice, or a value is wrong.

    Examples
    --------
    >>> get_backend("sat").name, get_backend("sat+encoding=bitwise").name
    ('sat:cadical195', 'sat:cadical195+encoding=bitwise')
    """
    variant = parsed(spec)
    if variant.settings:
        return varied(get_backend(variant.backend), variant)
    name, colon, choice = spec.partition(":")
    try:
        load = plugins.named("exactile.backends", name, "backend", GROUP)
        factory = load and load()
    except ImportError as error:
        raise BackendMissingError(
            f"The backend '{name}' cannot be loaded: {error}. Install what it needs."
        ) from error
    except AttributeError as error:
        raise BackendMissingError(f"The backend '{name}' cannot be loaded: {error}.") from error
    if factory is None:
        known = backend_names()
        hint = suggestion(name, known) or _with_owner(name)
        raise BackendNotFoundError(
            f"There is no backend '{name}'.{hint} Known: {', '.join(known)}."
        )
    if colon and not choice and name != "external":  # which asks for the program itself
        raise BackendNotFoundError(f"'{spec}' names no choice after the colon: write '{name}'.")
    made = factory(choice or None)
    if not isinstance(made, Backend):
        raise BackendNotFoundError(
            f"The entry point of the backend '{name}' returned {seen(made)}; return a Backend."
        )
    return made


def _with_owner(choice: str) -> str:
    """Return a hint if `choice` is the beginning of the name of a solver; else an empty string."""
    for name in backend_names() if choice else ():
        with suppress(BackendMissingError, BackendNotFoundError):
            choices = get_backend(name).choices()
            if found := [each for each in choices if each.startswith(choice.casefold())]:
                meant = choice if choice in found else found[-1]
                return f" Did you mean '{name}:{meant}'?"
    return ""


def usable() -> list[Backend]:
    """Return the backends whose packages are installed, sorted by name.

    Examples
    --------
    >>> {"auto", "dlx", "reference"} <= {backend.name for backend in usable()}
    True
    """
    found = []
    for name in backend_names():
        with suppress(BackendMissingError):
            found.append(get_backend(name))
    return found


def racers(when: str) -> list[Backend]:
    """Return the installed backends with the role `when` in ``auto``; see `Backend.races`.

    Examples
    --------
    >>> [backend.name for backend in racers("chance")]
    ['first']
    """
    return [backend for backend in usable() if backend.races == when]
