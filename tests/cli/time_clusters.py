#!/usr/bin/python3
"""Compares clusters by time with the best of 300 starts of k-means by numpy.

usage: time_clusters.py TRACEFOLD [--few | TRACE.otf2...]   (77: numpy or the traces are missing)

Without traces it takes some shared ones, with --few two of them. Odd processes have rows of their own, and are left
out. Of each group of 8 others or more, `select --per-group K` may spread at most 1 % more than the best of 300 starts
that are computed here, for K = 2, 4 and 8 and both kinds of --time-features, whatever the number of threads.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    sys.exit(77)

STARTS, NUMBERS, FUNCTIONS = 300, (2, 4, 8), 10
FEW = ("hpccg_64", "npb_is_S_64")
SHARED = ("npb_lu_W_64", "hpccg_64", "npb_is_S_64", "npb_mg_S_64", "minife_32")


def members_of(ranges):
    for part in ranges.split(","):
        ends, _, stride = part.partition(":")
        first, _, last = ends.partition("-")
        yield from range(int(first), int(last or first) + 1, int(stride or 1))


def run(tracefold, *options, plan=None):
    done = subprocess.run([tracefold, *options], check=True, input=plan, stdout=subprocess.PIPE)
    return done.stdout


def spread_of(points, clusters):
    return sum(((points[clusters == c] - points[clusters == c].mean(axis=0)) ** 2).sum() for c in set(clusters))


def start_once(points, k, random):
    centers = [points[random.integers(len(points))]]
    for _ in range(k - 1):
        nearest = ((points[:, None] - numpy.array(centers)[None]) ** 2).sum(axis=2).min(axis=1)
        if nearest.sum() == 0:
            break
        centers.append(points[random.choice(len(points), p=nearest / nearest.sum())])
    centers = numpy.array(centers)
    before = None
    for _ in range(100):
        clusters = ((points[:, None] - centers[None]) ** 2).sum(axis=2).argmin(axis=1)
        if before is not None and (clusters == before).all():
            break
        before = clusters
        centers = numpy.array([points[clusters == c].mean(axis=0) if (clusters == c).any() else centers[c] for c in range(len(centers))])
    return spread_of(points, clusters)


def points_of(plan, members):
    """The times of the functions that these processes spend most time in."""
    by_id = {int(p["id"]): p for p in plan["profiles"]}
    rows = []
    for process in (by_id[member] for member in members):
        rows.append(dict(zip(plan["intents"][process["intent"]]["functions"], process["exclusive"])))
    totals = {}
    for row in rows:
        for function, time in row.items():
            totals[function] = totals.get(function, 0) + time
    largest = sorted(totals, key=lambda function: (-totals[function], function))[:FUNCTIONS]
    return numpy.array([[row.get(function, 0) for function in largest] for row in rows], dtype=float)


def scaled_points_of(plan, members):
    """The times of all functions, each counted by its share of all their time (docs/science.md)."""
    by_id = {int(p["id"]): p for p in plan["profiles"]}
    processes = [by_id[member] for member in members]
    functions = sorted({f for p in processes for f in plan["intents"][p["intent"]]["functions"]})
    times = numpy.zeros((len(processes), len(functions) + 1))
    for row, process in zip(times, processes):
        for function, time in zip(plan["intents"][process["intent"]]["functions"], process["exclusive"]):
            row[functions.index(function)] = time
        row[-1] = process["rest"]
    times = times[:, times.sum(axis=0) > 0]
    share = times.sum(axis=0) / times.sum()
    deviation = numpy.maximum(times.std(axis=0), times.mean(axis=0) / 100)
    return times / deviation * numpy.sqrt(share)


FEATURES = {"ten": points_of, "all": scaled_points_of}


def check(tracefold, anchor, complain):
    plan_text = run(tracefold, "group", "-q", anchor, "--json")
    plan = json.loads(plan_text)
    for k, features in itertools.product(NUMBERS, FEATURES):
        options = ["select", "-q", "--per-group", str(k), "--time-features", features, "--json"]
        selected = json.loads(run(tracefold, *options, "--threads", "1", plan=plan_text))
        if json.loads(run(tracefold, *options, "--threads", "4", plan=plan_text)) != selected:
            complain(f"{anchor}: {k} clusters by {features} depend on the number of threads")
        for number, group in enumerate(plan["groups"]["list"]):
            of_group = [r for r in selected["representatives"] if r["group"] == number]
            kept = [r for r in of_group if not r["why"].startswith("odd: ")]
            members = sorted(member for r in kept for member in members_of(r["members"]))
            odd = [member for r in of_group if r not in kept for member in members_of(r["members"])]
            if sorted(members + odd) != sorted(members_of(group["members"])):
                complain(f"{anchor}: group {number}: {k} clusters by {features} are not all of its members")
            if len(members) < 8:
                continue
            clusters = numpy.zeros(len(members), dtype=int)
            for c, representative in enumerate(kept):
                for member in members_of(representative["members"]):
                    clusters[members.index(member)] = c
            points = FEATURES[features](plan, members)
            random = numpy.random.default_rng(1)
            best = min(start_once(points, k, random) for _ in range(STARTS))
            found = spread_of(points, clusters)
            print(f"{anchor}: group {number} of {len(members)}, {k} clusters by {features}: {100 * (found / best - 1) if best else 0:+.2f} %")
            if len(kept) > k or found > 1.01 * best + 1e-9:
                complain(f"{anchor}: group {number}: {len(kept)} clusters by {features} spread {found}, and {best} is possible")


def main():
    arguments = sys.argv[2:]
    anchors = [] if arguments == ["--few"] else arguments
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        if not anchors:
            traces = os.path.join(os.environ.get("TRACEFOLD_SHARED", os.path.join(os.path.dirname(__file__), "../../../shared")), "traces")
            for name in FEW if arguments else SHARED:
                packed = os.path.join(traces, name + ".tar.zst")
                if os.path.exists(packed):
                    subprocess.run(["tar", "--zstd", "-xf", packed, "-C", folder], check=True)
                    anchors.append(os.path.join(folder, name, "traces.otf2"))
        if not anchors:
            sys.exit(77)
        for anchor in anchors:
            check(sys.argv[1], anchor, wrong.append)
    for words in wrong:
        print("FAIL:", words)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
