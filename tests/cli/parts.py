#!/usr/bin/env python3
"""One command for a part of a trace does what a pipe does, and `--inside` leaves what happens in calls of some functions.

usage: parts.py TRACEFOLD [--few | TRACE.otf2...]

Of each trace, of all shared ones or those that are given:

- With each option that says what the part is, `reduce` writes byte for byte what `filter | reduce -` and the pipe of all
  stages write, and `group`, `iterations`, `write`, `profile` and `matrix` make what they make of the plan that `filter`
  prints. `summary` and `compare` have the times of the trace that `write` has cut to the part; a report names it.
- For `--inside`, the calls of a location are followed here with a counter of how many calls of the functions are open.
  All calls in the trace that is written are in these, but for their callers, and as many as in the original, by function;
  and every record is the one that a window in time of these spans has, as windows.py finds it. A location that makes no
  such call has the time of its process. Times of ranks are those in these calls.
"""
import collections
import filecmp
import fnmatch
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from otf2.events import Enter, Leave

import windows
from shared_traces import visit_traces

FEW = ("npb_lu_W_4", "lulesh_8x2")
# Functions by the name of the trace, of which some call others.
INSIDE = {"npb_lu_W_4": ("rhs_*", "exchange_*"), "lulesh_8x2": ("LagrangeNodal*", "CommSBN*")}


class Check:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.checks, self.wrong = 0, []
        self.window = windows.Check(tracefold)

    def run(self, *arguments, plan=None):
        ran = subprocess.run([self.tracefold, *map(str, arguments)], input=plan, capture_output=True)
        if ran.returncode != 0:
            self.wrong.append(f"{' '.join(map(str, arguments))}: {ran.stderr.decode().strip()}")
        return ran.stdout

    def expect(self, holds, words):
        self.checks += 1
        if not holds:
            self.wrong.append(words)

    def check(self, name, anchor):
        patterns = INSIDE.get(name, ("MPI_Allreduce",))
        for options in (["--drop", "MPI_*"], ["--keep", "MPI_*", "--keep", "main*"], ["--locations", "rank:0-1"],
                        ["--time", "20%-60%"], ["--iterations-only", "1,3"], ["--inside", patterns[0]],
                        ["--inside", patterns[0], "--inside", patterns[1], "--drop", "MPI_Wait", "--time", "10%-"]):
            with tempfile.TemporaryDirectory() as folder:
                self.compare_with_pipe(f"{name} {' '.join(options)}", anchor, options, pathlib.Path(folder))
        for options in (["--drop", "MPI_Barrier"], ["--locations", "rank:0-1"], ["--time", "20%-60%"]):
            with tempfile.TemporaryDirectory() as folder:
                self.compare_with_cut(f"{name} {' '.join(options)}", anchor, options, pathlib.Path(folder))
        trace = windows.Trace(anchor)
        for pattern in patterns:
            self.check_inside(f"{name} --inside {pattern}", anchor, trace, pattern)

    def compare_with_pipe(self, name, anchor, options, folder):
        plan = self.run("filter", anchor, *options, "-q")
        self.run("reduce", anchor, *options, "-q", "-o", folder / "at_once")
        self.run("reduce", "-", "-q", "-o", folder / "piped", plan=plan)
        staged = self.run("group", "-q", "--messages", "on", plan=plan)
        staged = self.run("select", "-q", plan=staged)
        self.run("write", "-q", "-o", folder / "staged", plan=self.run("iterations", "-q", plan=staged))
        for way in ("piped", "staged"):
            self.expect_same(f"{name}: reduce, {way}", folder / "at_once", folder / way)

        self.run("write", anchor, *options, "-q", "-o", folder / "all_at_once")
        self.run("write", "-q", "-o", folder / "all_piped", plan=plan)
        self.expect_same(f"{name}: write", folder / "all_at_once", folder / "all_piped")
        for command in (("group",), ("iterations",), ("profile", "--json"), ("matrix", "--json")):
            if command == ("matrix", "--json") and "--keep" in options + ["--drop"] and "MPI_*" in options:
                continue  # no messages are left
            at_once, piped = self.run(*command, anchor, *options, "-q"), self.run(*command, "-q", plan=plan)
            self.expect(at_once == piped and at_once, f"{name}: {' '.join(command)} differs")

    def expect_same(self, name, one, other):
        files = sorted(str(path.relative_to(one)) for path in one.rglob("*") if path.is_file())
        others = sorted(str(path.relative_to(other)) for path in other.rglob("*") if path.is_file())
        self.expect(files == others and len(files) > 3, f"{name}: other files")
        differ = filecmp.cmpfiles(one, other, files, shallow=False)
        self.expect(not differ[1] and not differ[2], f"{name}: {differ[1]} differ")

    def compare_with_cut(self, name, anchor, options, folder):
        self.run("write", anchor, *options, "-q", "-o", folder / "cut")
        cut = folder / "cut/traces.otf2"
        words = "20%-60%" in options
        scope = ["--scope", "run"] if words else []
        wanted = json.loads(self.run("summary", cut, *scope, "-q", "--json"))["runs"][0]
        found = json.loads(self.run("summary", anchor, *options, "-q", "--json"))["runs"][0]
        self.expect(found["scope"] == ("window" if words else wanted["scope"]), f"{name}: scope {found['scope']}")
        if words:
            self.expect(any("the part 20%-60%" in line for line in found["headline"]), f"{name}: {found['headline']}")
        for key in ("ranks", "threads", "runtime_s", "iterations"):
            self.expect(wanted.get(key) == found.get(key), f"{name}: summary, {key}: {found.get(key)}, not {wanted.get(key)}")
        for key in ("hybrid", "parallel", "load_balance", "communication", "openmp"):
            self.expect(wanted["efficiencies"][key] == found["efficiencies"][key], f"{name}: summary, {key}")
        self.expect([row["seconds"] for row in wanted["paradigms"]] == [row["seconds"] for row in found["paradigms"]],
                    f"{name}: summary, paradigms")

        wanted = json.loads(self.run("compare", cut, cut, "-q", "--json"))
        found = json.loads(self.run("compare", anchor, anchor, *options, "-q", "--json"))
        for run in ("a", "b"):
            times = [one[run]["run_seconds"] for one in (wanted, found)]
            self.expect(times[0] == times[1], f"{name}: compare, run: {times}")
        measures = [{row["name"]: (row["time_seconds"], row["visits"]) for row in one["functions"]} for one in (wanted, found)]
        self.expect(measures[0] == measures[1] and measures[0], f"{name}: compare, functions")

        page = self.run("report", anchor, *options, "-q", "-o", "-").decode()
        self.expect(not words or "the part 20%-60%" in page, f"{name}: the report does not name the part")

    def check_inside(self, name, anchor, trace, pattern):
        spans = find_spans(trace, pattern)
        self.expect(any(spans.values()), f"{name}: there are no calls")
        self.window.check_window(name, anchor, trace, ("--inside", pattern), lambda plan: lambda ref: spans[ref],
                                 collections.Counter())
        self.check_times(name, anchor, trace, pattern, spans)
        with tempfile.TemporaryDirectory() as folder:
            self.run("write", anchor, "--inside", pattern, "-q", "--keep-ids", "--plain-names", "-o", f"{folder}/cut")
            cut = windows.Trace(f"{folder}/cut/traces.otf2")
        for ref, location in trace.locations.items():
            wanted, _ = count_calls(location, pattern)
            if not wanted:
                continue
            found, outside = count_calls(cut.locations[ref], pattern)
            callers = find_callers(location, pattern)
            self.expect(found == wanted, f"{name}: location {ref}: {found - wanted or wanted - found} calls differ")
            self.expect(set(outside) <= callers, f"{name}: location {ref}: {set(outside) - callers} are outside")


    def check_times(self, name, anchor, trace, pattern, spans):
        """The time of a rank is that in such calls, and the run is as long as a rank takes on average."""
        asked = ("--inside", pattern, "-q", "--json")
        run = json.loads(self.run("summary", anchor, *asked, "--per-process"))["runs"][0]
        times = []
        for process in run["processes"]:
            ref = int(process["location"])
            times.append(sum(end - begin for begin, end in spans[ref]) / trace.ticks_per_second)
            self.expect(math.isclose(process["time_s"], times[-1], rel_tol=1e-9), f"{name}: {process}, not {times[-1]} s")
        told = json.loads(self.run("compare", anchor, anchor, *asked))["a"]["run_seconds"]
        self.expect(math.isclose(told, sum(times) / len(times), rel_tol=1e-9), f"{name}: a run of {told} s: {times}")


