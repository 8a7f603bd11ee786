#!/usr/bin/env python3
"""What tracefold-mpi prints and writes is byte for byte what tracefold does, whatever the number of
processes and threads, under each MPI.

usage: many_nodes.py TRACEFOLD BUILD_FOLDER [--few | TRACE.otf2...]

BUILD_FOLDER holds tracefold-mpi.MPI for each MPI. Without traces: all shared ones
(tests/cli/shared_traces.py).
"""

import filecmp
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from launch import Run, find_launchers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from shared_traces import visit_traces  # noqa: E402

FEW = ("npb_mg_S_4", "miniamr_8", "btmz_W_4x4")
RANKS = (1, 2, 3, 5, 8)
THREADS = (1, 2)
LIMIT = 120  # seconds
READING = [
    ["info"], ["info", "--json"], ["group"], ["group", "--format", "table", "--why"],
    ["group", "--by", "signature", "--messages", "on"],
    ["profile", "--format", "csv", "--top", "0"], ["profile", "--call-paths"],
    ["profile", "--per-process", "--format", "json"], ["summary", "--json"],
    ["summary", "--scope", "20%-70%", "--json"], ["iterations"], ["iterations", "--sweep", "4,16", "--format", "csv"],
    ["iterations", "--loops", "--format", "json"],
    ["iterations", "--map", "visits", "--format", "csv"], ["matrix", "--format", "csv"],
    ["matrix", "--format", "json"], ["matrix", "--metric", "waiting", "--format", "csv"],
    ["iterations", "--map", "MPI late-sender time", "--format", "csv"], ["iterations", "--accuracy", "5", "--format", "csv"],
]
# Options beside the output; and what is written to: a folder, or a file.
WRITING = [(["reduce"], "small"), (["reduce", "--exact", "--halo", "all", "--iterations", "2"], "small"),
           (["reduce", "--per-group", "2", "--messages", "off"], "small"), (["reduce"], "small.tar"),
           (["reduce"], "small.json.gz"), (["reduce", "--accuracy", "5,5", "--memory", "8M"], "small"),
           (["reduce", "--member-metrics", "off", "--profiles", "20K"], "small"), (["write", "--iterations", "3"], "small")]


def find_own_lines(err):
    """Lines of tracefold, without times; launchers have their own."""
    return [re.sub(r"[0-9.]+ s\b", "N s", line) for line in err.splitlines() if "tracefold: " in line]


def without_run(table):
    """A table at the end, without what another run has besides: times, and the name of the output."""
    return re.sub(r"[0-9.]+ s\b", "N s", table).replace("single-", "shared-")


def list_differing(left, right):
    """Names of what differs between two outputs, whose anchors have another id each time."""
    if left.is_file():
        return [] if filecmp.cmp(left, right, shallow=False) else [left.name]
    names = {path.relative_to(folder) for folder in (left, right) for path in folder.rglob("*") if path.is_file()}
    differing = []
    for name in sorted(names):
        if not (left / name).exists() or not (right / name).exists():
            differing.append(str(name))
            continue
        a, b = (left / name).read_bytes(), (right / name).read_bytes()
        unequal = sum(x != y for x, y in zip(a, b)) if a != b else 0
        if len(a) != len(b) or unequal > (8 if name.suffix == ".otf2" else 0):
            differing.append(str(name))
    return differing


