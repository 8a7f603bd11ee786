#!/usr/bin/env python3
"""Tables of exported traces, compared value by value with what python3-otf2 reads.

usage: compare_tables.py TRACEFOLD [--few | TRACE.otf2...]

CSV is compared here; tests/parquet/read_tables.mjs compares Parquet with it. Where a trace has irregular records, which the
program mends, calls are compared by their number.
"""
import csv
import math
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "cli"))
import shared_traces  # noqa: E402

try:
    import _otf2
    import otf2
    from otf2 import events as ev
except ImportError:
    print("no python3-otf2")
    sys.exit(77)

class Expected:
    """Rows by table, as python3-otf2 tells them, and times in ns by the documentation."""

    def __init__(self, anchor):
        self.rows = defaultdict(list)
        self.unsure = set()  # tables that depend on how irregular records are mended
        with otf2.reader.open(str(anchor)) as trace:
            clock = trace.definitions.clock_properties
            self.begin, self.resolution = clock.global_offset, clock.timer_resolution
            self.locations = {location._ref: location for location in trace.definitions.locations}
            self.find_ranks(trace)
            self.names = Counter()
            functions = {(r.name, r.canonical_name, r.source_file, r.begin_line_number) for r in trace.definitions.regions}
            self.names = Counter(name for name, *_ in functions)
            self.state = {ref: Process() for ref in self.locations}
            for location, event in trace.events:
                self.see(location, event)
            for ref, process in self.state.items():
                if process.open:
                    self.unsure.add("calls")
                    while process.open:
                        self.leave(ref, process, process.last, process.open[-1][0])
        self.match_messages()

    def ns(self, ticks):
        return (ticks - self.begin) * 1_000_000_000 // self.resolution

    def find_ranks(self, trace):
        self.rank = {}
        members = None
        for group in trace.definitions.groups:
            if group.group_type == otf2.GroupType.COMM_LOCATIONS and group.paradigm == otf2.Paradigm.MPI:
                members = list(group.members)
        by_group = {}
        for rank, member in enumerate(members or []):
            location = member if hasattr(member, "group") else self.locations[member]
            by_group.setdefault(location.group._ref, (rank, location._ref))
            self.rank[location._ref] = rank
        self.endpoint = {}
        for ref, location in self.locations.items():
            found = by_group.get(location.group._ref)
            self.rank.setdefault(ref, found[0] if found else None)
            self.endpoint[ref] = ref if ref in {m if isinstance(m, int) else m._ref for m in (members or [])} else (found[1] if found else ref)

    def see(self, location, event):
        ref = location._ref
        process = self.state[ref]
        if event.time < process.last:
            self.unsure |= {"calls", "metrics", "collectives"}
        process.last = max(process.last, event.time)
        kind = type(event)
        if kind is ev.Enter:
            process.open.append([event.region, event.time, 0, len(process.open)])
        elif kind is ev.Leave:
            self.leave(ref, process, event.time, event.region)
        elif kind is ev.Metric:
            metric = event.metric
            members = metric.members if hasattr(metric, "members") else metric.metric_class.members
            for member, value in zip(members, event.values):
                self.rows["metrics"].append((ref, member.name, self.ns(event.time), value))
        elif kind in (ev.MpiSend, ev.MpiIsend):
            key = (event.communicator._ref, self.endpoint[ref], self.partner(ref, event.communicator, event.receiver), event.msg_tag)
            process.sends.append((key, self.call_begin(process, event.time), event.time, event.msg_length))
        elif kind is ev.MpiRecv:
            key = (event.communicator._ref, self.partner(ref, event.communicator, event.sender), self.endpoint[ref], event.msg_tag)
            process.receives.append([key, self.call_begin(process, event.time), event.time, event.msg_length])
        elif kind is ev.MpiIrecvRequest:
            process.receives.append([None, None, None, None])
            process.requests.setdefault(event.request_id, []).append(process.receives[-1])
        elif kind is ev.MpiIrecv:
            key = (event.communicator._ref, self.partner(ref, event.communicator, event.sender), self.endpoint[ref], event.msg_tag)
            waiting = process.requests.get(event.request_id)
            slot = waiting.pop(0) if waiting else None
            if slot is None:
                process.receives.append([None] * 4)
                slot = process.receives[-1]
            slot[:] = [key, self.call_begin(process, event.time), event.time, event.msg_length]
        elif kind is ev.MpiCollectiveBegin:
            process.collective = event.time
        elif kind is ev.MpiCollectiveEnd:
            begin = process.collective if process.collective is not None else event.time
            process.collective = None
            name = str(event.collective_op).split(".")[-1].lower()
            key = (name, event.communicator._ref)
            self.rows["collectives"].append((ref, name, "blocking", event.communicator._ref, process.instances[key],
                                             event.size_sent, event.size_received, self.ns(event.time),
                                             self.ns(event.time) - self.ns(begin)))
            process.instances[key] += 1

        elif kind is ev.IoOperationBegin:
            process.io[event.handle._ref, event.matching_id] = event
        elif kind in (ev.IoOperationComplete, ev.IoOperationCancelled):
            begun = process.io.pop((event.handle._ref, event.matching_id), None)
            if begun:
                name = str(begun.mode).split(".")[-1].lower()
                done = event.bytes_result if kind is ev.IoOperationComplete else None
                self.rows["io"].append((ref, name, begun.handle._ref, begun.bytes_request, done, self.ns(event.time),
                                        self.ns(event.time) - self.ns(begun.time)))
        elif kind in (ev.RmaPut, ev.RmaGet, ev.RmaAtomic):
            process.rma[event.win._ref, event.matching_id] = event
        elif kind in (ev.RmaOpCompleteBlocking, ev.RmaOpCompleteNonBlocking, ev.RmaOpCompleteRemote):
            begun = process.rma.pop((event.win._ref, event.matching_id), None)
            if begun:
                name = {ev.RmaPut: "put", ev.RmaGet: "get", ev.RmaAtomic: "atomic"}[type(begun)]
                sent = begun.bytes_sent if name == "atomic" else begun.bytes if name == "put" else None
                received = begun.bytes_received if name == "atomic" else begun.bytes if name == "get" else None
                self.rows["rma"].append((ref, name, event.win._ref, sent, received, self.ns(event.time),
                                         self.ns(event.time) - self.ns(begun.time)))

    def call_begin(self, process, time):
        if process.open and process.open[-1][0].paradigm == otf2.Paradigm.MPI:
            return process.open[-1][1]
        return time

    def partner(self, ref, comm, rank):
        group = comm.group
        if group.group_type == otf2.GroupType.COMM_SELF:
            return self.endpoint[ref]
        members = list(group.members)
        member = members[rank]
        return member if isinstance(member, int) else member._ref

    def leave(self, ref, process, time, region):
        if not process.open:
            self.unsure.add("calls")
            return
        is_stream = self.locations[ref].type == otf2.LocationType.ACCELERATOR_STREAM
        at = len(process.open) - 1
        if is_stream:
            for k, call in enumerate(process.open):
                if call[0] is region or call[0] == region:
                    at = k
                    break
        elif process.open[-1][0] != region:
            self.unsure.add("calls")
        region, begin, callees, depth = process.open.pop(at)
        duration = self.ns(time) - self.ns(begin)
        if is_stream:
            depth, callees = 0, 0
        elif process.open:
            process.open[-1][2] += duration
        rank = self.rank[ref]
        self.rows["calls"].append((ref, rank, depth, region.name, self.ns(time), duration, duration - callees))

    def match_messages(self):
        receives = defaultdict(list)
        users = defaultdict(set)
        for ref, process in self.state.items():
            for key, begin, end, size in process.receives:
                if key:
                    receives[key].append((begin, end))
                    users[key, "receive"].add(ref)
        sends = Counter()
        for ref, process in self.state.items():
            for key, *_ in process.sends:
                sends[key] += 1
                users[key, "send"].add(ref)
        passed = Counter()
        for ref in sorted(self.state):
            for key, begin, end, size in self.state[ref].sends:
                known = (len(receives[key]) == sends[key] and len(users[key, "send"]) == 1 and len(users[key, "receive"]) == 1)
                row = (ref, key[2], key[3], key[0], size, self.ns(begin), self.ns(end))
                if known:
                    got, done = receives[key][passed[key]]
                    passed[key] += 1
                    late = min(max(self.ns(begin) - self.ns(got), 0), self.ns(done) - self.ns(got))
                    row += (self.ns(got), self.ns(done), late)
                else:
                    row += (None, None, None)
                self.rows["messages"].append(row)


