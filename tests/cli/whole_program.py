#!/usr/bin/env python3
"""Compares what a reduced trace says of all processes with what the original says.

usage: whole_program.py TRACEFOLD [--few | --made MAKE_LOOP_TRACE | TRACE.otf2...]

Without traces: the shared ones, of $TRACEFOLD_SHARED/traces, by default beside the project; with
--few only some of them, of different kinds; with --made programs of which some processes have other
loops, or longer ones, and which record counters. Each is reduced by default. Then every value of
`profile --per-process` and of `iterations --map`, of all metrics, has to be the original's: counts
exactly, times and counters to 1 %, and sums of a map's rows and columns exactly; and so have maps of
call paths. Who waits for whom, who comes last, and what made others wait (`matrix --metric waiting`) has to be the
original's as well. The last line says how many values were compared, and how many bytes tracefold.profiles
takes for each value of the maps. Ends with 77 where there are no shared traces.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from shared_traces import visit_traces

EXACT = 1e-9  # of doubles that were printed
STEP = 0.0101
NOTE = "of all"  # processes
FEW = ("npb_lu_W_16", "amg_8x2", "npbph_cg_S_8", "ez_hpcc_4", "npb_ft_S_16", "minife_8", "miniamr_8")
MADE = (
    "--processes 8 --iterations 30 --odd 12 --second-loop 10",
    "--processes 6 --iterations 20 --odd 12 --second-loop 10 --threads 2 --counters --frame",
    "--processes 8 --iterations 30 --odd 30 --frame",
    "--processes 8 --iterations 40 --shape imbalance --counters --loop inline --frame --noise 10",
)


class Comparison:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.values = self.cells = self.bytes = self.path_maps = self.delays = 0
        self.wrong = []

    def run(self, *command):
        return subprocess.run([self.tracefold, *map(str, command)], capture_output=True, text=True)

    def compare(self, where, told, right, share):
        self.values += 1
        if abs(told - right) > share * abs(right) + 1e-9 * (share > EXACT):
            self.wrong.append(f"{where}: {told} instead of {right}")

    def compare_profiles(self, name, original, small):
        told = self.run("profile", "--per-process", "--format", "csv", small)
        right = self.run("profile", "--per-process", "--format", "csv", original)
        if NOTE not in told.stderr:
            self.wrong.append(f"{name}: profile: not of all processes: {told.stderr}")
            return
        told, right = (list(csv.DictReader(io.StringIO(text.stdout))) for text in (told, right))
        counters = self.list_counters(original)
        if len(told) != len(right):
            self.wrong.append(f"{name}: {len(told)} call paths instead of {len(right)}")
            return
        for a, b in zip(told, right):
            where = f"{name}: location {b['location']}, {b['call_path'][-60:]}"
            for column, value in b.items():
                if column in ("caller_path", "call_path", "path", "location", "rank", "thread"):
                    if a.get(column) != value:
                        self.wrong.append(f"{where}: {column} {a.get(column)} instead of {value}")
                elif value == "" or a.get(column, "") == "":
                    if a.get(column) != value:
                        self.wrong.append(f"{where}: {column} '{a.get(column)}' instead of '{value}'")
                else:
                    # A counter that is called as another column has a name of its own.
                    is_stepped = column.endswith("_seconds") or column in counters or column.startswith("counter_")
                    self.compare(f"{where}: {column}", float(a[column]), float(value), STEP if is_stepped else 0)

    def list_metrics(self, original):
        listed = self.run("iterations", "--map", "#", original).stderr
        return [] if "one of: " not in listed else listed.split("one of: ")[1].strip().rstrip(")").split(", ")

    def list_counters(self, original):
        """They are listed before what is measured of every trace."""
        metrics = self.list_metrics(original)
        return metrics[:metrics.index("execution time")]

    def compare_maps(self, name, original, small):
        share = {"per_iteration": EXACT, "per_process": EXACT}
        counters = self.list_counters(original)
        for metric in self.list_metrics(original):
            told, right = (self.run("iterations", "--map", metric, "--format", "json", trace) for trace in (small, original))
            if right.returncode != 0:
                if told.returncode == 0 and "is not known" not in right.stderr:
                    self.wrong.append(f"{name}: map of {metric}, which the original does not have: {right.stderr}")
                continue
            if told.returncode != 0 or NOTE not in told.stderr:
                self.wrong.append(f"{name}: no map of {metric} of all processes: {told.stderr}")
                continue
            self.compare_map(f"{name}: {metric}", json.loads(told.stdout), json.loads(right.stdout), share, metric in counters)

    def list_functions(self, original):
        """Those with the most time, but for names that are no plain globs."""
        listed = self.run("profile", "--format", "csv", "--top", "8", original).stdout
        names = dict.fromkeys(row["function"] for row in csv.DictReader(io.StringIO(listed)))
        return [name for name in names if not set(name) & set("*?[]\\")][:8]

    def compare_path_maps(self, name, original, small):
        """Of those call paths whose iterations are there; others are of kept processes only."""
        for function in self.list_functions(original):
            for metric in ("execution time", "MPI late-sender time", "MPI wait-at-NxN time"):
                told, right = (self.run("iterations", "--map", metric, "--call-path", "*" + function, "--format", "json", trace)
                               for trace in (small, original))
                if right.returncode == 0 and told.returncode == 0 and NOTE in told.stderr:
                    self.path_maps += 1
                    self.compare_map(f"{name}: {metric} of {function}", json.loads(told.stdout), json.loads(right.stdout),
                                     {"per_iteration": STEP, "per_process": EXACT})

    def compare_waiting(self, name, original, small):
        """Who waits for whom, who comes last, and what made others wait: times to 1 %, as far as it is kept."""
        told, right = (self.run("matrix", "--metric", "waiting", "--format", "json", trace) for trace in (small, original))
        if right.returncode != 0 or "keeps nothing of who waits" in told.stderr:
            return
        told, right = (json.loads(text.stdout) for text in (told, right))
        cells, true_cells = ([cell for part in of["parts"] for cell in part["cells"]] for of in (told, right))
        if [cell[:4] for cell in cells] != [cell[:4] for cell in true_cells]:
            self.wrong.append(f"{name}: matrix of waiting: other pairs")
            return
        for cell, true_cell in zip(cells, true_cells):
            for a, b in zip(cell[4:], true_cell[4:]):
                self.compare(f"{name}: waiting of {cell[:2]}", a, b, STEP)
        told, right = told["waiting"], right["waiting"]
        last, true_last = (
            {(kind["metric"], one["process"]): one["seconds"] for kind in of.get("collective_operations", {}).get("kinds", [])
             for one in kind["last"]} for of in (told, right))
        self.compare_all(f"{name}: who comes last", last, true_last, EXACT)
        if "late_processes" in told:
            causes, true_causes = (
                {(late["process"], cause["by"], cause["function"], cause["caller"]): cause["seconds"]
                 for late in of["late_processes"] for cause in late["causes"]} for of in (told, right))
            self.delays += len(true_causes)
            self.compare_all(f"{name}: what made others wait", causes, true_causes, STEP)

    def compare_all(self, where, told, right, share):
        for key in sorted(set(told) | set(right)):
            self.compare(f"{where}: {key}", told.get(key, 0), right.get(key, 0), share)

    def compare_map(self, where, told, right, share, is_counter=False):
        is_exact = right["unit"] in ("", "bytes") and not is_counter
        rows, true_rows = told["map"]["means"], right["map"]["means"]
        if [len(row) for row in rows] != [len(row) for row in true_rows]:
            self.wrong.append(f"{where}: {len(rows)} rows instead of {len(true_rows)}")
            return
        for r, (row, true_row) in enumerate(zip(rows, true_rows)):
            for i, (a, b) in enumerate(zip(row, true_row)):
                self.cells += 1
                if (a is None) != (b is None):
                    self.wrong.append(f"{where}: row {r}, iteration {i}: {a} instead of {b}")
                elif b is not None:
                    self.compare(f"{where}: row {r}, iteration {i}", a, b, EXACT if is_exact else STEP)
        for part in ("per_iteration", "per_process"):
            for k, (a, b) in enumerate(zip(told[part]["mean"], right[part]["mean"])):
                if a is not None or b is not None:
                    self.compare(f"{where}: mean {part} {k}", a, b, share[part])

    def check(self, name, original):
        with tempfile.TemporaryDirectory() as folder:
            small = pathlib.Path(folder) / "small" / "traces.otf2"
            done = self.run("reduce", original, "-q", "-o", small.parent)
            if done.returncode != 0:
                self.wrong.append(f"{name}: {done.stderr}")
                return
            if not (small.parent / "tracefold.profiles").exists():
                print(f"{name:24} everything stays")
                return
            before, cells, wrong = self.values, self.cells, len(self.wrong)
            self.compare_profiles(name, original, small)
            self.compare_maps(name, original, small)
            self.compare_path_maps(name, original, small)
            self.compare_waiting(name, original, small)
            size = (small.parent / "tracefold.profiles").stat().st_size
            self.bytes += size
            print(f"{name:24} {self.values - before:8} values, {self.cells - cells:8} of maps, {size:8} bytes, "
                  f"{len(self.wrong) - wrong} wrong", flush=True)


def main():
    comparison = Comparison(sys.argv[1])
    if sys.argv[2:3] == ["--made"]:
        for options in MADE:
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([sys.argv[3], folder + "/made", *options.split()], check=True, stdout=subprocess.DEVNULL)
                comparison.check(options, pathlib.Path(folder) / "made" / "traces.otf2")
    elif not visit_traces(sys.argv[2:], FEW, comparison.check):
        return 77

    print("\n".join(comparison.wrong[:int(os.environ.get("SHOWN", 40))]))
    print(f"{comparison.values} values compared, {len(comparison.wrong)} wrong, "
          f"{comparison.path_maps} maps of call paths, {comparison.delays} causes of waiting; "
          f"{comparison.bytes / max(1, comparison.cells):.2f} bytes a value of maps")
    return bool(comparison.wrong)


if __name__ == "__main__":
    sys.exit(main())
