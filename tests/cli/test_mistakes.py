"""Mistakes that a puzzler makes: one plain line says what to write, and nothing is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Cli

MISTAKES = {
    "count soma-cube --by-pieces --store x.store --method memo": (
        "--store and --method memo exclude each other"
    ),
    "count soma-cube --backend glucose4": "Did you mean 'sat:glucose4'?",
    "count soma-cube --backend cadical": "Did you mean 'sat:cadical",
    "count pentominoes-10x6": "Did you mean 'pentominoes-6x10'?",
    "count pentominoes --box 10x6": "write --pieces pentominoes",
    "count pentominoes 10x6": "unexpected extra argument (10x6)",
    "pieces square": "exactile pieces square 4",
    "pieces soma-cub": "Did you mean 'soma-cubes'?",
    "pieces pentominis": "Did you mean 'pentominoes'?",
    "pieces square five": "'five' is not a whole number",
    "pieces sqare 5": "Did you mean 'square'?",
    "solve soma-cube --time-limit 10s": "'10s' is not a number: write digits alone",
    "solve soma-cube --time-limit -1": "it must be more than 0",
    "solve soma-cube --format gif": "'gif' is not one of",
    "solve soma-cube --time-limit inf": "'inf' is not a number: write digits alone",
    "count soma-cube bedlam-cube --sort raw": "'raw' is not one of 'puzzle', 'all'",
    "solve soma-cube --limit 0": "it must be 1 or more",
    "solve soma-cube --al": "Did you mean one of: '--all'",
    "solve soma-cube --fix X@0,0": "The puzzle has no piece 'X'",
    "solve pentominoes-6x10 --fix X": "write PIECE@UNITS",
    "sample soma-cube -n 0": "it must be 1 or more",
    "count --pieces 1000000xdomino --box 10x6": "a piece is used 999,999 times at most",
    "count --pieces 0..1000000xdomino --box 10x6": "a piece is used 999,999 times at most",
    "count --pieces 5xdomino --box 10×6×2×2": "[10, 6, 2, 2] are not the sizes",
    "import nothere.psv -o x.svg": "files ending in .svg cannot be written here",
    "count --pieces 5xdomino --box 9999999999999999999x2": "write 10x6, or 3x4x5 in space",
    "count soma-cube --store c.store --set on=nowhere": "take threads or processes",
    "subsets shader-ring --store c.store --set on=nowhere": "take threads or processes",
    "subsets shader-ring --store x.txt": "a store cannot be called .txt",
    "queens 5 --all --format png": "--format png and --all exclude each other",
    "peg triangle-5 --backend nosuch": "For pegs also native, the default.",
    "queens eight": "'eight' is not a whole number",
    "estimate soma-cube --to 5": "'5' is more than 100 %: write 5% or 0.05",
    "estimate soma-cube --measure nan": "'nan' is not a number",
    "compare soma-cube --time-limit nan": "'nan' is not a number",
    "sudoku nothere.txt --number 99999999999999999999": "is not between 1 and",
    "pieces square 4 --count -o x.svg": "--count and --format svg exclude each other",
    "count soma-cube --certificate c --set use_reasons=no": (
        "--certificate and --set use_reasons exclude each other"
    ),
    "render soma-cube --number 5 -o x.svg": "--number goes with FILE",
    "tile X --set color=class": "--set color goes with --output",
    "serve --memory 8": "8 is less than 64M: write 8M or 8G",
    "serve --port 99999": "is not between 0 and 65535",
    "resume nothere.store": "there is no such store",
    "status nothere.store --watch --json": "exclude each other: --json prints one document",
    "status nothere.store": "there is no such store",
    "work nothere.store --shard 1/1000000 -o part.store": "1,000,000 shares are too many",
    "merge new.store nothere.store": "nothere.store",
    "work nothere.store --shard 1/2 -o part.store": "there is no such store",
    "new soma-cube": "write soma-cube.toml",
    "new mine.svg": ".svg",
    "help slove": "Did you mean 'solve'?",
    "list --lattice hex": "Did you mean 'hexagon'?",
    "compare soma-cube --seeds 1,99999999999": "'99999999999' is not a seed",
    "compare soma-cube --backends dlx,dlxx": "Did you mean 'dlx'?",
    "peg triangel-5": "There is no board 'triangel-5'",
    "prove pentominoes-6x10 --certificate nowhere/x": "nowhere",
    "render soma-cube nothere.jsonl": "'nothere.jsonl' does not exist",
    "render soma-cube nothere.jsonl --number 0": "0 is too small: it must be 1 or more",
    "solve soma-cube --set verbose=ja": "'ja' is neither yes nor no",
    "solve soma-cube --fix nothere.txt": "there is no file 'nothere.txt'",
    "solve soma-cube -o nowhere/a.svg": "there is no folder",
    "count soma-cube --store nowhere/a.store": "there is no folder nowhere; create it first",
    "new mine.txt": "write mine.toml",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_one_line_says_what_to_write(
    words: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = cli(*words.split())
    said = " ".join(err.split())
    assert (code in (1, 2), out) == (True, "")
    assert MISTAKES[words] in said
    assert said.count("Error:") == 1
    assert "Traceback" not in said
    assert not [*tmp_path.iterdir()]


def test_words_that_no_puzzle_has(cli: Cli) -> None:
    assert cli("list", "hexominos") == (0, "", "0 puzzles. Did you mean 'hexominoes'?\n")
    assert cli("list", "soma", "hexominoes")[2] == "0 puzzles\n"


def test_sets_are_orders(cli: Cli) -> None:
    for name, number in (("pentominoes", "12"), ("hexiamond", "12"), ("tetracubes", "7")):
        assert cli("pieces", name, "--count") == (0, f"{number}\n", "")


@pytest.mark.parametrize("words", ["resume", "work --shard 1/2 -o {share}"])
def test_an_empty_file_is_not_made_a_store(words: str, cli: Cli, tmp_path: Path) -> None:
    empty, share = tmp_path / "empty.store", tmp_path / "share.store"
    empty.touch()
    name, *rest = words.format(share=share).split()
    code, _, err = cli(name, str(empty), *rest)
    assert (code, "the file is empty" in err) == (1, True)
    assert ([*tmp_path.iterdir()], empty.stat().st_size) == ([empty], 0)
