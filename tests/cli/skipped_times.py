#!/usr/bin/env python3
"""Times of traces in which the recorder pauses or kernels overlap, computed by python3-otf2 and compared.

usage: skipped_times.py TRACEFOLD   (77: python3-otf2 is missing)

Makes traces where recording is off twice, inside of calls, also while calls end; where buffers are flushed in calls of
MPI and in one that others wait for; and where three kernels overlap on a stream. Reads these, and small shared ones,
by rules of its own: time in which recording is off or a buffer is flushed is in no call, and a call of a stream lasts
until the oldest Leave of its region. Times of `profile`, and of `summary` for each rank, have to be these, of the trace
and of a reduced one. Shares no code with tracefold.
"""
import collections
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import otf2
    from otf2 import events
except ImportError:
    print("python3-otf2 is missing")
    sys.exit(77)

from shared_traces import SHARED

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import otf2_writer  # noqa: E402

COMPILER, MPI, CUDA = 2, 4, 5
NONE = otf2_writer.UNDEFINED
ALLREDUCE = 11
ON, OFF = 1, 2
US = 1000  # ticks


class Program:
    """Ranks with one thread each, of which rank 0 may have a stream; times are in microseconds."""

    def __init__(self, folder, ranks, has_stream=False):
        self.archive, self.regions = otf2_writer.Archive(str(folder)), {}
        define, text = self.archive.define, self.archive.string
        define("Paradigm", MPI, text("MPI"), 0)
        define("SystemTreeNode", 0, text("cluster"), text("machine"), NONE)
        for rank in range(ranks + has_stream):
            is_stream = rank == ranks
            define("LocationGroup", rank, text(f"group {rank}"), 2 if is_stream else 1, 0, 0 if is_stream else NONE)
            self.archive.location(rank)
        self.ranks, self.locations = ranks, ranks + has_stream
        define("Group", 0, text("locations"), 4, MPI, 0, ranks, otf2_writer.array(list(range(ranks))))
        define("Group", 1, text("world"), 5, MPI, 0, ranks, otf2_writer.array(list(range(ranks))))
        define("Comm", 0, text("MPI_COMM_WORLD"), 1, NONE, 0)

    def record(self, rank, time, kind, *values):
        if kind in ("Enter", "Leave"):
            values = (self.region(*values),)
        self.archive.event(rank, time * US, kind, *values)

    def region(self, name):
        if name not in self.regions:
            number = self.regions[name] = len(self.regions)
            paradigm = MPI if name.startswith("MPI_") else CUDA if name.startswith("kernel") else COMPILER
            text = self.archive.string(name)
            self.archive.define("Region", number, text, text, 0, 1, paradigm, 0, 0, 0, 0)
        return self.regions[name]

    def call(self, rank, begin, end, name):
        self.record(rank, begin, "Enter", name)
        self.record(rank, end, "Leave", name)

    def meet(self, rank, begin, end):
        self.record(rank, begin, "Enter", "MPI_Allreduce")
        self.record(rank, begin, "MpiCollectiveBegin")
        self.record(rank, end, "MpiCollectiveEnd", ALLREDUCE, 0, NONE, 8, 8)
        self.record(rank, end, "Leave", "MPI_Allreduce")

    def close(self):
        counts = {location: len(all_events) for location, all_events in self.archive.events.items()}
        for location in range(self.locations):
            kind = 2 if location == self.ranks else 1
            self.archive.define("Location", location, self.archive.string(f"location {location}"), kind,
                                counts[location], location)
        self.archive.close()


