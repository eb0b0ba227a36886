"""The JSON schema of each command's output. Run as a module, it writes all of them to a folder."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from exactile import answers
from exactile.answers.base import Answer
from exactile.atomic import written

ANSWERS: dict[str, tuple[type[Answer], ...]] = {
    "list": (answers.PuzzleList,),
    "show": (answers.PuzzleFacts, answers.FactsTable),
    "solve": (
        answers.SolutionList,
        answers.SubsetSolutions,
        answers.ModelSolutions,
        answers.Count,
        answers.AssemblyCount,
        answers.SolutionTable,
    ),
    "takeapart": (answers.DisassemblyList,),
    "make": (answers.MadeList,),
    "count": (
        answers.Count,
        answers.AssemblyCount,
        answers.SubsetCounts,
        answers.ModelSolutions,
        answers.CountTable,
    ),
    "subsets": (answers.Survey,),
    "design": (answers.ChallengeList, answers.GradeList, answers.BoardSurvey),
    "sample": (answers.Sample,),
    "estimate": (answers.Estimate,),
    "prove": (answers.Verdict, answers.VerdictTable),
    "coloring": (answers.ColoringAnswer,),
    "explain": (answers.Explanation,),
    "pack": (answers.Packing,),
    "compare": (answers.ComparisonAnswer,),
    "instances": (answers.InstanceList,),
    "check": (answers.FileCheck,),
    "verify-certificate": (
        answers.VerifiedClaim,
        answers.VerifiedTilingClaim,
        answers.TilingCensus,
    ),
    "tile": (answers.TilingAnswer, answers.TilingCensus),
    "peg": (answers.PegAnswer,),
    "sudoku": (answers.SudokuFile,),
    "queens": (answers.QueensAnswer,),
    "pieces": (answers.PolyformList,),
    "classes": (answers.SimilarityClasses,),
    "resume": (answers.Count, answers.AssemblyCount, answers.Verdict, answers.TilingCensus),
    "status": (answers.StoreStatus, answers.TilingCensus),
    "solutions": (answers.SolutionList,),
    "merge": (answers.JoinedStore,),
    "work": (answers.StoreStatus,),
    "catalogue": (answers.LedgerSummary,),
    "backends": (answers.BackendList,),
    "help": (answers.OptionList,),
}
"""The classes of the answers that each command prints with ``--json``, depending on its options."""


def schema(command: str) -> dict[str, Any]:
    """Return the JSON schema of a command's output with ``--json``; raise KeyError if it has none.

    Examples
    --------
    >>> sorted(schema("count")["$defs"])[:4]
    ['AssemblyCount', 'Count', 'CountTable', 'FailedPuzzle']
    """
    kinds, parts = msgspec.json.schema_components(ANSWERS[command])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"exactile {command} --json",
        **({"anyOf": list(kinds)} if len(kinds) > 1 else kinds[0]),
        "$defs": {name: _described(part) for name, part in sorted(parts.items())},
    }


def _described(part: dict[str, Any]) -> dict[str, Any]:
    """Return a definition of the schema with a description of each property.

    The descriptions come from the attributes in the docstring of the class.
    """
    docstring = inspect.cleandoc(part.get("description", ""))
    text, _, attributes = docstring.partition("\n\nAttributes\n----------\n")
    words: dict[str, str] = {}
    names: list[str] = []
    for line in attributes.splitlines():
        if line[:1].isspace():
            words |= {name: f"{words.get(name, '')} {line.strip()}".strip() for name in names}
        else:
            names = line.split(", ")
    properties = {
        name: {"description": words[name], **schema} if name in words else schema
        for name, schema in part.get("properties", {}).items()
    }
    given = {"description": " ".join(text.split())} if text else {}
    return {**part, **given, **({"properties": properties} if properties else {})}


def text(command: str) -> str:
    """Return the schema in the form of the file ``docs/schema/COMMAND.json``."""
    return json.dumps(schema(command), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the schema of every command to the folder that the command line names."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for command in ANSWERS:
        with written(folder / f"{command}.json") as stream:
            stream.write(text(command))


if __name__ == "__main__":
    main()
