"""Readers of exported models that share nothing with the code that writes them.

Each returns the solutions: sets of options, numbered from 0. They are found by solvers of other
people, or by those behind a reader of a few lines where there is no such reader to be had.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any

Solutions = set[frozenset[int]]


@dataclass
class Listed:
    """A model as lists: the definition, to be solved by CP-SAT from the definition."""

    bounds: list[tuple[int, int]]
    options: list[list[tuple[int, str | None]]] = field(default_factory=list)

    def program(self) -> tuple[Any, list[Any]]:
        """Return a program of CP-SAT and its variables."""
        from ortools.sat.python import cp_model

        program = cp_model.CpModel()
        x = [program.new_bool_var(f"x{o}") for o in range(len(self.options))]
        for item, (low, high) in enumerate(self.bounds):
            here = [(o, c) for o, row in enumerate(self.options) for i, c in row if i == item]
            if any(c for _, c in here):
                for (o, c), (p, d) in combinations(here, 2):
                    if c is None or c != d:
                        program.add_bool_or([x[o].negated(), x[p].negated()])
            else:
                program.add_linear_constraint(sum(x[o] for o, _ in here), low, high)
        return program, x

    def solutions(self) -> Solutions:
        """Return all solutions."""
        return enumerated(*self.program())

    def most_covered(self, wanted: Iterable[int], hard: Iterable[int]) -> int:
        """Return how many of the wanted items can be used; only hard items keep lower bounds."""
        hard = set(hard)
        bounds = [(a if i in hard else 0, b) for i, (a, b) in enumerate(self.bounds)]
        program, x = Listed(bounds, self.options).program()
        gains = []
        for item in wanted:
            gains.append(program.new_bool_var(f"g{item}"))
            here = [x[o] for o, row in enumerate(self.options) if item in dict(row)]
            program.add_bool_or([gains[-1].negated(), *here])
        program.maximize(sum(gains))
        solver = _solver()
        solver.solve(program)
        return int(solver.objective_value)


def _solver() -> Any:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # with more, solutions are lost
    return solver


def enumerated(program: Any, options: list[Any]) -> Solutions:
    """Return all solutions of a CP-SAT program, each of which must come once."""
    from ortools.sat.python import cp_model

    found: list[frozenset[int]] = []

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.append(frozenset(o for o, x in enumerate(options) if self.boolean_value(x)))

    assert program.validate() == ""
    solver = _solver()
    solver.parameters.enumerate_all_solutions = True
    status = solver.solve(program, Collect())
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    assert len(found) == len(set(found)), "auxiliary variables multiply solutions"
    return set(found)


def read_xcc(path: Path) -> Listed:
    """Read Knuth's options text, by hand."""
    lines = [s for s in path.read_text("utf-8").split("\n") if s and s[0] != "|"]
    head, _, tail = lines[0].partition(" | ")
    model = Listed([])
    names: dict[str, int] = {}
    for word in head.split():
        low, high, name = re.fullmatch(r"(?:(\d+):)?(?:(\d+)\|)?(.+)", word).groups()  # type: ignore[union-attr]
        names[name] = len(names)
        model.bounds.append((int(low or high or 1), int(high or 1)))
    for name in tail.split():
        names[name] = len(names)
        model.bounds.append((0, 1))
    for line in lines[1:]:
        words = [word.partition(":") for word in line.split()]
        model.options.append([(names[name], color or None) for name, _, color in words])
    return model


def read_json(path: Path) -> Listed:
    """Read the JSON form of a model."""
    document = json.loads(path.read_text("utf-8"))
    assert document["format"] == 1
    model = Listed([(i.get("lower", 1), i.get("upper", 1)) for i in document["items"]])
    for option in document["options"]:
        colors = option.get("colors") or [None] * len(option["items"])
        model.options.append(list(zip(option["items"], colors, strict=True)))
    return model


