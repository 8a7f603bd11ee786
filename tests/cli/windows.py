#!/usr/bin/env python3
"""Windows in time that tile a trace add up to it.

usage: windows.py TRACEFOLD [--few | TRACE.otf2...]

Of each trace, of all shared ones or those that are given, and of a made one with counters, windows that tile its time
are written with all processes, and so are some iterations of its main loop; each is verified, and read by python3-otf2.
Every location has to have what this script finds in the original by its own means: the last values of metrics where a
part of the time begins, with increments of 0 and without what counters grew by between parts; the calls that are open
there, entered; then all records inside, but for those of messages, collectives, forks and teams of threads that are not
wholly inside, at any of their ends; then Leave records of what is open where it ends. Records of counters right at a
border are before it. What is inside, of all windows together, is the original but for what crosses.

Then one location gets no part of the time: nothing is recorded of it, and all that reads traces does without.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import otf2
from otf2.enums import MetricMode
from otf2.events import (Enter, Leave, Metric, MpiCollectiveBegin, MpiCollectiveEnd, MpiIrecv, MpiIrecvRequest,
                         MpiIsend, MpiIsendComplete, MpiRecv, MpiRequestCancelled, MpiRequestTest, MpiSend, ThreadFork,
                         ThreadJoin, ThreadTeamBegin, ThreadTeamEnd)

from shared_traces import read_ranges, visit_traces

FEW = ("npb_lu_W_16", "luleshph_8x4", "btmz_W_4x4", "npb_ft_S_16")
BORDERS = (0, 20, 45, 50, 100)  # percent
BEGINS = {MpiIsend: "request", MpiIrecvRequest: "request", MpiCollectiveBegin: "collective", ThreadFork: "fork",
          ThreadTeamBegin: "team"}
ENDS = {MpiIsendComplete: "request", MpiIrecv: "request", MpiRequestCancelled: "request",
        MpiCollectiveEnd: "collective", ThreadJoin: "fork", ThreadTeamEnd: "team"}
WHOLE = (MpiSend, MpiRecv, MpiIrecv, MpiCollectiveEnd)  # where they are not begun before
INCREMENTS = {MetricMode.RELATIVE_POINT, MetricMode.RELATIVE_LAST, MetricMode.RELATIVE_NEXT}
COUNTERS = INCREMENTS | {MetricMode.ACCUMULATED_START, MetricMode.ACCUMULATED_POINT, MetricMode.ACCUMULATED_LAST,
                         MetricMode.ACCUMULATED_NEXT}


def show(event):
    """What is compared of a record, without what is numbered anew."""
    kind = type(event).__name__
    if isinstance(event, (Enter, Leave)):
        return kind, event.region.name
    if isinstance(event, (MpiSend, MpiIsend)):
        return kind, event.receiver, event.msg_tag, event.msg_length
    if isinstance(event, (MpiRecv, MpiIrecv)):
        return kind, event.sender, event.msg_tag, event.msg_length
    if isinstance(event, MpiCollectiveEnd):
        return kind, event.collective_op, event.size_sent, event.size_received
    if isinstance(event, Metric):
        return kind, tuple(member.name for member in event.metric.members), tuple(event.values)
    return (kind,)


def is_counter(event):
    return isinstance(event, Metric) and any(member.metric_mode in COUNTERS for member in event.metric.members)


class Counters:
    """What metrics of a location show: of what accumulates, what it grew by between parts of the time is left out."""

    def __init__(self):
        self.shown, self.left_out = {}, collections.defaultdict(int)

    def show(self, event, from_outside):
        values = []
        for number, (member, value) in enumerate(zip(event.metric.members, event.values)):
            key = event.metric._ref, number
            if member.metric_mode in INCREMENTS and from_outside:
                value = 0
            elif member.metric_mode in COUNTERS - INCREMENTS:
                if from_outside and key in self.shown:
                    self.left_out[key] = value - self.shown[key]
                value = self.shown[key] = value - self.left_out[key]
            values.append(value)
        return "Metric", tuple(member.name for member in event.metric.members), tuple(values)


class Location:
    """The records of one location, and the number of the operation that each is of."""

    def __init__(self):
        self.records, self.operations, self.first = [], [], []
        self.channels = {}  # by operation
        self.open = collections.defaultdict(list)

    def add(self, event):
        operation = self.number(event)
        self.records.append(event)
        self.operations.append(operation)
        if isinstance(event, (MpiSend, MpiIsend)):
            self.channels[operation] = ("sent", event.communicator._ref, event.receiver, event.msg_tag)
        elif isinstance(event, (MpiRecv, MpiIrecv)):
            self.channels[operation] = ("received", event.communicator._ref, event.sender, event.msg_tag)
        elif isinstance(event, MpiCollectiveEnd):
            self.channels[operation] = ("collective", event.communicator._ref)

    def number(self, event):
        kind = type(event)
        key = (BEGINS.get(kind) or ENDS.get(kind), getattr(event, "request_id", None))
        if kind is MpiRequestTest:
            known = self.open[("request", event.request_id)]
            return known[-1] if known else None
        if kind in BEGINS:
            self.first.append(len(self.records))
            self.open[key].append(len(self.first) - 1)
            return len(self.first) - 1
        if kind in ENDS and self.open[key]:
            return self.open[key].pop()
        if kind in WHOLE:
            self.first.append(len(self.records))
            return len(self.first) - 1
        return None


class Trace:
    def __init__(self, anchor):
        self.locations = collections.defaultdict(Location)
        self.ranks, self.process = {}, {}
        with otf2.reader.open(str(anchor)) as trace:
            for comm in trace.definitions.comms:
                members = comm.group.members
                if comm.group.group_type != otf2.GroupType.COMM_SELF and members:
                    self.ranks[comm._ref] = [member._ref for member in members]
            self.ticks_per_second = trace.timer_resolution
            self.processes = {location._ref: location.group._ref for location in trace.definitions.locations}
            for location, event in trace.events:
                self.locations[location._ref].add(event)
        with_records = [location for location in self.locations.values() if location.records]
        self.first = min(location.records[0].time for location in with_records)
        self.last = max(location.records[-1].time for location in with_records)

    def match(self):
        """Lists of (location, operation) that are one: the n-th ones of a channel."""
        together = collections.defaultdict(list)
        for ref, location in self.locations.items():
            counts = collections.Counter()
            for operation in sorted(location.channels):
                kind, comm, *rest = location.channels[operation]
                if kind == "collective":
                    key = (kind, comm, None if len(self.ranks.get(comm, ())) > 1 else ref)
                elif kind == "sent":
                    key = ("message", comm, self.processes[ref], self.find_process(comm, rest[0]), rest[1])
                else:
                    key = ("message", comm, self.find_process(comm, rest[0]), self.processes[ref], rest[1])
                counts[key, kind] += 1
                together[key, counts[key, kind]].append((ref, operation))
        return together.values()

    def find_process(self, comm, rank):
        return self.processes[self.ranks[comm][rank]]

    def find_crossing(self, spans_of):
        """(location, operation) of which a record, or one of what it is matched with, is outside."""
        outside, inside = set(), set()
        for ref, location in self.locations.items():
            for event, operation in zip(location.records, location.operations):
                if operation is None:
                    continue
                if any(begin <= event.time < end for begin, end in spans_of(ref)):
                    inside.add((ref, operation))
                elif not isinstance(event, MpiRequestTest):
                    outside.add((ref, operation))
        for one in self.match():
            if any(operation in outside for operation in one):
                outside.update(one)
        return inside & outside


def list_records(location, ref, crossing, spans):
    """What a window has of a location, and how many records of the original it accounts for."""
    wanted, stack, metrics, counted = [], [], {}, 0
    counters = Counters()
    spans = list(spans)
    is_inside = False
    for event, operation in zip(location.records, location.operations):
        while spans:
            begin, end = spans[0]
            if is_inside:
                if event.time < end or (event.time == end and is_counter(event)):
                    break
                wanted += [(end, "Leave", region) for region in reversed(stack)]
                is_inside = False
                spans.pop(0)
            elif event.time > begin or (event.time == begin and not isinstance(event, Leave) and not is_counter(event)):
                wanted += [(begin,) + counters.show(metric, True) for _, metric in sorted(metrics.items())]
                wanted += [(begin, "Enter", region) for region in stack]
                metrics = {}
                is_inside = True
            else:
                break
        has_none_open = isinstance(event, Leave) and not stack
        if isinstance(event, Enter):
            stack.append(event.region.name)
        elif isinstance(event, Leave) and stack:
            stack.pop()

        is_cut = has_none_open or (ref, operation) in crossing
        # Leave records right at a begin are those that the window before has at its end.
        counted += is_inside or bool(spans and isinstance(event, Leave) and event.time == spans[0][0])
        if is_inside and not is_cut:
            wanted.append((event.time,) + (counters.show(event, False) if isinstance(event, Metric) else show(event)))
        elif isinstance(event, Metric) and any(m.metric_mode not in INCREMENTS for m in event.metric.members):
            metrics[event.metric._ref] = event

    if is_inside:
        wanted += [(location.records[-1].time, "Leave", region) for region in reversed(stack)]
    return wanted, counted


class Check:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.records, self.windows, self.wrong = 0, 0, []

    def run(self, *arguments, **options):
        return subprocess.run([self.tracefold, *map(str, arguments)], check=True, stdout=subprocess.PIPE, **options)

    def check(self, name, anchor):
        try:
            trace = Trace(anchor)
        except Exception as error:  # definitions that are there twice
            print(f"{name}: python3-otf2 does not read it: {error}")
            return
        counted = collections.Counter()
        for a, b in zip(BORDERS, BORDERS[1:]):
            begin, end = (trace.first + ((trace.last - trace.first) * percent + 50) // 100 for percent in (a, b))
            begin, end = begin if a > 0 else 0, end + (b == 100)  # nothing is before the first
            self.check_window(f"{name} {a}-{b} %", anchor, trace, ("--time", f"{a}%-{b}%"),
                              lambda plan: lambda ref: [(begin, end)], counted)
        for ref, location in trace.locations.items():
            if counted[ref] != len(location.records):
                self.wrong.append(f"{name}: location {ref}: {counted[ref]} of {len(location.records)} records in all")
        self.check_iterations(name, anchor, trace, (1, 3))
        self.check_empty_location(name, anchor, trace)

    def check_iterations(self, name, anchor, trace, iterations):
        """Iterations begin with a call of the process."""
        asked = ("--iterations-only", ",".join(map(str, iterations)))
        found = subprocess.run([self.tracefold, "filter", anchor, *asked], capture_output=True, text=True)
        if found.returncode == 2:
            print(f"{name}: {found.stderr.strip()}")
            return
        self.check_window(f"{name} iterations", anchor, trace, asked, read_spans, collections.Counter())
        begins = collections.defaultdict(set)
        for ref, location in trace.locations.items():
            begins[trace.processes[ref]].update(event.time for event in location.records if isinstance(event, Enter))
        for own in json.loads(found.stdout)["filters"][-1]["time"]["own"]:
            for ref in read_ranges(own["locations"]):
                self.wrong += [f"{name}: location {ref}: no call begins at {begin}"
                               for begin, _ in own["spans"] if int(begin) not in begins[trace.processes[ref]]]

    def check_empty_location(self, name, anchor, trace):
        plan = json.loads(self.run("filter", anchor, "--time", "20%-90%", "-q").stdout)
        ref = sorted(trace.locations)[len(trace.locations) // 2]
        plan["filters"][-1]["time"]["own"] = [{"locations": str(ref), "spans": []}]
        text = json.dumps(plan).encode()
        with tempfile.TemporaryDirectory() as folder:
            plain, folded = (pathlib.Path(folder) / way for way in ("plain", "folded"))
            try:
                for command in (("profile", "--per-process"), ("similarity", "--pairs"), ("similarity",)):
                    self.run(*command, "-q", input=text)
                chosen = self.run("select", "-q", input=self.run("group", "-q", input=text).stdout).stdout
                iterations = self.run("iterations", "-q", input=chosen).stdout
                self.run("write", "-q", "-o", plain, "--keep-ids", input=text)
                self.run("write", "-q", "-o", folded, input=iterations)
                for out in (plain, folded):
                    self.run("verify", out / "traces.otf2", "--against", anchor)
                    self.run("profile", out / "traces.otf2", "--per-process", "-q")
                    self.run("iterations", out / "traces.otf2", "-q")
            except subprocess.CalledProcessError as error:
                self.wrong.append(f"{name}: without location {ref}: {error}")
                return
            found = Trace(plain / "traces.otf2").locations
            self.wrong += [f"{name}: location {ref} has records"] if found[ref].records else []
        self.windows += 1

    def check_window(self, name, anchor, trace, options, choose_spans, counted):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "window"
            try:
                plan = self.run("filter", anchor, *options, "-q").stdout
                self.run("write", "-o", out, "--keep-ids", "--plain-names", "-q", input=plan)
                self.run("verify", out / "traces.otf2", "--against", anchor)
            except subprocess.CalledProcessError as error:
                self.wrong.append(f"{name}: {error}")
                return
            found = Trace(out / "traces.otf2")

        spans_of = choose_spans(json.loads(plan))
        crossing = trace.find_crossing(spans_of)
        self.windows += 1
        for ref, location in trace.locations.items():
            wanted, count = list_records(location, ref, crossing, spans_of(ref))
            got = [(event.time,) + show(event) for event in found.locations[ref].records]
            self.records += len(wanted)
            counted[ref] += count
            if got != wanted:
                pairs = enumerate(zip(got, wanted))
                place = next((i for i, (x, y) in pairs if x != y), min(len(got), len(wanted)))
                self.wrong.append(f"{name}: location {ref}: {len(got)} records, not {len(wanted)}; record {place}: "
                                  f"{got[place:place + 2]} instead of {wanted[place:place + 2]}")


def read_spans(plan):
    """By location, what the plan says that its iterations are."""
    window = plan["filters"][-1]["time"]
    of_location = {}
    for own in window["own"]:
        for ref in read_ranges(own["locations"]):
            of_location[ref] = [tuple(map(int, span)) for span in own["spans"]]
    common = [tuple(map(int, span)) for span in window["spans"]]
    return lambda ref: of_location.get(ref, common)


def check_made_counters(check):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, pathlib.Path(__file__).with_name("make_counter_trace.py"), f"{folder}/counters"], check=True)
        check.check("made counters", f"{folder}/counters/traces.otf2")


def main():
    check = Check(sys.argv[1])
    if not visit_traces(sys.argv[2:], FEW, check.check):
        return 77
    check_made_counters(check)

    print("\n".join(check.wrong[:40]))
    print(f"{check.windows} windows, {check.records} records compared, {len(check.wrong)} wrong")
    return bool(check.wrong)


if __name__ == "__main__":
    sys.exit(main())
