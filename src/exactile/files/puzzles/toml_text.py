"""Values as TOML: strings, lists and inline tables."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")


def inline(value: Any) -> str:
    r"""Return a value on one line.

    >>> inline({"set": "pentominoes", "omit": ["X"], "a b": 2, "crossing": False})
    '{ set = "pentominoes", omit = ["X"], "a b" = 2, crossing = false }'
    """
    if isinstance(value, Mapping):
        parts = [f"{key(k)} = {inline(v)}" for k, v in value.items()]
        return f"{{ {', '.join(parts)} }}" if parts else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(inline, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return string(value) if isinstance(value, str) else str(value)


def string(text: str) -> str:
    r"""Return a text as a string of TOML.

    >>> print(string('5 "by" 4'), string("a\nb"))
    "5 \"by\" 4" "a\nb"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def key(name: str) -> str:
    """Return a key, in quotes if it needs them.

    >>> key("pentominoes-6x10"), key("a.b")
    ('pentominoes-6x10', '"a.b"')
    """
    return name if BARE.fullmatch(name) else string(name)


def lines(name: str, value: Any) -> list[str]:
    r"""Return the lines that set a key: several for drawings and long lists.

    >>> lines("region.drawing", "#.\n##")[1:3]
    ['#.', '##']
    >>> lines("region.box", [5, 4])
    ['region.box = [5, 4]']
    """
    if isinstance(value, str) and "\n" in value:
        return [f'{name} = """', *value.split("\n"), '"""']
    if isinstance(value, Mapping) and any("\n" in v for v in value.values() if isinstance(v, str)):
        return [line for k, v in value.items() for line in lines(f"{name}.{key(k)}", v)]
    if isinstance(value, list) and len(value) > 1 and isinstance(value[0], Mapping):
        return [f"{name} = [", *(f"  {inline(entry)}," for entry in value), "]"]
    return [f"{name} = {inline(value)}"]