def by_pysat(path: Path, options: int) -> Solutions:
    """Read DIMACS CNF and enumerate its models with PySAT."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    formula = CNF(from_file=str(path))
    found: list[frozenset[int]] = []
    with Solver("glucose4", bootstrap_with=formula.clauses) as solver:
        while solver.solve():
            model = solver.get_model()
            found.append(frozenset(x - 1 for x in model if 0 < x <= options))
            full = [-x for x in model if abs(x) <= formula.nv]
            if not full:
                break
            solver.add_clause(full)  # auxiliary variables too: they must not multiply
    assert len(found) == len(set(found)), "auxiliary variables multiply solutions"
    return set(found)


def by_rc2(path: Path) -> int:
    """Read WCNF and return the weight of the soft clauses that can be satisfied."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    formula = WCNF(from_file=str(path))
    with RC2(formula) as solver:
        assert solver.compute() is not None
        return int(sum(formula.wght) - solver.cost)


def by_cpsat(path: Path, options: int) -> Solutions:
    """Read CP-SAT's text form and enumerate."""
    from google.protobuf import text_format
    from ortools.sat import cp_model_pb2
    from ortools.sat.python import cp_model

    text = path.read_text("utf-8")
    text_format.Parse(text, cp_model_pb2.CpModelProto())  # the stricter of two parsers
    program = cp_model.CpModel()
    assert program.proto.parse_text_format(text)
    variables = [program.get_bool_var_from_proto_index(o) for o in range(options)]
    return enumerated(program, variables)


def by_ortools(path: Path, options: int) -> Solutions:
    """Read MPS with OR-Tools' model builder, and enumerate with CP-SAT what it read."""
    from ortools.sat.python import cp_model

    model_builder: Any = import_module("ortools.linear_solver.python.model_builder")
    model = model_builder.Model()
    assert model.import_from_mps_file(str(path))
    read = model.export_to_proto()
    assert all(v.is_integer and (v.lower_bound, v.upper_bound) == (0, 1) for v in read.variable)
    program = cp_model.CpModel()
    x = {v.name: program.new_bool_var(v.name) for v in read.variable}
    columns = list(x.values())
    for row in read.constraint:
        terms = zip(row.var_index, row.coefficient, strict=True)
        total = sum(int(a) * columns[v] for v, a in terms)
        low, high = (int(max(min(b, 2**40), -(2**40))) for b in (row.lower_bound, row.upper_bound))
        program.add_linear_constraint(total, low, high)
    return enumerated(program, [x[f"x{o + 1}"] for o in range(options)])


def by_highs(files: Iterable[tuple[Path, int]]) -> list[Solutions]:
    """Read LP or MPS files with HiGHS and enumerate, in one process without OR-Tools."""
    words = [str(word) for file in files for word in file]
    return [{frozenset(row) for row in rows} for rows in _by_process("foreign_highs.py", *words)]


def count_by_scip(path: Path) -> int:
    """Read OPB, LP or MPS with SCIP and count."""
    return int(_by_process("foreign_scip.py", str(path)))


def _by_process(script: str, *words: str) -> Any:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name(script)), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])  # some versions of HiGHS greet first


def count_by_miniexact(listed: Listed) -> int:
    """Count with dancing links of somebody else; bounds must be 1..1 and 0..1."""
    from miniexact import miniexacts_c

    solver = miniexacts_c()
    numbers = [
        solver.primary(str(i)) if bounds == (1, 1) else solver.secondary(str(i))
        for i, bounds in enumerate(listed.bounds)
    ]
    palette: dict[str, int] = {}
    for row in listed.options:
        for item, color in row:
            if color is not None and color not in palette:
                palette[color] = solver.color(color)
            solver.add(*([numbers[item], palette[color]] if color else [numbers[item]]))
        solver.add(0)
    found = 0
    while solver.solve() == 10:
        found += 1
    return found