def make_off(folder):
    program = Program(folder, 2)
    for rank in range(2):
        record = program.record
        record(rank, 0, "Enter", "main")
        program.call(rank, 1, 10, "MPI_Init")
        record(rank, 20, "Enter", "outer")
        record(rank, 100, "Enter", "inner")
        record(rank, 200 + rank, "MeasurementOnOff", OFF)
        record(rank, 700, "MeasurementOnOff", ON)
        record(rank, 800, "Leave", "inner")
        program.meet(rank, 850 + 10 * rank, 900)
        record(rank, 1000, "Enter", "inner")
        record(rank, 1100, "MeasurementOnOff", OFF)
        record(rank, 1200, "Leave", "inner")  # while recording is off
        record(rank, 1500, "MeasurementOnOff", ON)
        record(rank, 1600, "Leave", "outer")
        program.meet(rank, 1700, 1705)
        program.call(rank, 1800, 1810, "MPI_Finalize")
        record(rank, 1900, "Leave", "main")
    program.close()


def make_flushes(folder):
    program = Program(folder, 2)
    for rank in range(2):
        record = program.record
        record(rank, 0, "Enter", "main")
        program.call(rank, 1, 10, "MPI_Init")
        begin = 20
        for step in range(10):
            record(rank, begin, "Enter", "work")
            if rank == 1 and step == 5:  # rank 0 waits for it
                record(rank, begin + 50, "BufferFlush", (begin + 550) * US)
            late = 500 if rank == 1 and step == 5 else 0
            end = begin + 100 + late
            record(rank, end, "Leave", "work")
            met = begin + 110 + (500 if step == 5 else 0)
            record(rank, end, "Enter", "MPI_Allreduce")
            record(rank, end, "MpiCollectiveBegin")
            if step == 2:  # in a call of MPI
                record(rank, end + 2, "BufferFlush", (end + 5) * US)
            record(rank, met, "MpiCollectiveEnd", ALLREDUCE, 0, NONE, 8, 8)
            record(rank, met, "Leave", "MPI_Allreduce")
            begin = met
        program.call(rank, begin + 10, begin + 20, "MPI_Finalize")
        record(rank, begin + 30, "Leave", "main")
    program.close()


def make_kernels(folder):
    program = Program(folder, 1, has_stream=True)
    program.record(0, 0, "Enter", "main")
    program.record(0, 10_000, "Leave", "main")
    for step in range(5):
        begin = 1000 * (step + 1)
        stream = 1
        program.record(stream, begin, "Enter", "kernel_a")
        program.record(stream, begin + 50, "Enter", "kernel_b")
        program.record(stream, begin + 60, "Enter", "kernel_c")
        program.record(stream, begin + 100, "Leave", "kernel_a")
        program.record(stream, begin + 300, "Enter", "kernel_a")
        program.record(stream, begin + 350, "Leave", "kernel_c")
        program.record(stream, begin + 700, "Leave", "kernel_b")
        program.record(stream, begin + 800, "Leave", "kernel_a")
    program.close()


