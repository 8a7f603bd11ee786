#!/usr/bin/env python3
"""Compares files for viewers with the reduced OTF2 trace of the same options, as python3-otf2 reads it.

usage: viewers.py TRACEFOLD [--few | TRACE.otf2...]   (77: python3-otf2, protoc or traces are missing)

Traces are as in shared_traces.py. Each is reduced to a folder, to .json, .json.gz and .pftrace. JSON is read by
Python's own reader, .pftrace by 'protoc --decode' with the fields that stand in perfetto_fields.proto. Of each
thread, both have to have the same calls in the same order at the same nanosecond, properly nested; the same
records of messages and collectives, inside of the same call; the same values of metrics; and the flows have to be
the messages that are matched here, by another way.

Shares no code with tracefold.
"""
import bisect
import collections
import gzip
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import _otf2
    import otf2
    from otf2 import events as e
except ImportError:
    sys.exit(77)

from shared_traces import PACKS, PUBLIC_PACKS, visit_traces

FEW = ("npb_lu_W_64", "hpccg_64", "lulesh_8x2", "btmz_S_2x3", "miniamr_8", "scorep14-cuda-simple-6",
       "scorep71-pingpong-papi-2", "scorep90-mi300-metrics-32", "apex12-fibonacci-3")
FIELDS = pathlib.Path(__file__).with_name("perfetto_fields.proto")


