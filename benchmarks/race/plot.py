"""Draws the results of a race as `race.svg`: a line an instance, a mark a package."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

MARKS = "osD^v<>PX*hdp"


def draw(folder: Path) -> None:
    """Draw what `race.json` in a folder says."""
    records = json.loads((folder / "race.json").read_text("utf-8"))["records"]
    instances = list(dict.fromkeys(r["instance"] for r in records))
    solvers = list(dict.fromkeys(r["solver"] for r in records))
    mpl.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "race"}
    figure = Figure(figsize=(9, 1.5 + 0.32 * len(instances)))
    axes = figure.subplots()
    for number, solver in enumerate(solvers):
        mine = [r for r in records if r["solver"] == solver]
        done = [(r["seconds"], r["instance"]) for r in mine if "seconds" in r and not r["wrong"]]
        late = [(r["timeout"], r["instance"]) for r in mine if "timeout" in r]
        color = f"C{number % 10}" if number else "black"
        for points, filled in ((done, True), (late, False)):
            axes.scatter(
                [max(p[0], 1e-6) for p in points],
                [instances.index(p[1]) for p in points],
                marker=MARKS[number % len(MARKS)],
                facecolors=color if filled else "none",
                edgecolors=color,
                s=80 if not number else 36,
                label=solver if filled else None,
                zorder=3 if not number else 2,
            )
    axes.set_xscale("log")
    axes.set_yticks(range(len(instances)), instances)
    axes.invert_yaxis()
    axes.grid(visible=True, which="major", linewidth=0.3)
    axes.set_xlabel("seconds of searching; empty marks: stopped; wrong answers are left out")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=8)
    figure.savefig(folder / "race.svg", bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
