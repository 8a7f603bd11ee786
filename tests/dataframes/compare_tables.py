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

OF_PROGRAM = ("UNKNOWN", "USER", "COMPILER", "SAMPLING", "NONE")


class Expected:
    """Rows by table, as python3-otf2 tells them, and times in ns by the documentation.

    Calls of functions with these names are left out, and deep ones of the program's own functions.
    """

    def __init__(self, anchor, dropped=(), max_depth=None):
        self.dropped, self.max_depth = set(dropped), max_depth
        self.counts = defaultdict(Counter)  # by name: of calls
        self.rows = defaultdict(list)
        self.unsure = set()  # tables that depend on how irregular records are mended
        with otf2.reader.open(str(anchor)) as trace:
            clock = trace.definitions.clock_properties
            self.begin, self.resolution = clock.global_offset, clock.timer_resolution
            self.locations = {location._ref: location for location in trace.definitions.locations}
            self.has_no_samples = not list(trace.definitions.calling_contexts)
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
                        self.leave(ref, process, process.last, process.open[-1].region)
            self.read_definitions(trace.definitions)
        self.match_messages()

    def read_definitions(self, definitions):
        """Rows of processes, locations_of_nodes and functions."""
        types = {"CPU_THREAD": "cpu thread", "ACCELERATOR_STREAM": "accelerator stream", "GPU": "accelerator stream", "METRIC": "metric"}
        for ref in sorted(self.locations):
            location = self.locations[ref]
            group = location.group
            node = group.system_tree_parent
            self.rows["processes"].append((ref, self.rank[ref], location.name, types[str(location.type).split(".")[-1]], group._ref,
                                           group.name, node.name if node else "", ref, location.number_of_events))
            while node:
                above, level = node.parent, 0
                while above:
                    above, level = above.parent, level + 1
                self.rows["locations_of_nodes"].append((node._ref, level, node.class_name, node.name,
                                                        node.parent._ref if node.parent else None, ref))
                node = node.parent
        self.rows["locations_of_nodes"].sort(key=lambda row: (row[0], row[-1]))
        functions = {(r.name, r.source_file or "", r.begin_line_number if r.source_file else 0) for r in definitions.regions}
        self.rows["functions"] = sorted(functions)

    def sum_profile(self):
        """Visits and exclusive time of each process in functions of a name."""
        sums = defaultdict(lambda: [0, 0])
        for ref, _, _, name, _, _, exclusive in self.rows["calls"]:
            sums[ref, name][0] += 1
            sums[ref, name][1] += exclusive
        return sums

    def sum_matrix(self):
        """Messages and bytes between ranks."""
        sums = defaultdict(lambda: [0, 0])
        for sender, receiver, _, _, size, *_ in self.rows["messages"]:
            sums[self.rank[sender], self.rank[receiver]][0] += 1
            sums[self.rank[sender], self.rank[receiver]][1] += size
        return sorted((pair, tuple(sum)) for pair, sum in sums.items())

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
            if process.open:
                process.open[-1].calls = True
            process.open.append(Call(event.region, event.time, self.is_left_out(event.region, len(process.open)),
                                     sum(not call.left_out for call in process.open)))
        elif kind is ev.Leave:
            self.leave(ref, process, event.time, event.region)
        elif kind is not ev.Metric and process.open:
            process.open[-1].records = True
        if kind is ev.Metric:
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

    def is_left_out(self, region, depth):
        if region.name in self.dropped:
            return True
        of_program = (str(region.paradigm).split(".")[-1] in OF_PROGRAM and not region.name.startswith("MPI_")
                      and "FILE_IO" not in str(region.region_role))
        return self.max_depth is not None and depth >= self.max_depth and of_program

    def list_short(self, nanoseconds):
        """Names of functions most of whose calls call nothing, which are shorter by the median, and hold no records."""
        ticks = round(nanoseconds * self.resolution / 1e9)
        return [name for name, calls in self.counts.items()
                if not calls["records"] and 2 * calls["leaves"] > calls["all"]
                and 2 * sum(n for (what, length), n in ((k, v) for k, v in calls.items() if isinstance(k, tuple)) if length < ticks)
                > calls["leaves"]]

    def call_begin(self, process, time):
        if process.open and process.open[-1].region.paradigm == otf2.Paradigm.MPI:
            return process.open[-1].begin
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
                if call.region is region or call.region == region:
                    at = k
                    break
        elif process.open[-1].region != region:
            self.unsure.add("calls")
        call = process.open.pop(at)
        counts = self.counts[call.region.name]
        counts["all"] += 1
        counts["records"] += call.records
        if not call.calls:
            counts["leaves"] += 1
            counts["leaf", time - call.begin] += 1
        duration = self.ns(time) - self.ns(call.begin)
        if is_stream:
            call.depth, call.callees = 0, 0
        elif process.open:
            process.open[-1].callees += call.callees if call.left_out else duration
        if not call.left_out:
            self.rows["calls"].append((ref, self.rank[ref], call.depth, call.region.name, self.ns(time), duration, duration - call.callees))

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