class Process:
    def __init__(self):
        self.open, self.last = [], 0
        self.sends, self.receives, self.requests = [], [], {}
        self.collective, self.instances = None, Counter()
        self.io, self.rma = {}, {}


def number(text):
    return None if text == "" else int(text)


def read_rows(folder, table):
    with open(folder / f"{table}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Comparison:
    def __init__(self):
        self.values = self.wrong = 0

    def compare(self, what, expected, found):
        self.values += sum(len(row) for row in expected)
        if expected == found:
            return
        if len(expected) != len(found):
            self.fail(f"{what}: {len(found)} rows, not {len(expected)}")
        for one, other in zip(expected, found):
            if one != other:
                self.fail(f"{what}: {other}, not {one}")
                return

    def fail(self, words):
        self.wrong += 1
        print(words)


def same_number(value, text):
    """Metrics are compared as numbers, since decimal digits may differ."""
    number = float(text)
    return (math.isnan(value) and math.isnan(number)) if isinstance(value, float) and math.isnan(value) else float(value) == number


def compare(tracefold, anchor, comparison):
    try:
        expected = Expected(anchor)
    except (_otf2.Error, KeyError) as problem:
        print(f"{Path(anchor).parent.name}: python3-otf2 does not read it: {problem}")
        return
    with tempfile.TemporaryDirectory() as work:
        out = Path(work) / "tables"
        subprocess.run([tracefold, "export", anchor, "-o", out, "--format", "csv", "-q", "--tables",
                        "calls,messages,collectives,metrics,io,rma,processes"], check=True, stdout=subprocess.DEVNULL)
        name = Path(anchor).parent.name

        calls = [(int(r["process"]), number(r["rank"]), int(r["depth"]), r["function"], int(r["end_ns"]),
                  int(r["duration_ns"]), int(r["exclusive_ns"])) for r in read_rows(out, "calls")]
        if "calls" not in expected.unsure and max(expected.names.values(), default=1) == 1:
            by_process = sorted(expected.rows["calls"], key=lambda row: row[0])
            comparison.compare(f"{name}: calls", by_process, calls)
            ends = [(row[0], row[4]) for row in calls]
            if ends != sorted(ends):
                comparison.fail(f"{name}: calls are not sorted by process and end")
        else:
            print(f"{name}: calls are irregular, and compared by their number: {len(calls)} of {len(expected.rows['calls'])}")

        messages = [tuple(number(r[c]) for c in ("sender", "receiver", "tag", "communicator", "bytes", "send_begin_ns",
                                                 "send_end_ns", "receive_begin_ns", "receive_end_ns", "waiting_ns"))
                    for r in read_rows(out, "messages")]
        comparison.compare(f"{name}: messages", expected.rows["messages"], messages)

        collectives = [(int(r["process"]), r["operation"], r["kind"], int(r["communicator"]), int(r["instance"]),
                        int(r["bytes_sent"]), int(r["bytes_received"]), int(r["end_ns"]), int(r["duration_ns"]))
                       for r in read_rows(out, "collectives") if r["kind"] == "blocking"]
        comparison.compare(f"{name}: collectives", sorted(expected.rows["collectives"], key=lambda row: row[0]), collectives)

        metrics = read_rows(out, "metrics")
        wanted = sorted(expected.rows["metrics"], key=lambda row: row[0])
        if "metrics" not in expected.unsure:
            comparison.compare(f"{name}: metrics", [row[:3] for row in wanted],
                               [(int(r["process"]), r["metric"], int(r["time_ns"])) for r in metrics])
            for row, found in zip(wanted, metrics):
                comparison.values += 2
                exact = found["integer"] == "" if isinstance(row[3], float) else int(found["integer"]) % 2**64 == row[3] % 2**64
                if not same_number(row[3], found["value"]) or not exact:
                    comparison.fail(f"{name}: metric {found}, not {row}")
                    break

        # Operations that never complete have rows at the end of their process, and no bytes or a mark.
        io = [(int(r["process"]), r["operation"], number(r["handle"]), number(r["bytes_requested"]), number(r["bytes"]), int(r["end_ns"]),
               int(r["duration_ns"])) for r in read_rows(out, "io") if r["operation"] in ("read", "write", "flush")]
        comparison.compare(f"{name}: io", sorted(expected.rows["io"], key=lambda row: row[0]), io)
        rma = [(int(r["process"]), r["operation"], int(r["window"]), number(r["bytes_sent"]), number(r["bytes_received"]),
                int(r["end_ns"]), int(r["duration_ns"]))
               for r in read_rows(out, "rma") if r["operation"] in ("put", "get", "atomic") and r["is_complete"] == "1"]
        comparison.compare(f"{name}: rma", sorted(expected.rows["rma"], key=lambda row: row[0]), rma)

        processes = [(int(r["process"]), number(r["rank"]), r["name"]) for r in read_rows(out, "processes")]
        comparison.compare(f"{name}: processes", [(ref, expected.rank[ref], expected.locations[ref].name)
                                                  for ref in sorted(expected.locations)], processes)


FEW = ["amg_8x2", "btmz_S_2x3", "luleshph_8x4", "npb_cg_S_4", "npbph_lu_W_9", "scorep15-sptc-cuda-10", "scorep202-mpicoverage-10",
       "scorep40-cloverleaf-openacc-cuda-6", "scorep40-ompt-nested-10", "scorep71-pingpong-papi-2", "scorep90-mi300-metrics-32"]


def make(script, folder):
    folder.mkdir()
    subprocess.run([sys.executable, TESTS / script, folder], check=True, stdout=subprocess.DEVNULL)
    return folder / "traces.otf2"


def main():
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as work:
        for script in ("dataframes/make_odd_trace.py", "cli/make_records_trace.py", "cli/make_counter_trace.py"):
            compare(sys.argv[1], make(script, Path(work) / Path(script).stem), comparison)
    if not shared_traces.visit_traces(sys.argv[2:], FEW, lambda name, anchor: compare(sys.argv[1], anchor, comparison),
                                      (shared_traces.PACKS, shared_traces.PUBLIC_PACKS)):
        sys.exit(77)
    print(f"{comparison.values} values compared, {comparison.wrong} wrong")
    sys.exit(1 if comparison.wrong or not comparison.values else 0)


if __name__ == "__main__":
    main()
