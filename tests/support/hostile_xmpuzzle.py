"""Hostile files of BurrTools, made from right ones with a seed.

Each is read in a process that has 1 GB and, by hand, some seconds of processor::

    PYTHONPATH=tests python -m support.hostile_xmpuzzle --bombs --seconds 5 2000 [FILE ...]
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import resource
import traceback
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random

import numpy as np

from exactile.errors import ExactileError
from exactile.files.foreign.xmpuzzle import parse_xmpuzzle
from exactile.files.foreign.xmpuzzle_parts import GRIDS, Grid

MEGABYTES = 1000
LONGEST = 1000  # of a message
READ = "a file that is read"

CUBES = """<?xml version="1.0"?>
<puzzle version="2">
 <gridType type="0"/>
 <colors><color red="1" green="2" blue="3"/><color red="1" green="2" blue="3"/></colors>
 <shapes>
  <voxel x="2" y="2" z="1" type="0" name="small L" hx="1" hy="1">###_</voxel>
  <voxel x="1" y="1" z="2" type="0">#1#1</voxel>
  <voxel x="2" y="2" z="2" type="0" name="box" weight="2">####+###2</voxel>
  <voxel x="9" y="9" z="9" type="0">CUBE</voxel>
 </shapes>
 <problems>
  <problem name="all of it" state="2" assemblies="3" maxHoles="1">
   <shapes><shape id="0" count="2" group="1"/><shape id="1" min="0" max="1"><group group="2"
    count="1"/></shape></shapes>
   <result id="2"/>
   <bitmap><pair piece="0" result="1"/></bitmap>
   <solutions><solution asmNum="0"><assembly>0 0 0 0 1 1 1 7 x</assembly></solution>
    <solution asmNum="1"><assembly>1 1 0 3 0 0 1 0 0 1 1 2</assembly><separation><pieces
    count="2">0 1</pieces><state><dx>0 0</dx><dy>0 0</dy><dz>0 0</dz></state></separation>
    </solution></solutions>
  </problem>
  <problem><shapes><shape id="1" count="4"/></shapes><result id="2"/></problem>
  <problem name="large"><shapes><shape id="0" min="0" max="300"/></shapes><result id="3"/></problem>
 </problems>
 <comment popup="1">Made by hand.</comment>
