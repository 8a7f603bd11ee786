#!/usr/bin/env python3
"""Compares the loops that are found in the shared traces with what the programs ran.

usage: loop_counts.py TRACEFOLD

Reads $TRACEFOLD_SHARED/traces/iterations.json, beside the project by default: the number of
iterations of each trace whose number is known. Looks at each trace as it is, and as it would
be without the regions that mark iterations. Ends with 77 where there are no shared traces.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

from shared_traces import PACKS


def find_loops(tracefold, trace, drops_marks):
    """The groups that `iterations --loops` shows, of the trace with its marks or without."""
    command = [tracefold, "filter", trace, "--drop", "ITERATION", "-q"] if drops_marks else [tracefold, "filter", trace, "-q"]
    plan = subprocess.run(command, check=True, capture_output=True).stdout
    found = subprocess.run([tracefold, "iterations", "--loops", "--json", "-q"], check=True, input=plan, capture_output=True)
    return json.loads(found.stdout)["groups"]


def vote(groups):
    """The largest loop that most processes agree on: its number of iterations and its certainty."""
    votes = collections.Counter()
    certainty = {}
    for group in groups:
        loop = max(group["loops"], key=lambda l: l["share"], default={"iterations": 0, "certainty": None})
        votes[loop["iterations"]] += group["processes"] - len(group["differing"])
        certainty.setdefault(loop["iterations"], loop["certainty"])
    iterations = votes.most_common(1)[0][0]
    return iterations, certainty[iterations]


def main():
    tracefold = sys.argv[1]
    if not (PACKS / "iterations.json").exists():
        print(f"no shared traces at {PACKS}")
        return 77

    truth = json.loads((PACKS / "iterations.json").read_text())
    wrong = []
    certainties = collections.Counter()
    for name, true in sorted(truth.items()):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["tar", "--zstd", "-xf", PACKS / f"{name}.tar.zst", "-C", folder], check=True)
            trace = next(pathlib.Path(folder).rglob("*.otf2"))
            marked, _ = vote(find_loops(tracefold, trace, drops_marks=False))
            found, certainty = vote(find_loops(tracefold, trace, drops_marks=True))
        print(f"{name:14} {found:4} {certainty}")
        certainties[certainty] += 1
        if found != true["iterations"] or marked != true["iterations"]:
            wrong.append(f"{name}: {found}, with marks {marked}, instead of {true['iterations']}")

    print(f"{len(truth) - len(wrong)} of {len(truth)} right, {dict(certainties)}")
    if 2 * certainties["sure"] < len(truth):
        wrong.append("less than half is said to be sure")
    if 10 * certainties["unsure"] > len(truth):
        wrong.append("more than a tenth is said to be unsure")
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
