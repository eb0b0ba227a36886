"""The published schemas are those of the answers."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from exactile import answers
from exactile.answers import schema
from exactile.cli.main import COMMANDS

FOLDER = Path(__file__).parents[3] / "docs" / "schema"

WITHOUT_JSON = {"render", "export", "import", "completion", "new", "serve", "sheet"}


def test_every_command_has_its_schema() -> None:
    assert set(schema.ANSWERS) == set(COMMANDS) - WITHOUT_JSON
    assert {path.stem for path in FOLDER.glob("*.json")} == set(schema.ANSWERS)


@pytest.mark.parametrize("command", schema.ANSWERS)
def test_the_published_schema_is_that_of_the_answer(command: str) -> None:
    published = (FOLDER / f"{command}.json").read_text("utf-8")
    assert published == schema.text(command), "`make schema` writes it"
    jsonschema.Draft202012Validator.check_schema(json.loads(published))


@pytest.mark.parametrize("command", schema.ANSWERS)
def test_every_property_is_described(command: str) -> None:
    for name, part in schema.schema(command)["$defs"].items():
        assert part["description"], name
        assert "Attributes" not in part["description"]
        if "Attributes" in getattr(answers, name).__doc__:
            for key, value in part["properties"].items():
                assert value.get("description"), f"{name}.{key}"