</puzzle>
""".replace("CUBE", "#" * 729)

ENTITIES = """<?xml version="1.0"?>
<!DOCTYPE puzzle [<!ENTITY a "##########">
{}]>
<puzzle version="2"><gridType type="0"/><shapes><voxel x="10" y="10" z="10" type="0">&z;</voxel>
</shapes></puzzle>""".format(
    "\n".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghiz"))  # noqa: B905
)

NUMBERS = ["0", "1", "-1", "2", "3", "7", "1000", "99999", "1000000", "1000000000", "4294967295"]
NUMBERS += ["9" * 30, "", "x", "1e9", "0x10", "1.5", " 1", "+1", "\u0663", "1_000", "nan"]


def one_of(grid: Grid) -> str:
    """Return a puzzle on a grid: some cells, to be filled by single ones."""
    lattice = grid.lattice
    shapes = [lattice.origins[0], *lattice.origins[1:4]]
    texts = []
    for units in ([shapes[0]], shapes):
        voxels = [tuple(v) for v in grid.voxels(np.array(units)).tolist()]
        low = [min(0, *axis) for axis in zip(*voxels, strict=True)]
        x, y, z = (max(axis) + 1 for axis in zip(*voxels, strict=True))
        assert min(low) == 0
        signs = (
            "#" if (i, j, k) in voxels else "_"
            for k in range(z)
            for j in range(y)
            for i in range(x)
        )
        texts.append(f'<voxel x="{x}" y="{y}" z="{z}" type="0">{"".join(signs)}</voxel>')
    return (
        f'<puzzle version="2"><gridType type="{grid.number}"/><shapes>{"".join(texts)}</shapes>'
        '<problems><problem><shapes><shape id="0" min="0" max="4"/></shapes><result id="1"/>'
        "<solutions><solution><assembly>0 0 0 0 x x x</assembly></solution></solutions>"
        "</problem></problems></puzzle>"
    )


def right() -> list[bytes]:
    """Return files without faults, one for each grid and one with everything."""
    return [CUBES.encode(), *(one_of(grid).encode() for grid in GRIDS)]


def bombs() -> Iterator[bytes]:
    """Yield files that are small and declare much."""
    head = '<puzzle version="2"><gridType type="{}"/><shapes>{}</shapes><problems><problem><shapes>'
    tail = "{}</shapes><result id='1'/></problem></problems></puzzle>"
    one = '<voxel x="1" y="1" z="1" type="0">#</voxel>'
    use = '<shape id="0" count="{}"/>'

    def file(shapes: str, uses: str = use.format(1), grid: int = 0) -> str:
        return head.format(grid, shapes) + tail.format(uses)

    thousand = '<voxel x="1000" y="1000" z="1000" type="0">'
    signs = '<voxel x="100" y="100" z="100" type="0">' + "#" * 10**6 + "</voxel>"
    long = '<voxel x="1000000" y="1" z="1" type="0">#' + "_" * 999_998 + "#</voxel>"
    full = '<voxel x="50" y="50" z="400" type="0">' + "#" * 10**6 + "</voxel>"
    texts = [
        ENTITIES,
        "<a>" * 100_000,
        "<puzzle>" + "<a/>" * 600_000 + "</puzzle>",
        '<puzzle version="2" ' + " ".join(f'a{k}="1"' for k in range(300_000)) + "/>",
        file(one + thousand + "#</voxel>"),
        file(one + thousand + "#" * 10_000_000 + "</voxel>"),
        file(one + '<voxel x="1000000000" y="1" z="1" type="0">#</voxel>'),
        file(one + signs),
        file(one + signs, use.format(10**9)),
        file(one + signs, use.format(10**6)),
        file(long + signs),
        file(full + full),
        *(file(long + signs.replace("#", "+"), grid=grid) for grid in range(5)),
        file(one * 300_000 + signs),
        file(one + signs, use.format(1) * 300_000),
        file("".join(f'<voxel x="1" y="1" z="1" type="0">#{c}</voxel>' for c in range(100_000))),
        file(one + one + one, '<shape id="0"><group group="1" count="1"/></shape>' * 50_000),
        file(one + '<voxel x="100" y="100" z="1" type="0">' + "#1" * 10**4 + "</voxel>")
        .replace("</shapes><result", "</shapes><bitmap>" + '<pair piece="0" result="9"/>' * 200_000)
        .replace("<bitmap>", "</shapes><bitmap>")
        .replace("<shapes><shape", "<shapes><shape", 1),
        file(one + one).replace("<problem>", "<problem name='" + "n" * 10_000_000 + "'>"),
        file(one + one).replace("</problems>", "<problem/>" * 400_000 + "</problems>"),
        file(one + one).replace(
            "</problem>",
            "<solutions>"
            + "<solution><assembly>0 0 0 0</assembly></solution>" * 150_000
            + "</solutions></problem>",
        ),
        file(one + one).replace(
            "</problem>",
            f"<solutions><solution><assembly>{'0 ' * 20_000_000}</assembly></solution></solutions>"
            "</problem>",
        ),
        file(one + signs, use.format(10**6)).replace(
            "</problem>",
            f"<solutions><solution><assembly>{'0 0 0 0 ' * 10**6}</assembly></solution></solutions>"
            "</problem>",
        ),
    ]
    for text in texts:
        yield gzip.compress(text.encode(), 1)
    yield gzip.compress(b" " * 10**9, 9)
    yield gzip.compress(gzip.compress(b"#" * 10**8, 9), 9)
    yield b"\x1f\x8b" + bytes(100)
    yield gzip.compress(CUBES.encode()) * 3
    yield "\ufeff".join(CUBES).encode("utf-16")
    yield CUBES.replace("?>", ' encoding="utf-7"?>', 1).encode()
    yield CUBES.replace("?>", ' encoding="' + "x" * 10**6 + '"?>', 1).encode()


def hostile(random: Random, files: list[bytes]) -> bytes:
    """Return a file after some attacks on its elements, and perhaps packed."""
    text = random.choice(files)
    for _ in range(random.choice([1, 1, 2, 3, 8])):
        text = attacked(random, text)
    if random.random() < 0.3:
        text = gzip.compress(text)
        if random.random() < 0.3:
            at = random.randrange(len(text))
            text = text[:at] + random.randbytes(random.randrange(3)) + text[at + 1 :]
    return text


def attacked(random: Random, text: bytes) -> bytes:
    """Return a file after one attack."""

    def cut(pattern: bytes, new: bytes) -> bytes:
        found = list(re.finditer(pattern, text, re.DOTALL))
        if not found:
            return text
        begin, end = random.choice(found).span(1)
        return text[:begin] + new + text[end:]

    number = random.choice(NUMBERS).encode()
    element = rb"(<(\w+)[^<>]*(?:/>|>[^<>]*</\2>))"
    match random.randrange(9):
        case 0 | 1:
            return cut(rb'="(\d+)"', number)
        case 2:
            return cut(element, b"")
        case 3:
            found = list(re.finditer(element, text))
            more = random.choice(found)[0] if found else b""
            return cut(element, more * random.choice([2, 2, 30, 3000]))
        case 4:
            return cut(rb">([#+_\d ]+)<", random.choice([b"", b"#", b"#" * 10**5, b"+" * 8, b"#9"]))
        case 5:
            return cut(rb"[ >](-?\w+)[ <]", random.choice([number, b"x", b"-5", b"&#0;", b"&x;"]))
        case 6:
            return cut(rb"\s(\w+)=", random.choice([b"x", b"count", b"id", b"min", b"type"]))
        case 7:
            at = random.randrange(len(text) + 1)
            return (
                text[:at]
                + random.randbytes(random.randrange(4))
                + text[at + random.choice([0, 1, 9]) :]
            )
        case _:
            at = random.randrange(len(text) + 1)
            return text[:at]


def told(data: bytes) -> str:
    """Read a file; return its error, or nothing."""
    try:
        parse_xmpuzzle("hostile.xmpuzzle", data)
    except ExactileError as error:
        return str(error)
    return ""


def limited(data: bytes, most: int) -> tuple[str, float, int]:
    """Read a file in a process of its own; return what came of it, seconds, and megabytes."""
    read, write = os.pipe()
    process = os.fork()
    if process == 0:
        size = MEGABYTES << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        try:
            words = told(data) or READ
        except BaseException:
            words = "FAULT " + traceback.format_exc()[-1500:]
        os.write(write, words.encode("utf-8", "replace")[:60_000])
        os._exit(0)
    os.close(write)
    _, status, used = os.wait4(process, 0)
    with os.fdopen(read, "rb") as stream:
        words = stream.read().decode("utf-8", "replace")
    if status:
        words = f"FAULT killed: {status} {words}"
    return words, used.ru_utime + used.ru_stime, used.ru_maxrss >> 10


def main() -> None:
    """Try mutations, and bombs too if there are none, and print what is wrong and the worst."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("mutations", type=int)
    arguments.add_argument("--bombs", action="store_true")
    arguments.add_argument("--seconds", type=int, default=resource.RLIM_INFINITY)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("files", nargs="*", type=Path)
    given = arguments.parse_args()
    random, files = Random(given.seed), right()
    assert not any(map(told, files)), [*map(told, files)]
    for path in given.files:
        data = path.read_bytes()
        files.append(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    mutated = (hostile(random, files) for _ in range(given.mutations))
    every = chain(bombs() if given.bombs else (), mutated)
    endings: Counter[str] = Counter(faults=0)
    slowest, largest = 0.0, 0
    for number, data in enumerate(every):
        words, seconds, megabytes = limited(data, given.seconds)
        if words.startswith("FAULT") or "\n" in words or len(words) > LONGEST:
            print(f"{number}, {len(data)} bytes, {seconds:.2f} s, {megabytes} MB: {words[-2000:]}")
            endings["faults"] += 1
        else:
            endings["read" if words == READ else "refused"] += 1
        slowest, largest = max(slowest, seconds), max(largest, megabytes)
    print(dict(endings), f"slowest {slowest:.2f} s, largest {largest} MB")


if __name__ == "__main__":
    main()
