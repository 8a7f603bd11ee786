#!/usr/bin/env python3
"""Computes from an original what the metrics of members in a reduced trace of it have to say.

usage: member_metrics.py TRACEFOLD [TRACE.otf2...]   (77: python3-otf2, otf2-print or traces are missing)

Without traces: some of the shared ones, of $TRACEFOLD_SHARED/traces, by default beside the project.

Each trace is reduced with `--member-metrics on`. The records of these metrics in the result say when iterations of a
kept process begin; with which calls they do so, by its calls in the original; and then when those of
the processes begin that it stands for, at the same calls of theirs. What these compute and wait in
between is added up here from what python3-otf2 and otf2-print read. Where iterations are no single
calls, all but the last of a loop are compared, since only the next one tells where one ends. Each
trace is reduced without looking for iterations, too, and what members do in each part of the run is
compared.

Shares no code with tracefold.
"""
import bisect
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import otf2
except ImportError:
    sys.exit(77)

import waits_check
from shared_traces import PACKS

SOME = ("npb_lu_W_16", "hpccg_16", "luleshph_8x4", "minife_8")
NAMES = [f"members: {what} {which}" for what in ("computation", "waiting") for which in ("min", "mean", "max")]
CLOSE = 1e-9  # seconds
MOST_SLICES = 1000  # of the run


class Run:
    """One location of the original: its calls, and how long it computes."""

    def __init__(self):
        self.stack, self.segments, self.last = [], [], 0
        self.times, self.events = None, 0  # of the first and the last event; how many there are
        self.calls = collections.defaultdict(list)  # by call path: when each is entered and left

    def pass_to(self, time):
        if self.stack and self.stack[-1].computes and time > self.last:
            self.segments.append((self.last, time))
        self.last = time

    def enter(self, time, region):
        self.pass_to(time)
        self.stack.append(Open(region))
        times = [time, None]
        self.stack[-1].times = times
        self.calls["/".join(call.name for call in self.stack)].append(times)

    def leave(self, time):
        self.pass_to(time)
        self.stack.pop().times[1] = time

    def find_path(self, time):
        """The outermost call that is entered at this time, and how many of it were entered before."""
        for path in sorted(self.calls, key=lambda p: p.count("/")):
            calls = self.calls[path]
            at = bisect.bisect_left(calls, [time])
            if at < len(calls) and calls[at][0] == time:
                return path, at, len(calls)
        return None


class Open:
    """A call. OpenMP's constructs that run the program compute, its waiting and managing does not."""

    RUN_THE_PROGRAM = [getattr(otf2.RegionRole, role) for role in (
        "LOOP", "CODE", "PARALLEL", "SECTIONS", "SECTION", "WORKSHARE", "SINGLE_SBLOCK", "MASTER", "TASK",
        "TASK_UNTIED", "CRITICAL_SBLOCK", "ORDERED_SBLOCK")]

    def __init__(self, region):
        self.name = region.name
        if region.paradigm == otf2.Paradigm.OPENMP:
            self.computes = region.region_role in self.RUN_THE_PROGRAM
        else:
            self.computes = (region.paradigm != otf2.Paradigm.MPI and not self.name.startswith("MPI_")
                             and region.region_role not in (otf2.RegionRole.FILE_IO, otf2.RegionRole.FILE_IO_METADATA))


def number(location):
    return location._ref if isinstance(location._ref, int) else int(location._ref)


def read_original(anchor):
    runs = collections.defaultdict(Run)
    with otf2.reader.open(anchor) as trace:
        second = trace.timer_resolution
        clock = trace.definitions.clock_properties
        interval = clock.global_offset, clock.trace_length
        for location, event in trace.events:
            run = runs[number(location)]
            run.times, run.events = (run.times[0] if run.times else event.time, event.time), run.events + 1
            if isinstance(event, otf2.events.Enter):
                run.enter(event.time, event.region)
            elif isinstance(event, otf2.events.Leave):
                run.leave(event.time)
    return runs, second, interval


def read_reduced(anchor):
    """By source of a location that has such metrics: its members, and its records."""
    found = {}
    with otf2.reader.open(anchor) as trace:
        properties = collections.defaultdict(dict)
        for p in trace.definitions.location_properties:
            properties[number(p.location)][p.name] = p.value
        for location, event in trace.events:
            if not isinstance(event, otf2.events.Metric):
                continue
            names = [member.name for member in event.metric.members]
            if not names[0].startswith("members: "):
                continue
            assert names == NAMES[:len(names)], names
            assert all(m.value_type == otf2.Type.DOUBLE and m.unit == "s" for m in event.metric.members)
            mine = properties[number(location)]
            members = expand(mine["tracefold::members"])
            assert len(members) > 1
            source = int(mine["tracefold::source"])
            found.setdefault(source, (members, []))[1].append((event.time, list(event.values)))
    return found


def list_single_calls(folder):
    """The kept processes each of whose iterations is one call, of a region that is marked."""
    with open(folder + "/tracefold.json") as plan:
        folded = json.load(plan).get("iterations", {}).get("processes", [])
    return {int(p["process"]) for p in folded if p["loops"] and all(loop["source"] == "marked" for loop in p["loops"])}


def expand(ranges):
    found = []
    for part in ranges.split(","):
        span, _, stride = part.partition(":")
        first, _, last = span.partition("-")
        found += range(int(first), int(last or first) + 1, int(stride or 1))
    return found


