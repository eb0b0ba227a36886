"""Proof checkers that anybody can read, slow, as second opinions: they share nothing with ours.

Both return the number of the line at which a proof is refused, 0 if it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LARGEST = (2**63 - 1) // 16


class BadLineError(Exception):
    """This line is not a step of a proof."""


def steps(proof: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the lines that are neither empty nor comments, with their numbers."""
    for number, line in enumerate(proof.split(b"\n"), start=1):
        if (line := line.strip(b" \t\r")) and not line.startswith(b"c"):
            yield number, re.split(rb"[ \t\r]+", line)


def numbers(words: list[bytes]) -> list[list[int]]:
    """Return the numbers, in the parts that a 0 closes."""
    parts: list[list[int]] = [[]]
    for word in words:
        if not re.fullmatch(rb"0+|-?0*[1-9][0-9]*", word) or abs(int(word)) > LARGEST:
            raise BadLineError
        if value := int(word):
            parts[-1].append(value)
        else:
            parts.append([])
    if parts.pop():
        raise BadLineError
    return parts


def literals(part: list[int], variables: int) -> list[int]:
    """Return a clause, if it is one."""
    if len(part) > 2 * variables or any(abs(x) > variables for x in part):
        raise BadLineError
    return part


def closure(clauses: list[frozenset[int]], true: set[int]) -> set[int] | None:
    """Return what follows by unit propagation, None at a conflict."""
    true = set(true)
    while True:
        if any(-x in true for x in true):
            return None
        before = len(true)
        for clause in clauses:
            if not clause & true:
                left = [x for x in clause if -x not in true]
                if not left:
                    return None
                if len(left) == 1:
                    true.add(left[0])
        if len(true) == before:
            return true


def naive_drup(clauses: list[list[int]], variables: int, proof: bytes) -> int:
    """Check a DRUP proof; what follows from the clauses alone stays when clauses are deleted."""
    known = [frozenset(clause) for clause in clauses]
    true = closure(known, set())
    try:
        for number, words in steps(proof):
            deletion = words[0] == b"d"
            (part,) = numbers(words[deletion:])
            clause = frozenset(literals(part, variables))
            if deletion:
                if len(clause) > 1 and clause in known:
                    known.remove(clause)
                continue
            if true is not None and closure(known, true | {-x for x in clause}) is not None:
                return number
            if not clause:
                return 0
            known.append(clause)
            true = None if true is None else closure(known, true)
    except (BadLineError, ValueError):
        return number
    return proof.count(b"\n") + 1


def naive_lrat(clauses: list[list[int]], variables: int, proof: bytes) -> int:
    """Check an LRAT proof; what follows after a conflict in a list of hints does not matter."""
    known = dict(enumerate(clauses, start=1))
    last = len(clauses)
    try:
        for number, (name, *words) in steps(proof):
            ((identity,),) = numbers([name, b"0"])
            if identity < 1:
                return number
            if words[:1] == [b"d"]:
                for gone in numbers(words[1:])[0]:
                    del known[gone]
                if len(numbers(words[1:])) > 1:
                    return number
                continue
            lemma, hints = numbers(words)
            if identity <= last or not follows(known, literals(lemma, variables), hints):
                return number
            if not lemma:
                return 0
            known[identity] = lemma
            last = identity
    except (BadLineError, ValueError, LookupError):
        return number
    return proof.count(b"\n") + 1


def follows(known: dict[int, list[int]], lemma: list[int], hints: list[int]) -> bool:
    """Return whether the hints, one after the other, lead to a conflict."""
    false = set(lemma)
    conflict = False
    for hint in hints:
        if hint < 0:
            return False
        if not conflict:
            left = set(known[hint]) - false
            if len(left) > 1:
                return False
            conflict = not left
            false |= {-x for x in left}
    return conflict