def by_minizinc(path: Path, names: list[str]) -> Solutions:
    """Run MiniZinc with Gecode on the file; it prints the names of options."""
    command = ["minizinc", "--solver", "gecode", "-a", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert len(set(names)) == len(names)
    if "=====UNSATISFIABLE=====" in done.stdout:
        return set()
    assert done.stdout.endswith("==========\n")
    blocks = done.stdout.split("----------\n")[:-1]
    number = {name: o for o, name in enumerate(names)}
    found = [frozenset(number[line] for line in block.splitlines()) for block in blocks]
    assert len(found) == len(set(found))
    return set(found)


def has_minizinc() -> bool:
    """Return whether MiniZinc is installed; no package of Python brings it."""
    return shutil.which("minizinc") is not None


def read_minizinc(path: Path) -> tuple[Any, list[Any]]:
    """Read the part of MiniZinc that is written, by hand, into a program of CP-SAT."""
    from ortools.sat.python import cp_model

    text = re.sub(r"  %.*", "", path.read_text("utf-8"))
    program = cp_model.CpModel()
    options = int(re.search(r"^int: options = (\d+);$", text, re.M)[1])  # type: ignore[index]
    colors = re.search(r"^array\[1\.\.(\d+)\] of var 0\.\.1: c;$", text, re.M)
    arrays = {
        "x": [program.new_bool_var(f"x{k}") for k in range(options)],
        "c": [program.new_bool_var(f"c{k}") for k in range(int(colors[1]) if colors else 0)],
    }

    def chosen(numbers: str, array: str) -> list[Any]:
        return [arrays[array][int(k) - 1] for k in numbers.split(", ") if k]

    for line in re.findall(r"^constraint (.*);$", text, re.M):
        if one := re.fullmatch(r"c\[(\d+)\] = max\(o in \{(.*)\}\)\(x\[o\]\)", line):
            program.add_max_equality(arrays["c"][int(one[1]) - 1], chosen(one[2], "x"))
            continue
        sums, relation, bound = re.fullmatch(r"(.*) (=|<=|>=|in) ([\d.]+)", line).groups()  # type: ignore[union-attr]
        terms = re.findall(r"sum\([ok] in \{([\d, ]*)\}\)\(([xc])\[[ok]\]\)", sums)
        assert sums.count("sum") == len(terms)
        total = sum(v for numbers, array in terms for v in chosen(numbers, array))
        low, high = {"=": (0, 0), "<=": (-(2**40), 0), ">=": (0, 2**40), "in": (0, 0)}[relation]
        ends = [int(b) for b in bound.split("..")]
        program.add_linear_constraint(total, ends[0] + low, ends[-1] + high)
    return program, arrays["x"]


def read_opb(path: Path, options: int) -> tuple[Any, list[Any]]:
    """Read pseudo-Boolean constraints, by hand, into a program of CP-SAT."""
    from ortools.sat.python import cp_model

    lines = path.read_text("utf-8").splitlines()
    variables, constraints = map(
        int,
        re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", lines[0]).groups(),  # type: ignore[union-attr]
    )
    rows = [line for line in lines if line[0] != "*"]
    assert len(rows) == constraints
    program = cp_model.CpModel()
    x = [program.new_bool_var(f"x{v}") for v in range(variables)]
    for row in rows:
        terms, relation, bound = re.fullmatch(r"((?:[+-]\d+ x\d+ )+)(>=|=) (-?\d+) ;", row).groups()  # type: ignore[union-attr]
        pairs = re.findall(r"([+-]\d+) x(\d+)", terms)
        total = sum(int(a) * x[int(v) - 1] for a, v in pairs)
        program.add_linear_constraint(total, int(bound), int(bound) if relation == "=" else 2**40)
    return program, x[:options]


def by_clingo(path: Path) -> Solutions:
    """Read an answer-set program with clingo and enumerate."""
    clingo: Any = import_module("clingo")
    messages: list[str] = []
    control = clingo.Control(["--models=0"], logger=lambda _, text: messages.append(text))
    control.load(str(path))
    control.ground()
    found: list[frozenset[int]] = []
    with control.solve(yield_=True) as answers:
        for answer in answers:
            shown = answer.symbols(shown=True)
            found.append(frozenset(symbol.arguments[0].number - 1 for symbol in shown))
    assert messages == []
    assert len(found) == len(set(found))
    return set(found)


def count_by_ganak(path: Path) -> tuple[str, int, int]:
    """Read DIMACS CNF with the headers for counters, and count models with Ganak.

    Return the type of the problem, the number of models on the variables that are shown (all, if
    the file shows none), and the number on all variables.
    """
    ganak: Any = import_module("pyganak")
    kind, shown, clauses, variables = "", None, [], 0
    for line in path.read_text("utf-8").splitlines():
        words = line.split()
        if words[:2] == ["c", "t"]:
            kind = words[2]
        elif words[:3] == ["c", "p", "show"]:
            assert words[-1] == "0"
            shown = [int(word) for word in words[3:-1]]
        elif words[:2] == ["p", "cnf"]:
            variables = int(words[2])
        elif words[0] != "c":
            assert words[-1] == "0"
            clauses.append([int(word) for word in words[:-1]])
    assert (kind == "pmc") == (shown is not None)

    def count(sampled: list[int]) -> int:
        counter = ganak.Counter()
        counter.new_vars(variables)
        counter.add_clauses(clauses)
        counter.set_sampling_set(sampled)
        return int(counter.count())

    every = list(range(1, variables + 1))
    return kind, count(every if shown is None else shown), count(every)


def by_cubes(path: Path, options: int) -> list[Solutions]:
    """Read iCNF, and enumerate the models in each cube with PySAT."""
    from pysat.solvers import Solver

    lines = [line.split() for line in path.read_text("utf-8").splitlines() if line[0] != "c"]
    assert lines[0] == ["p", "inccnf"]
    assert all(line[-1] == "0" for line in lines[1:])
    clauses = [[int(x) for x in line[:-1]] for line in lines[1:] if line[0] != "a"]
    cubes = [[int(x) for x in line[1:-1]] for line in lines[1:] if line[0] == "a"]
    result = []
    for cube in cubes:
        found: Solutions = set()
        with Solver("glucose4", bootstrap_with=[*clauses, *([x] for x in cube)]) as solver:
            while solver.solve():
                model = [x for x in solver.get_model() if abs(x) <= options]
                found.add(frozenset(x - 1 for x in model if x > 0))
                if not model:
                    break
                solver.add_clause([-x for x in model])
        result.append(found)
    return result


def read_xcsp(path: Path) -> tuple[Any, list[Any]]:
    """Read the part of XCSP3 that is written, by hand, into a program of CP-SAT."""
    from xml.etree import ElementTree as ET

    from ortools.sat.python import cp_model

    root = ET.parse(path).getroot()
    assert root.attrib == {"format": "XCSP3", "type": "CSP"}
    program = cp_model.CpModel()
    named: dict[str, Any] = {}
    for entry in root.iterfind("variables/*"):
        domain = cp_model.Domain.from_values([int(v) for v in (entry.text or "").split()])
        size = re.fullmatch(r"\[(\d+)\]", entry.get("size", ""))
        names = (
            [f"{entry.get('id')}[{k}]" for k in range(int(size[1]))] if size else [entry.get("id")]
        )
        named |= {str(n): program.new_int_var_from_domain(domain, str(n)) for n in names}
    for entry in root.iterfind("constraints/*"):
        here = [named[word] for word in str(entry.findtext("list")).split()]
        kind, what = re.fullmatch(
            r"\((\w+),(.*)\)", str(entry.findtext("condition")).strip()
        ).groups()  # type: ignore[union-attr]
        if entry.tag == "maximum":
            assert kind == "eq"
            program.add_max_equality(named[what], here)
            continue
        assert entry.tag == "sum"
        ends = [int(word) for word in what.split("..")]
        low, high = {"le": (-(2**40), 0), "ge": (0, 2**40)}.get(kind, (0, 0))
        program.add_linear_constraint(sum(here), ends[0] + low, ends[-1] + high)
    return program, [variable for name, variable in named.items() if name[0] == "x"]


def ace() -> list[str] | None:
    """Return the command of the constraint solver ACE, if it is installed."""
    found = find_spec("pycsp3")
    if found is None or found.origin is None or shutil.which("java") is None:
        return None
    jars = sorted(Path(found.origin).parent.glob("solvers/ace/ACE*.jar"))
    return ["java", "-jar", str(jars[0])] if jars else None


def count_by_ace(path: Path) -> int:
    """Read XCSP3 with ACE and count."""
    named = path.rename(path.with_suffix(".xml"))  # it takes no other ending
    command = [*(ace() or ()), str(named), "-s=all"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    text = re.sub(r"\x1b\[\d*m", "", done.stdout)
    assert "COMPLETE EXPLORATION" in text
    counted = re.search(r"d FOUND SOLUTIONS\s+(\d+)", text)
    return int(counted[1]) if counted else 0