def add_up(run, waits, iterations, second):
    """Computation and waiting in each of the iterations, which have begin and end."""
    computation, waiting = [0] * len(iterations), [0] * len(iterations)
    begins = [begin for begin, _ in iterations]
    for first, last in run.segments:
        k = max(bisect.bisect_right(begins, first) - 1, 0)
        while k < len(iterations) and begins[k] < last:
            computation[k] += max(0, min(last, iterations[k][1]) - max(first, begins[k]))
            k += 1
    for time, ticks in waits:
        k = bisect.bisect_right(begins, time) - 1
        if k >= 0 and time < iterations[k][1]:
            waiting[k] += ticks
    return [[c / second for c in computation], [w / second for w in waiting]]


class Check:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.wrong = []
        self.values = 0

    def find_iterations(self, run, calls, are_single_calls):
        """The iterations of a member, which makes the same calls: but for the last one of a loop."""
        found = []
        for path, at, all_of_them in calls:
            of_path = run.calls.get(path, [])
            if len(of_path) != all_of_them:
                return None
            found.append(of_path[at])
        if are_single_calls:
            return found
        return [[begin, after] for (begin, _), (after, _) in zip(found, found[1:])]

    def check_kept(self, name, source, reduced, runs, waits, second, are_single_calls):
        members, records = reduced
        calls = [runs[source].find_path(time) for time, _ in records]
        if None in calls:
            return False
        tables = []
        for member in members:
            iterations = self.find_iterations(runs[member], calls, are_single_calls)
            if iterations is None or iterations != sorted(iterations):
                return False
            of_waits = [(entered, ticks) for entered, _, ticks in waits[member]]
            tables.append(add_up(runs[member], of_waits, iterations, second))
        for k in range(len(tables[0][0])):
            if not are_single_calls and calls[k][0] != calls[k + 1][0]:
                continue  # the last of its loop
            self.compare(f"{name}: location {source}, record {k}", records[k][1],
                         [[table[what][k] for table in tables] for what in (0, 1)])
        return True

    def check_slices(self, name, source, reduced, runs, waits, second, interval):
        members, records = reduced
        count = min(runs[source].events, MOST_SLICES)
        slices = [interval[0] + interval[1] * k // count for k in range(count + 1)]
        ends = [*slices[1:-1], float("inf")]
        kept = runs[source].times
        lived = [k for k in range(count) if ends[k] > kept[0] and (k == 0 or slices[k] <= kept[1])]
        if [time for time, _ in records] != [max(slices[k], kept[0]) for k in lived]:
            self.wrong.append(f"{name}: location {source} records its metrics at other times")
            return
        iterations = [[0 if k == 0 else slices[k], ends[k]] for k in range(count)]
        tables = {m: add_up(runs[m], [(left, ticks) for _, left, ticks in waits[m]], iterations, second) for m in members}
        for (_, told), k in zip(records, lived):
            there = [m for m in members if ends[k] > runs[m].times[0] and (k == 0 or slices[k] <= runs[m].times[1])]
            self.compare(f"{name}: location {source}, slice {k}", told, [[tables[m][what][k] for m in there] for what in (0, 1)])

    def compare(self, where, told, of_members):
        for what in range(len(told) // 3):
            values = of_members[what]
            right = [min(values), sum(values) / len(values), max(values)]
            self.values += 3
            if any(abs(a - b) > CLOSE for a, b in zip(told[3 * what:], right)):
                self.wrong.append(f"{where}: {told[3 * what:3 * what + 3]}, not {right}")

    def reduce(self, original, folder, *options):
        subprocess.run([self.tracefold, "reduce", "-q", original, "-o", folder, "--member-metrics", "on", *options], check=True,
                       stderr=subprocess.DEVNULL)
        return read_reduced(folder + "/traces.otf2")

    def check(self, original, folder):
        name = original.split("/")[-2]
        reduced = self.reduce(original, folder)
        runs, second, interval = read_original(original)
        calls, sends, posts, parts = waits_check.read(original)
        waits_check.match(sends, posts, parts)
        waits = collections.defaultdict(list)
        for location, call, _, ticks, *_ in waits_check.list_waits(calls):
            waits[location].append((call.entered, call.left, ticks))

        before, compared = self.values, 0
        single_calls = list_single_calls(folder)
        for source, of_source in sorted(reduced.items()):
            compared += self.check_kept(name, source, of_source, runs, waits, second, source in single_calls)
        sliced = self.reduce(original, folder + "_whole", "--iterations", "off")
        for source, of_source in sorted(sliced.items()):
            self.check_slices(name, source, of_source, runs, waits, second, interval)
        print(f"{name}: {compared} of {len(reduced)} processes with such metrics compared, and {len(sliced)} without loops: "
              f"{self.values - before} values")
        if reduced and not compared:
            self.wrong.append(f"{name}: nothing could be compared")


def list_traces(folder):
    """Shared traces of several kinds, unpacked into a folder."""
    for name in SOME:
        pack = PACKS / f"{name}.tar.zst"
        if pack.exists():
            subprocess.run(["tar", "--zstd", "-xf", pack, "-C", folder], check=True)
    return sorted(map(str, pathlib.Path(folder).rglob("*.otf2")))


def main():
    if not shutil.which("otf2-print"):
        sys.exit(77)
    check = Check(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        originals = sys.argv[2:] or list_traces(folder)
        if not originals:
            print(f"no shared traces at {PACKS}")
            sys.exit(77)
        for k, original in enumerate(originals):
            check.check(original, os.path.join(folder, f"small_{k}"))
    print("\n".join(check.wrong[:20]))
    sys.exit(bool(check.wrong) or not check.values)


main()