def recount(anchor):
    """By location: what its calls take by region; what is measured, flushed and off between MPI_Init and MPI_Finalize;
    and how long a stream is busy."""
    own = collections.defaultdict(lambda: collections.defaultdict(int))
    mpi, flushed, off, off_in_all = (collections.defaultdict(int) for _ in range(4))
    part, busy, is_stream = {}, collections.defaultdict(int), {}
    logs = collections.defaultdict(list)
    with otf2.reader.open(str(anchor)) as trace:
        second = trace.timer_resolution
        for location, event in trace.events:
            is_stream[location._ref] = location.type == otf2.LocationType.ACCELERATOR_STREAM
            logs[location._ref].append(event)
    for place, log in logs.items():
        stack, opened = [], collections.defaultdict(list)
        is_off, flushed_until, last, running = False, 0, log[0].time, 0
        begins = [e.time for e in log if isinstance(e, events.Leave) and e.region.name == "MPI_Init"]
        ends = [e.time for e in log if isinstance(e, events.Enter) and e.region.name == "MPI_Finalize"]
        part[place] = (begins or [log[0].time])[0], (ends or [log[-1].time])[0]
        for event in log:
            borders = sorted({last, event.time} | {b for b in (flushed_until, *part[place]) if last < b < event.time})
            for begin, end in zip(borders, borders[1:]):
                inside = part[place][0] <= begin and end <= part[place][1]
                if running:
                    busy[place] += end - begin
                if is_off:
                    off[place] += (end - begin) * inside
                    off_in_all[place] += end - begin
                elif begin < flushed_until:
                    flushed[place] += (end - begin) * inside
                elif stack and not is_stream[place]:
                    own[place][stack[-1]] += end - begin
                    mpi[place] += (end - begin) * inside * stack[-1].startswith("MPI_")
            last = event.time
            if isinstance(event, events.MeasurementOnOff):
                is_off = bytes(event.measurement_mode)[0] == OFF
            elif isinstance(event, events.BufferFlush):
                flushed_until = event.stop_time
            elif isinstance(event, events.Enter):
                stack.append(event.region.name)
                opened[event.region.name].append(event.time)
                running += 1
            elif isinstance(event, events.Leave):
                stack.pop()
                begin = opened[event.region.name].pop(0)
                running -= 1
                if is_stream[place]:
                    own[place][event.region.name] += event.time - begin
    run = max(log[-1].time for log in logs.values()) - min(log[0].time for log in logs.values())
    return {"own": own, "mpi": mpi, "flushed": flushed, "off": off, "off_in_all": off_in_all, "part": part, "busy": busy,
            "is_stream": is_stream, "second": second, "run": run}


