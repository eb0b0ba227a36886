"""The tables of a store."""

from __future__ import annotations

import re

APPLICATION = 0x45584143
"""Our number in the head of the file."""

FORMAT = 5
"""Its version: it grows with every change of the tables. An older store gets the tables that it
lacks when it is written; until then it is read as it is."""

SEALED = 4
"""The first version with a seal."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS puzzle (
    digest TEXT PRIMARY KEY,
    statement BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS run (
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
CREATE TABLE IF NOT EXISTS part (
    run INTEGER NOT NULL,
    number INTEGER NOT NULL,
    origin BLOB NOT NULL,
    weight REAL NOT NULL,
    lost INTEGER NOT NULL,
    cause TEXT NOT NULL,
    prefixes BLOB NOT NULL,
    PRIMARY KEY (run, number)
);
CREATE TABLE IF NOT EXISTS total (
    run INTEGER NOT NULL,
    origin BLOB NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (run, origin)
);
CREATE TABLE IF NOT EXISTS solutions (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    origin BLOB NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS checkpoint (
    run INTEGER NOT NULL,
    step INTEGER NOT NULL,
    number TEXT NOT NULL,
    PRIMARY KEY (run, step)
);
CREATE TABLE IF NOT EXISTS chunk (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    step INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS share (
    run INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    of INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS session (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS known (
    puzzle TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS record (
    id TEXT PRIMARY KEY,
    status TEXT,
    data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS census (
    forms INTEGER NOT NULL,
    version TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS judged (
    rank INTEGER PRIMARY KEY,
    nodes INTEGER NOT NULL,
    entry BLOB NOT NULL,
    claim BLOB NOT NULL
);
"""
"""`known` is what a ledger knows of puzzles, by their digests, and `record` the same by their
names, which is all that the ledgers of earlier versions have; `census` and `judged` are of one
census of tilings."""

TABLES = tuple(re.findall(r"EXISTS (\w+)", SCHEMA))
"""All that are sealed, in their order: see `exactile.store.seal`."""

LARGE = ("solutions", "chunk")
"""Those that may have gigabytes: nobody reads them who only looks how far a run is."""

LATER = ("census", "judged")
"""Those that stores of format 4 lack."""

SEAL = "CREATE TABLE IF NOT EXISTS seal (sums TEXT NOT NULL)"
"""What they are compared with, in one row; there since format 4."""