class Call:
    def __init__(self, region, begin, left_out, depth):
        self.region, self.begin, self.left_out, self.depth = region, begin, left_out, depth
        self.callees, self.calls, self.records = 0, False, False


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
        self.values = self.wrong = self.thinned = 0  # thinned: calls that are left out

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


def read_calls(folder):
    return [(int(r["process"]), number(r["rank"]), int(r["depth"]), r["function"], int(r["end_ns"]), int(r["duration_ns"]),
             int(r["exclusive_ns"])) for r in read_rows(folder, "calls")]


def compare_thinned(tracefold, anchor, name, whole, comparison):
    """Short functions and deep calls, whose time goes to the callers that stay."""
    for option, expected in ((("--shorter-than", "2us"), Expected(anchor, dropped=whole.list_short(2000))),
                             (("--max-depth", "2"), Expected(anchor, max_depth=2))):
        with tempfile.TemporaryDirectory() as work:
            out = Path(work) / "tables"
            subprocess.run([tracefold, "export", anchor, "-o", out, "--format", "csv", "-q", "--tables", "calls", *option],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            comparison.compare(f"{name} {' '.join(option)}: calls", sorted(expected.rows["calls"], key=lambda row: row[0]),
                               read_calls(out))
            comparison.thinned += len(whole.rows["calls"]) - len(expected.rows["calls"])


def compare(tracefold, anchor, comparison):
    try:
        expected = Expected(anchor)
    except (_otf2.Error, KeyError) as problem:
        print(f"{Path(anchor).parent.name}: python3-otf2 does not read it: {problem}")
        return
    with tempfile.TemporaryDirectory() as work:
        out = Path(work) / "tables"
        subprocess.run([tracefold, "export", anchor, "-o", out, "--format", "csv", "-q", "--tables",
                        "calls,messages,collectives,metrics,io,rma,processes,locations_of_nodes,functions,profile,matrix"], check=True, stdout=subprocess.DEVNULL)
        name = Path(anchor).parent.name

        calls = read_calls(out)
        is_regular = "calls" not in expected.unsure and max(expected.names.values(), default=1) == 1
        if is_regular:
            by_process = sorted(expected.rows["calls"], key=lambda row: row[0])
            comparison.compare(f"{name}: calls", by_process, calls)
            ends = [(row[0], row[4]) for row in calls]
            if ends != sorted(ends):
                comparison.fail(f"{name}: calls are not sorted by process and end")
            if expected.has_no_samples:
                compare_thinned(tracefold, anchor, name, expected, comparison)
        else:
            print(f"{name}: calls are irregular, and compared by their number: {len(calls)} of {len(expected.rows['calls'])}")

        messages = [tuple(number(r[c]) for c in ("sender", "receiver", "tag", "communicator", "bytes", "send_begin_ns",
                                                 "send_end_ns", "receive_begin_ns", "receive_end_ns", "late_sender_ns"))
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

        processes = [(int(r["process"]), number(r["rank"]), r["name"], r["type"], int(r["location_group"]), r["location_group_name"],
                      r["node"], int(r["shown_by"]), int(r["events"])) for r in read_rows(out, "processes")]
        comparison.compare(f"{name}: processes", expected.rows["processes"], processes)
        nodes = [(int(r["node"]), int(r["level"]), r["class"], r["name"], number(r["parent"]), int(r["process"]))
                 for r in read_rows(out, "locations_of_nodes")]
        comparison.compare(f"{name}: locations_of_nodes", expected.rows["locations_of_nodes"], nodes)
        functions = {(r["name"], r["file"], int(r["line"])) for r in read_rows(out, "functions")}
        comparison.compare(f"{name}: functions", expected.rows["functions"], sorted(functions))

        if is_regular and expected.has_no_samples:
            # Each call is rounded down to ns, and so is their sum.
            profile = defaultdict(lambda: [0, 0])
            for r in read_rows(out, "profile"):
                profile[int(r["process"]), r["function"]][0] += int(r["visits"])
                profile[int(r["process"]), r["function"]][1] += int(r["exclusive_ns"])
            wanted = expected.sum_profile()
            comparison.values += 2 * len(wanted)
            for key in wanted.keys() | profile.keys():
                (visits, time), (found, found_time) = wanted[key], profile[key]
                if visits != found or abs(time - found_time) > 2 * visits + 100:
                    comparison.fail(f"{name}: profile of {key}: {found}, {found_time} ns, not {visits}, {time} ns")
                    break
        if (out / "matrix.csv").exists() and None not in {row[1] for row in expected.rows["messages"]}:
            matrix = [((int(r["sender"]), int(r["receiver"])), (int(r["messages"]), int(r["bytes"]))) for r in read_rows(out, "matrix")]
            comparison.compare(f"{name}: matrix", expected.sum_matrix(), matrix)


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
    print(f"{comparison.values} values compared, {comparison.wrong} wrong; {comparison.thinned} calls thinned out")
    sys.exit(1 if comparison.wrong or not comparison.values or not comparison.thinned else 0)


if __name__ == "__main__":
    main()
