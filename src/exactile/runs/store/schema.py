"""The tables of a store."""

from __future__ import annotations

import re

APPLICATION = 0x45584143
"""Number in the header of the file that marks it as a store."""

FORMAT = 1
"""Version of the tables, increased whenever they change."""

SCHEMA = """
CREATE TABLE puzzle (
    digest TEXT PRIMARY KEY,
    statement BLOB NOT NULL
);
CREATE TABLE run (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    model TEXT NOT NULL,
    settings TEXT NOT NULL,
    version TEXT NOT NULL,
    begun REAL NOT NULL,
    next INTEGER NOT NULL,
    answer TEXT
);
CREATE TABLE part (
    run INTEGER NOT NULL,
    number INTEGER NOT NULL,
    origin BLOB NOT NULL,
    weight REAL NOT NULL,
    lost INTEGER NOT NULL,
    cause TEXT NOT NULL,
    prefixes BLOB NOT NULL,
    PRIMARY KEY (run, number)
);
CREATE TABLE total (
    run INTEGER NOT NULL,
    origin BLOB NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (run, origin)
);
CREATE TABLE solutions (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    origin BLOB NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE checkpoint (
    run INTEGER NOT NULL,
    step INTEGER NOT NULL,
    number TEXT NOT NULL,
    PRIMARY KEY (run, step)
);
CREATE TABLE chunk (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    step INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE share (
    run INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    of INTEGER NOT NULL
);
CREATE TABLE session (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE known (
    puzzle TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE census (
    forms INTEGER NOT NULL,
    version TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE judged (
    rank INTEGER PRIMARY KEY,
    nodes INTEGER NOT NULL,
    entry BLOB NOT NULL,
    claim BLOB NOT NULL
);
"""
"""SQL statements that create all tables except that of `SEAL`.

The table `known` has the records of a ledger, by the digest of the puzzle. The tables `census` and
`judged` belong to a census of tilings.
"""

TABLES = tuple(re.findall(r"TABLE (\w+)", SCHEMA))
"""Names of the tables in `SCHEMA`, all of which have a checksum: see `SEAL`."""

LARGE = ("solutions", "chunk")
"""Tables that may take gigabytes; commands that only show the progress do not read them."""

SEAL = "CREATE TABLE seal (sums TEXT NOT NULL)"
"""SQL statement that creates the table of the seal.

It has a single row, with a sum of digests for each other table.
"""
