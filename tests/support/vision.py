"""How far apart colors are for those who see all of them, and for those who do not.

Dichromats by the matrices of Machado, Oliveira and Fernandes (2009); differences by CIEDE2000.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

KINDS = {
    "all": np.eye(3),
    "no red": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no green": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no blue": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}

XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def linear(colors: Sequence[str]) -> Array:
    """Return colors such as ``#80ff00`` in proportion to their light."""
    parts = [[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in colors]
    shares = np.array(parts)
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def luminance(color: str) -> float:
    """Return how light a color is, from 0 to 1."""
    return float((linear([color])[0] @ XYZ.T)[1])


def lab(light: Array) -> Array:
    """Return CIE L*a*b*."""
    part = light @ XYZ.T / (XYZ @ np.ones(3))
    f = np.where(part > 216 / 24389, np.cbrt(part), (24389 / 27 * part + 16) / 116)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def differences(colors: Sequence[str], kind: str = "all") -> Array:
    """Return how far apart any two colors are for a kind of vision, by CIEDE2000."""
    seen = lab(np.clip(linear(colors) @ KINDS[kind].T, 0, 1))
    return ciede2000(seen[:, None], seen[None])


def ciede2000(one: Array, two: Array) -> Array:
    """Return the difference of colors in CIE L*a*b*."""
    mean = (np.hypot(one[..., 1], one[..., 2]) + np.hypot(two[..., 1], two[..., 2])) / 2
    stretch = 1 + 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    chroma, hue = [], []
    for color in (one, two):
        a, b = stretch * color[..., 1], color[..., 2] + 0 * mean
        chroma.append(np.hypot(a, b))
        hue.append(np.degrees(np.arctan2(b, a)) % 360)
    turn = (hue[1] - hue[0] + 180) % 360 - 180
    apart = 2 * np.sqrt(chroma[0] * chroma[1]) * np.sin(np.radians(turn / 2))
    middle = (hue[0] + turn / 2) % 360
    light, c = (one[..., 0] + two[..., 0]) / 2, (chroma[0] + chroma[1]) / 2
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    t = 1 + sum(w * np.cos(np.radians(n * middle + shift)) for w, n, shift in waves)
    by_light = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    rest = 2 * np.sqrt(c**7 / (c**7 + 25.0**7))
    swing = -rest * np.sin(np.radians(60 * np.exp(-(((middle - 275) / 25) ** 2))))
    x = (chroma[1] - chroma[0]) / (1 + 0.045 * c)
    y = apart / (1 + 0.015 * c * t)
    z = (two[..., 0] - one[..., 0]) / by_light
    return np.asarray(np.sqrt(np.maximum(x**2 + y**2 + z**2 + swing * x * y, 0)))