class Comparison:
    def __init__(self, tracefold, build):
        self.tracefold, self.build = tracefold, build
        self.launchers = find_launchers()
        self.runs, self.complaints = 0, []

    def choose(self, all_ways):
        """Each number of processes and threads under each MPI; or all numbers, in turn."""
        ways = list(itertools.product(self.launchers.items(), RANKS, THREADS))
        if all_ways:
            return ways
        self.runs += 1
        return [ways[(self.runs * 7 + k * 3) % len(ways)] for k in range(2)]

    def run(self, way, arguments, stdout=None):
        (mpi, launcher), ranks, threads = way
        program = self.build / f"tracefold-mpi.{mpi}"
        return Run(launcher, ranks, [program, *arguments, "--threads", threads], LIMIT, stdout=stdout)

    def complain(self, name, way, arguments, words):
        (mpi, _), ranks, threads = way
        self.complaints.append(words)
        print(f"WRONG {name}, {mpi}, {ranks} ranks, {threads} threads: {' '.join(map(str, arguments))}: {words}", flush=True)

    def compare_reading(self, name, trace, all_ways):
        for command, *options in READING:
            arguments = [command, trace, *options]
            alone = subprocess.run([self.tracefold, *arguments], text=True, stdin=subprocess.DEVNULL, capture_output=True)
            for way in self.choose(all_ways):
                together = self.run(way, arguments)
                if together.status != alone.returncode:
                    self.complain(name, way, arguments, f"status {together.status}, not {alone.returncode}: {together.err[-500:]}")
                elif together.out != alone.stdout:
                    self.complain(name, way, arguments, "another output")
                elif find_own_lines(together.err) != find_own_lines(alone.stderr):
                    self.complain(name, way, arguments, f"other messages: {together.err}")

    def compare_writing(self, name, trace, all_ways):
        for (command, *options), output in WRITING:
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                arguments = [command, trace, *options, "-o"]
                alone = subprocess.run([self.tracefold, *arguments, folder / f"single-{output}"], text=True,
                                       stdin=subprocess.DEVNULL, capture_output=True)
                for way in self.choose(all_ways):
                    shared = folder / f"shared-{output}"
                    together = self.run(way, [*arguments, shared, "--force"])
                    if together.status != alone.returncode:
                        self.complain(name, way, arguments, f"status {together.status}, not {alone.returncode}: {together.err[-500:]}")
                    elif shared.exists():
                        differing = list_differing(folder / f"single-{output}", shared)
                        if differing:
                            self.complain(name, way, arguments, f"these differ: {differing}")
                    if without_run(together.out) != without_run(alone.stdout):
                        self.complain(name, way, arguments, f"another table: {together.out}")
                    if [path for path in folder.iterdir() if path.name.startswith(".")]:
                        self.complain(name, way, arguments, "something unfinished is left")

    def compare_streams(self, name, trace):
        """A tar on stdout."""
        with tempfile.TemporaryDirectory() as folder:
            single, shared = pathlib.Path(folder) / "single.tar", pathlib.Path(folder) / "shared.tar"
            arguments = ["reduce", trace, "-o", "-"]
            with open(single, "wb") as out:
                subprocess.run([self.tracefold, *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, check=True)
            for way in self.choose(False):
                with open(shared, "wb") as out:
                    together = self.run(way, arguments, stdout=out)
                if together.status != 0:
                    self.complain(name, way, arguments, f"status {together.status}: {together.err[-500:]}")
                elif not filecmp.cmp(single, shared, shallow=False):
                    self.complain(name, way, arguments, "another tar")


def main():
    tracefold, build, *traces = sys.argv[1:]
    comparison = Comparison(pathlib.Path(tracefold).resolve(), pathlib.Path(build).resolve())
    if not comparison.launchers:
        print("no MPI")
        sys.exit(77)

    seen = []

    def visit(name, trace):
        all_ways = not seen and not os.environ.get("TRACEFOLD_FEW_WAYS")
        seen.append(name)
        comparison.compare_reading(name, trace, all_ways)
        if not os.environ.get("TRACEFOLD_ONLY_READING"):
            comparison.compare_writing(name, trace, False)
            comparison.compare_streams(name, trace)
        print(f"{name}: compared", flush=True)

    if not visit_traces(traces, FEW, visit):
        sys.exit(77)
    print(f"{len(seen)} traces, {len(comparison.complaints)} differences")
    sys.exit(1 if comparison.complaints else 0)


if __name__ == "__main__":
    main()