def ask(tracefold, *words):
    done = subprocess.run([tracefold, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{words}: {done.returncode} {done.stderr}")
    return done.stdout


class Comparison:
    def __init__(self, tracefold, anchor, truth, tolerance):
        self.tracefold, self.anchor, self.truth, self.tolerance, self.wrong = tracefold, anchor, truth, tolerance, []

    def expect(self, what, found, expected):
        if abs(found - expected) > self.tolerance * max(abs(expected), 1e-6) + 2e-9:
            self.wrong.append(f"{self.anchor}: {what} is {found}, not {expected}")

    def expect_equal(self, what, found, expected):
        if found != expected:
            self.wrong.append(f"{self.anchor}: {what}: {found}, not {expected}")

    def expect_words(self, text, words):
        if words not in text:
            self.wrong.append(f"{self.anchor}: no '{words}' in {text}")

    def check_profile(self):
        text = ask(self.tracefold, "profile", self.anchor, "--per-process", "--format", "csv")
        found = collections.defaultdict(float)
        for row in csv.DictReader(io.StringIO(text)):
            name = row["call_path"].split(" > ")[-1]
            found[int(row["location"]), name] += float(row["execution_time_seconds"])
        for place, of_regions in self.truth["own"].items():
            for name, ticks in of_regions.items():
                self.expect(f"{name} of {place}", found.pop((place, name), 0), ticks / self.truth["second"])
        if any(value > 2e-9 for value in found.values()):
            self.wrong.append(f"{self.anchor}: {dict(found)} is nowhere else")

    def check_ranks(self):
        truth, second = self.truth, self.truth["second"]
        text = ask(self.tracefold, "summary", self.anchor, "--scope", "mpi", "--per-process", "--format", "json")
        for rank in json.loads(text)["runs"][0]["processes"]:
            place = int(rank["location"])
            begin, end = truth["part"][place]
            time = end - begin - truth["off"][place]
            useful = time - truth["mpi"][place] - truth["flushed"][place]
            for name, ticks in (("time_s", time), ("useful_s", useful), ("mpi_s", truth["mpi"][place]),
                                ("measurement_s", truth["flushed"][place])):
                self.expect(f"{name} of {place}", rank[name], ticks / second)

    def check_run(self):
        """Commands say the same run time: without the time in which recording was off, in the mean over ranks."""
        truth = self.truth
        masters = [place for place, is_stream in truth["is_stream"].items() if not is_stream]
        off = sum(truth["off_in_all"][place] for place in masters) / len(masters) / truth["second"]
        run = truth["run"] / truth["second"]
        info = json.loads(ask(self.tracefold, "info", self.anchor, "--json"))
        self.expect("run of info", info["seconds"], run)
        self.expect("recording off of info", info["recording_off_seconds"], off)
        words = ", of which recording was off"
        self.expect_equal("words of info", words in ask(self.tracefold, "info", self.anchor), off > 0)
        side = json.loads(ask(self.tracefold, "compare", self.anchor, self.anchor, "--json"))["a"]
        self.expect("run of compare", side["run_seconds"], run - off)
        self.expect("recording off of compare", side["recording_off_seconds"], off)
        text = ask(self.tracefold, "summary", self.anchor, "--scope", "run", "--format", "json")
        self.expect("run of summary", json.loads(text)["runs"][0]["runtime_s"], run - off)

    def check_streams(self, summary):
        shares = [busy / self.truth["run"] for place, busy in self.truth["busy"].items() if self.truth["is_stream"][place]]
        if shares:
            self.expect("share of kernels", summary["efficiencies"]["accelerator"], sum(shares) / len(shares))

    def check(self):
        self.check_profile()
        self.check_ranks()
        self.check_run()
        summary = json.loads(ask(self.tracefold, "summary", self.anchor, "--format", "json"))["runs"][0]
        self.check_streams(summary)
        return summary


def check(tracefold, folder, anchor, words):
    truth = recount(anchor)
    small = folder / "small"
    ask(tracefold, "reduce", anchor, "-o", small, "--force", "-q")
    wrong = []
    for of, tolerance in ((anchor, 1e-6), (small / "traces.otf2", 0.011)):
        comparison = Comparison(tracefold, of, truth, tolerance)
        headline = "\n".join(comparison.check()["headline"])
        for one in words:
            comparison.expect_words(headline, one)
        wrong += comparison.wrong
    return wrong


def check_view(tracefold, folder, anchor):
    """Each kernel begins and ends at its own times in the view, and calls of a track nest."""
    view = folder / "view.json"
    ask(tracefold, "reduce", anchor, "-o", view, "--force", "-q")
    stacks, lasts = collections.defaultdict(list), collections.Counter()
    for event in json.loads(view.read_text())["traceEvents"]:
        if event["ph"] == "B":
            stacks[event["tid"]].append(event)
        elif event["ph"] == "E":
            begun = stacks[event["tid"]].pop()
            if begun["name"] != event["name"]:
                return [f"{view}: {begun} ends as {event}"]
            lasts[begun["name"], round(event["ts"] - begun["ts"])] += 1
    expected = {("kernel_a", 100): 5, ("kernel_a", 500): 5, ("kernel_b", 650): 5, ("kernel_c", 290): 5}
    found = {key: lasts[key] for key in lasts if key[0].startswith("kernel")}
    return [] if found == expected else [f"{view}: {found}, not {expected}"]


def main():
    tracefold = sys.argv[1]
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = [("off", make_off, ["recording was off for 47 % of the run"]),
                ("flushes", make_flushes, ["the measurement itself took",
                                           "mostly while the measurement writes its buffer"]),
                ("kernels", make_kernels, [])]
        for kind, make, words in made:
            make(folder / kind)
            wrong += check(tracefold, folder, folder / kind / "traces.otf2", words)
        wrong += check_view(tracefold, folder, folder / "kernels/traces.otf2")
        shared = {"recording-off": ["recording was off for 87 % of the run"], "kernels-overlap-on-a-stream": []}
        for case, words in shared.items():
            if (SHARED / "cases-public" / case).exists():
                wrong += check(tracefold, folder, SHARED / "cases-public" / case / "traces.otf2", words)
    print("\n".join(wrong) if wrong else "all times are those of the records")
    sys.exit(1 if wrong else 0)


main()
