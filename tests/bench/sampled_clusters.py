#!/usr/bin/env python3
"""Prints how many clusters of iterations sampled traces need, beside those of instrumented ones.

usage: sampled_clusters.py [--build FOLDER] [--iterations N] [--period TICKS] [--seeds N]

The same programs (tests/sampled_traces) are recorded with all calls, and with MPI alone and samples
(several of them in an iteration, at other times for each seed). For each number of clusters, the
error of each iteration's metrics, averaged as the paper does it (dynamics 4.2.2, 5.4.3), for clusters
that each process makes for itself; and how many clusters the sampled trace needs for the error that
the instrumented one has at 32, by linear interpolation of logarithms. Published: about twice as many
(dynamics 8, beside Table 8.1). Phantoms are call paths that only the stand-in of an iteration visited.
Ends with 1 where some of them lead to MPI, or where the loop is not found.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CLUSTERS = (8, 16, 32, 64, 128, 256)
COMPARED = 32
LEAST_ERROR = 1e-6  # what is below counts as that

parser = argparse.ArgumentParser()
parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
parser.add_argument("--iterations", type=int, default=500)
parser.add_argument("--period", type=float, default=100)
parser.add_argument("--seeds", type=int, default=3)
options = parser.parse_args()


def sweep(folder):
    done = subprocess.run([options.build / "cli" / "tracefold", "iterations", folder / "traces.otf2", "--sweep",
                           ",".join(map(str, CLUSTERS)), "--format", "json", "-q"], capture_output=True, text=True, check=True)
    return {one["max_clusters"]: one for one in json.loads(done.stdout)["sweep"]}


def find_clusters(errors, wanted):
    """Where the errors, by number of clusters, come to the wanted one."""
    known = sorted(errors.items())
    for (few, large), (many, small) in zip(known, known[1:]):
        if small <= wanted:
            if large <= wanted or large == small:
                return few
            way = math.log(large / wanted) / math.log(large / small)
            return few * (many / few) ** way
    return math.inf


rows = [["program", "recorded", *(f"{c} clusters" for c in CLUSTERS), f"needs for the error at {COMPARED}", "phantoms", "to MPI", "call trees"]]
ratios, failed = [], False

for shape in ("mixed", "steady", "drifting", "periodic", "phases", "outliers"):
    wanted = None
    for way, seed in [("instrumented", 1), *(("hybrid", seed) for seed in range(1, options.seeds + 1))]:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder) / "trace"
            subprocess.run([sys.executable, HERE.parent / "sampled_traces" / "make_sampled_trace.py", folder, "--as", way,
                            "--shape", shape, "--seed", str(seed), "--iterations", str(options.iterations),
                            "--period", str(options.period), "--ranks", "2"], check=True)
            found = sweep(folder)
        own = {clusters: one["of_own_clusters"] for clusters, one in found.items()}
        errors = {clusters: max(figures["mean_error"], LEAST_ERROR) for clusters, figures in own.items()}
        wanted = wanted or errors[COMPARED]
        needs = find_clusters(errors, wanted)
        at = own[COMPARED]
        failed |= at["mpi_call_paths_only_in_stand_in"] > 0 or found[COMPARED]["iterations"] != options.iterations
        if way == "hybrid":
            ratios.append(needs / COMPARED)
        rows.append([shape, way, *(f"{100 * errors[c]:.3f} %" for c in CLUSTERS), f"{needs:.0f}",
                     str(at["call_paths_only_in_stand_in"]), str(at["mpi_call_paths_only_in_stand_in"]), str(found[COMPARED]["call_tree_classes"])])

widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
for row in rows:
    print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)))
print(f"sampled traces need {statistics.median(ratios):.2f} times as many clusters in the median, "
      f"{min(ratios):.2f} to {max(ratios):.2f}; about 2 are published")
sys.exit(failed)