def matches(event, pattern):
    return fnmatch.fnmatchcase(event.region.name, pattern)


def count_calls(location, pattern):
    """Calls by function: those that begin while a call of a function that matches is open, it included, and others."""
    depth, inside, outside = 0, collections.Counter(), collections.Counter()
    for event in location.records:
        if isinstance(event, Enter):
            depth += matches(event, pattern)
            (inside if depth else outside)[event.region.name] += 1
        elif isinstance(event, Leave):
            depth -= matches(event, pattern)
    return inside, outside


def find_callers(location, pattern):
    stack, callers = [], set()
    for event in location.records:
        if isinstance(event, Enter):
            if matches(event, pattern):
                callers.update(stack)
            stack.append(event.region.name)
        elif isinstance(event, Leave) and stack:
            stack.pop()
    return callers


def join(spans):
    joined = []
    for begin, end in sorted(spans):
        if joined and joined[-1][1] >= begin:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        elif begin < end:
            joined.append((begin, end))
    return joined


def find_spans(trace, pattern):
    """By location, when a call of a function that matches is open."""
    own, of_process = {}, collections.defaultdict(list)
    for ref, location in trace.locations.items():
        depth, spans = 0, []
        for event in location.records:
            if isinstance(event, Enter) and matches(event, pattern):
                if depth == 0:
                    begin = event.time
                depth += 1
            elif isinstance(event, Leave) and matches(event, pattern):
                depth -= 1
                if depth == 0:
                    spans.append((begin, event.time))
        own[ref] = join(spans)
        of_process[trace.processes[ref]] += own[ref]
    return {ref: spans or join(of_process[trace.processes[ref]]) for ref, spans in own.items()}


def main():
    check = Check(sys.argv[1])
    if not visit_traces(sys.argv[2:], FEW, check.check):
        return 77
    wrong = check.wrong + check.window.wrong
    for words in wrong[:20]:
        print("FAIL:", words)
    print(f"{check.checks} checks, {check.window.records} records, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