class Thread:
    """What one location does, as the formats have it."""

    def __init__(self, name):
        self.name = name
        self.calls = []  # (time, "B" or "E", name)
        self.messages = []  # (time, "send" or "receive", bytes, tag)
        self.collectives = []  # (time, operation, bytes sent, bytes received)
        self.values = collections.defaultdict(list)  # by counter: (time, value)

    def is_same(self, other):
        return (self.calls == other.calls and self.messages == other.messages
                and self.collectives == other.collectives and self.values == other.values)

    def explain(self, other):
        for what in ("calls", "messages", "collectives"):
            ours, theirs = getattr(self, what), getattr(other, what)
            if ours != theirs:
                at = next((k for k, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
                return f"{what}: {len(ours)} and {len(theirs)}, the first that differ {ours[at:at + 1]} {theirs[at:at + 1]}"
        names = [name for name in self.values.keys() | other.values.keys() if self.values.get(name) != other.values.get(name)]
        return f"values of {names[:3]}: {[(len(self.values.get(n, ())), len(other.values.get(n, ()))) for n in names[:3]]}"


def check_nesting(calls):
    """The number of calls; none where they do not nest."""
    stack, last = [], 0
    for time, kind, name in calls:
        if time < last:
            return None
        last = time
        if kind == "B":
            stack.append(name)
        elif not stack or stack.pop() != name:
            return None
    return None if stack else len(calls) // 2


class Archive:
    """The reduced trace."""

    def __init__(self, anchor):
        self.threads, self.groups, self.markers = [], [], 0
        with otf2.reader.open(str(anchor)) as trace:
            clock = trace.definitions.clock_properties
            self.ticks, self.begin = clock.timer_resolution, clock.global_offset
            locations = sorted(trace.definitions.locations, key=lambda location: location._ref)
            self.places = {location._ref: k for k, location in enumerate(locations)}
            self.threads = [Thread(location.name) for location in locations]
            self.groups = [location.group.name for location in locations]
            self.processes = [location.group._ref for location in locations]
            self.sends = collections.defaultdict(list)  # by channel: (thread, time)
            self.receives = collections.defaultdict(list)  # the same in the order of posting
            self.posted = [{} for _ in locations]  # by request: when it was posted
            self.open_calls = [[] for _ in locations]
            self.clock_numbers = [0] * len(locations)
            records = [(self.places[location._ref], event) for location, event in trace.events]
            first = min((event.time for _, event in records), default=0)
            if self.begin > first or (first - self.begin) * 10**9 // self.ticks >= 2**53:
                self.begin = first
            for thread, event in records:
                self.read(thread, event)

    def convert(self, ticks):
        return ((ticks - self.begin) * 10**9 + self.ticks // 2) // self.ticks

    def find_partner(self, thread, communicator, rank):
        """The process at the other end; none where it is not known."""
        groups = [getattr(communicator, name, None) for name in ("group", "group_a", "group_b")]
        if groups[0] is None:
            mine = [g for g in groups[1:] if any(self.is_of(thread, member) for member in g.members)]
            others = [g for g in groups[1:] if g not in mine[:1]]
            groups = [others[0]] if len(mine) == 1 else [None]
        group = groups[0]
        if group is None:
            return None
        if group.group_type == otf2.GroupType.COMM_SELF:
            return self.processes[thread] if rank == 0 else None
        if rank >= len(group.members):
            return None
        member = group.members[rank]
        return self.processes[self.places[member._ref]] if hasattr(member, "_ref") and member._ref in self.places else None

    def is_of(self, thread, member):
        return hasattr(member, "group") and member.group._ref == self.processes[thread]

    def read(self, thread, event):
        into, time = self.threads[thread], self.convert(event.time)
        if isinstance(event, e.Enter):
            self.open_calls[thread].append(event.region.name)
            into.calls.append((time, "B", event.region.name))
        elif isinstance(event, e.Leave):  # of the innermost call, whatever it names: some tools let calls overlap
            into.calls.append((time, "E", self.open_calls[thread].pop()))
        elif isinstance(event, (e.MpiSend, e.MpiIsend)):
            into.messages.append((time, "send", event.msg_length, event.msg_tag))
            to = self.find_partner(thread, event.communicator, event.receiver)
            if to is not None:
                channel = self.processes[thread], to, event.communicator._ref, event.msg_tag
                self.sends[channel].append((thread, time))
        elif isinstance(event, e.MpiIrecvRequest):
            self.clock_numbers[thread] += 1
            self.posted[thread][event.request_id] = self.clock_numbers[thread]
        elif isinstance(event, e.MpiRequestCancelled):
            self.posted[thread].pop(event.request_id, None)
        elif isinstance(event, (e.MpiRecv, e.MpiIrecv)):
            into.messages.append((time, "receive", event.msg_length, event.msg_tag))
            self.clock_numbers[thread] += 1
            number = self.clock_numbers[thread]
            if isinstance(event, e.MpiIrecv):
                number = self.posted[thread].pop(event.request_id, number)
            of = self.find_partner(thread, event.communicator, event.sender)
            if of is not None:
                channel = of, self.processes[thread], event.communicator._ref, event.msg_tag
                bisect.insort(self.receives[channel], (number, thread, time))
        elif isinstance(event, (e.MpiCollectiveEnd, e.NonBlockingCollectiveComplete)):
            operation = str(event.collective_op).split(".")[-1].lower()
            into.collectives.append((time, operation, event.size_sent, event.size_received))
        elif isinstance(event, e.Metric):
            for member, value in zip(event.metric.metric_class.members if hasattr(event.metric, "metric_class")
                                     else event.metric.members, event.values):
                if not isinstance(value, float) or math.isfinite(value):
                    into.values[event.metric._ref, member.name].append((time, value))

    def find_flows(self):
        """Pairs of a sending thread and time with a receiving one, sorted."""
        flows = []
        for channel, sends in self.sends.items():
            receives = self.receives.get(channel, [])
            threads = {thread for thread, _ in sends}, {thread for _, thread, _ in receives}
            if len(sends) == len(receives) and len(threads[0]) == len(threads[1]) == 1:
                flows += [(*send, thread, time) for send, (_, thread, time) in zip(sends, receives)]
        return sorted(flows)


class Shown:
    """What a file for viewers shows."""

    def __init__(self):
        self.threads, self.groups, self.markers, self.inside = [], [], 0, []
        self.ends = collections.defaultdict(lambda: [None, None])  # by flow: (thread, time) of both ends

    def find_flows(self):
        return sorted((*send, *receive) for send, receive in self.ends.values())


def exact(ts):
    """Nanoseconds of a number of microseconds."""
    return round(ts * 1000)


class Json(Shown):
    def __init__(self, text):
        super().__init__()
        document = json.loads(text)
        self.about = document["otherData"]
        names, processes, order = {}, {}, {}
        for event in document["traceEvents"]:
            if event["ph"] == "M" and event["name"] == "thread_name":
                names[event["pid"], event["tid"]] = event["args"]["name"]
            elif event["ph"] == "M" and event["name"] == "process_name":
                processes[event["pid"]] = event["args"]["name"]
            elif event["ph"] == "M" and event["name"] == "thread_sort_index":
                order[event["args"]["sort_index"]] = event["pid"], event["tid"]
        keys = [order[k] for k in sorted(order)]
        self.places = {key: k for k, key in enumerate(keys)}
        self.threads = [Thread(names[key]) for key in keys]
        self.groups = [processes[pid] for pid, _ in keys]
        # Viewers sort by time, and keep the order in the file where times are equal.
        for event in sorted((event for event in document["traceEvents"] if event["ph"] != "M"), key=lambda x: x["ts"]):
            self.read(event)

    def read(self, event):
        phase, time = event["ph"], exact(event["ts"])
        if phase == "i" and event["cat"] not in ("message", "collective"):
            self.markers += 1
            return
        place = self.places[event["pid"], event["tid"]]
        thread = self.threads[place]
        if phase in "BE":
            thread.calls.append((time, phase, event["name"]))
        elif phase == "C":
            (value,) = event["args"].values()
            thread.values[event["name"].split(", ")[0]].append((time, value))
        elif phase in "sf":
            end = self.ends[event["id"]]
            assert end[phase == "f"] is None and (phase == "s" or event["bp"] == "e"), event
            end[phase == "f"] = place, time
        elif event["cat"] == "message":
            thread.messages.append((time, event["name"], event["args"]["bytes"], event["args"]["tag"]))
        else:
            thread.collectives.append((time, event["name"], event["args"]["bytes sent"], event["args"]["bytes received"]))


class Perfetto(Shown):
    """A .pftrace, by protoc."""

    def __init__(self, file):
        super().__init__()
        with open(file, "rb") as packed:
            text = subprocess.run(["protoc", f"--proto_path={FIELDS.parent}", "--decode=Trace", FIELDS.name], stdin=packed,
                                  stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
        self.unknown = re.findall(r"^ *\d+[:{ ].*", text, re.M)
        self.tracks, self.sequences, events = {}, {}, []
        for packet in self.parse(iter(text.splitlines())).get("packet", []):
            self.read_packet(packet, events)
        del text
        # A track with calls or children that are counters is a thread's; the order is that of its sequence.
        self.order = [state["track"] for _, state in sorted(self.sequences.items()) if state["track"]]
        self.places = {uuid: k for k, uuid in enumerate(self.order)}
        self.threads = [Thread(self.tracks[uuid]["name"][0]) for uuid in self.order]
        self.stacks = [[] for _ in self.order]
        for time, track, event, state in sorted(events, key=lambda x: x[0]):
            self.read_event(time, track, event, state)

    @classmethod
    def parse(cls, lines):
        message = {}
        for line in lines:
            line = line.strip()
            if line == "}":
                break
            if line.endswith("{"):
                message.setdefault(line[:-1].strip(), []).append(cls.parse(lines))
                continue
            name, value = line.split(": ", 1)
            if value.startswith('"'):
                value = value[1:-1].encode().decode("unicode_escape").encode("latin-1").decode("utf-8")
            elif re.fullmatch(r"-?\d+", value):
                value = int(value)
            elif value not in ("true", "false") and not value.isupper() and "_" not in value:
                value = float(value)
            message.setdefault(name, []).append(value)
        return message

    def read_packet(self, packet, events):
        sequence, flags = packet["trusted_packet_sequence_id"][0], packet.get("sequence_flags", [0])[0]
        state = self.sequences.setdefault(sequence, {"track": 0, "cleared": False})
        if flags & 1:
            state.update(cleared=True)
        assert state["cleared"] or not flags & 2, packet
        for kind, entries in packet.get("interned_data", [{}])[0].items():
            for entry in entries:
                known = state.setdefault(kind, {})
                assert entry["iid"][0] not in known
                known[entry["iid"][0]] = entry["name"][0]
        for defaults in packet.get("trace_packet_defaults", ()):
            state["track"] = defaults["track_event_defaults"][0]["track_uuid"][0]
        for track in packet.get("track_descriptor", ()):
            assert track["uuid"][0] not in self.tracks
            self.tracks[track["uuid"][0]] = track
        for attributes in packet.get("trace_attributes", ()):
            self.about = {a["key"][0]: a["string_value"][0] for a in attributes["attribute"]}
        for event in packet.get("track_event", ()):
            track = event.get("track_uuid", [state["track"]])[0]
            assert track in self.tracks, "the track of an event is described before"
            events.append((packet["timestamp"][0], track, event, state))

    def read_event(self, time, uuid, event, state):
        kind = event["type"][0]
        if kind == "TYPE_COUNTER":
            track = self.tracks[uuid]
            thread = self.threads[self.places[track["parent_uuid"][0]]]
            value = event.get("counter_value", event.get("double_counter_value"))[0]
            thread.values[track["name"][0], uuid].append((time, value))
            return
        if "categories" in event:  # only markers name themselves
            self.markers += 1
            return
        place = self.places[uuid]
        thread, stack = self.threads[place], self.stacks[place]
        name = state["event_names"][event["name_iid"][0]] if "name_iid" in event else None
        if kind == "TYPE_SLICE_BEGIN":
            stack.append(name)
            thread.calls.append((time, "B", name))
        elif kind == "TYPE_SLICE_END":
            thread.calls.append((time, "E", stack.pop() if stack else None))
        else:
            arguments = {state["debug_annotation_names"][a["name_iid"][0]]: a.get("uint_value", [None])[0]
                         for a in event["debug_annotations"]}
            if state["event_categories"][event["category_iids"][0]] == "message":
                thread.messages.append((time, name, arguments["bytes"], arguments["tag"]))
                for flow in event.get("flow_ids", ()):
                    assert self.ends[flow][name == "receive"] is None
                    self.ends[flow][name == "receive"] = place, time
            else:
                thread.collectives.append((time, name, arguments["bytes sent"], arguments["bytes received"]))


def flatten(values):
    """Values of all counters, however they are called: metrics may have members of one name."""
    return sorted(sorted((time, float(value)) for time, value in of) for of in values.values())


class Comparison:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.calls, self.flows, self.values, self.wrong = 0, 0, 0, []

    def expect(self, where, condition, words):
        if not condition:
            self.wrong.append(f"{where}: {words}")

    def reduce(self, anchor, output):
        subprocess.run([self.tracefold, "reduce", "-q", anchor, "-o", output], check=True, stderr=subprocess.DEVNULL)
        return output

    def check(self, name, anchor):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            small = self.reduce(anchor, folder / "small")
            try:
                archive = Archive(small / "traces.otf2")
            except (otf2.error.TraceReaderError, _otf2.ErrorCodes.Error) as problem:
                print(f"{name:28} python3-otf2 does not read it: {str(problem)[:60]}")
                return
            files = {ending: self.reduce(anchor, folder / f"small.{ending}") for ending in ("json", "json.gz", "pftrace")}
            text = files["json"].read_bytes()
            self.expect(name, gzip.decompress(files["json.gz"].read_bytes()) == text, "json.gz holds something else than json")
            shown = {"json": Json(text), "pftrace": Perfetto(files["pftrace"])}
            sizes = {file: path.stat().st_size for file, path in files.items()}
            sizes["folder"] = sum(path.stat().st_size for path in small.rglob("*") if path.is_file())

        flows = archive.find_flows()
        calls = sum(check_nesting(thread.calls) or 0 for thread in archive.threads)
        self.expect(name, not shown["pftrace"].unknown, f"fields that are not known: {shown['pftrace'].unknown[:2]}")
        for kind, file in shown.items():
            where = f"{name}.{kind}"
            self.expect(where, len(file.threads) == len(archive.threads), "other threads")
            for ours, theirs in zip(archive.threads, file.threads):
                self.expect(where, check_nesting(theirs.calls) is not None, f"calls of {theirs.name} do not nest")
                self.expect(where, flatten(ours.values) == flatten(theirs.values), f"values of metrics of {ours.name}")
                same = ours.calls == theirs.calls and ours.messages == theirs.messages and ours.collectives == theirs.collectives
                self.expect(where, same, f"{ours.name}: {'' if same else ours.explain(theirs)}")
            self.expect(where, file.find_flows() == flows, f"{len(file.ends)} flows where {len(flows)} messages are matched")
            self.expect(where, "TRACEFOLD::VERSION" in file.about, "does not say what was folded")
        self.expect(name, [t.name for t in shown["json"].threads] == [t.name for t in archive.threads], "other names of threads")
        self.expect(name, shown["json"].groups == archive.groups, "other names of processes")
        self.expect(name, shown["json"].markers == shown["pftrace"].markers, "other markers")

        values = sum(len(of) for thread in archive.threads for of in thread.values.values())
        self.calls, self.flows, self.values = self.calls + calls, self.flows + len(flows), self.values + values
        print(f"{name:28} {len(archive.threads):3} threads, {calls:7} calls, {len(flows):6} of "
              f"{sum(m[1] == 'send' for t in archive.threads for m in t.messages):6} messages with arrows, {values:7} values, "
              f"{shown['json'].markers:4} markers; bytes: " + ", ".join(f"{k} {v}" for k, v in sizes.items()), flush=True)


def main():
    if not shutil.which("protoc"):
        return 77
    comparison = Comparison(sys.argv[1])
    if not visit_traces(sys.argv[2:], FEW, comparison.check, (PACKS, PUBLIC_PACKS)):
        return 77

    print("\n".join(comparison.wrong))
    print(f"{comparison.calls} calls, {comparison.flows} messages, {comparison.values} values compared, {len(comparison.wrong)} wrong")
    return bool(comparison.wrong) or comparison.calls == 0


if __name__ == "__main__":
    sys.exit(main())
