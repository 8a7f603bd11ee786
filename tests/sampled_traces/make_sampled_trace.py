#!/usr/bin/env python3
"""Makes the trace of a program as different tools would have recorded it.

    make_sampled_trace.py FOLDER [--as WAY] [--ranks N] [--iterations N] [--period TICKS] [--seed N] [--noise SHARE] [--shape SHAPE] [--marked]

The program, on each rank:

    main > setup > MPI_Bcast
    main > step > exchange > MPI_Send, MPI_Recv      with the next and from the last rank
                > solve > flux, limiter, sqrt        as long as the iteration's behaviour says
                > norm > MPI_Allreduce
    main > report > MPI_Reduce

Ways to record it:
    instrumented   Enter and Leave of all functions
    hybrid         MPI (and with --marked the steps) by CallingContextEnter and Leave, with the call
                   path there; all else by samples at random times, one a period
    mixed          MPI by Enter and Leave without call paths, all else by samples
    unwound        as hybrid, without samples
    threads        samples only, without MPI, as perf takes them: the first half of the ranks compute, the others read files

SHAPE says how long the iterations are: phases with a drift and periods, or one of these alone.
The times of calls are the same in all ways, whatever the seed, which is that of the samples. The clock ticks once a nanosecond.
"""
import argparse
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "legal_traces"))
import otf2_writer  # noqa: E402

USER, COMPILER, MPI, SAMPLING = 1, 2, 4, 21  # paradigms
PHASE = 2  # a region flag
BCAST, ALLREDUCE, REDUCE = 1, 11, 12
PROCESS, CPU_THREAD = 1, 1


class Program:
    """What one rank does: calls as (begin, end, name, [what is recorded in it], [calls])."""

    def __init__(self, rank, ranks, options):
        self.rank, self.ranks, self.options = rank, ranks, options
        self.random = random.Random(f"{rank} {options.noise}")
        self.now = 1000 + rank

    def spend(self, ticks):
        self.now += max(1, round(ticks * (1 + self.options.noise * self.random.uniform(-1, 1))))

    def call(self, name, body):
        begin, calls, records = self.now, [], []
        outer, self.calls, self.records = (getattr(self, "calls", None), getattr(self, "records", None)), calls, records
        body()
        self.spend(2)
        self.calls, self.records = outer
        call = (begin, self.now, name, records, calls)
        if self.calls is not None:
            self.calls.append(call)
        return call

    def record(self, kind, *values):
        self.records.append((self.now, kind, values))

    def leaf(self, name, ticks):
        self.call(name, lambda: self.spend(ticks))

    def collective(self, name, operation, until):
        """All ranks leave it at the same time."""
        def body():
            self.record("MpiCollectiveBegin")
            self.now = max(self.now + 5, until)
            self.record("MpiCollectiveEnd", operation, 0, otf2_writer.UNDEFINED if operation == ALLREDUCE else 0, 8, 8)
        self.call(name, body)

    def send(self):
        self.record("MpiSend", (self.rank + 1) % self.ranks, 0, 1, 1024)
        self.spend(30)

    def receive(self):
        self.spend(60)
        self.record("MpiRecv", (self.rank - 1) % self.ranks, 0, 1, 1024)

    def exchange(self):
        self.spend(10)
        self.call("MPI_Send", self.send)
        self.spend(15)
        self.call("MPI_Recv", self.receive)
        self.spend(5)

    def solve(self, work):
        for _ in range(4):
            self.leaf("flux", 0.5 * work)
            self.call("limiter", lambda: (self.spend(0.2 * work), self.leaf("sqrt", 0.1 * work)))
        self.spend(0.1 * work)

    def step(self, k):
        work, refines = behave(k, self.options)
        self.call("exchange", self.exchange)
        self.spend(5)
        self.call("solve", lambda: self.solve(work))
        if refines:
            self.leaf("refine", 3 * work)
        self.until += round(1.05 * work * (6.3 if refines else 3.3) + 300)
        self.call("norm", lambda: (self.spend(20), self.collective("MPI_Allreduce", ALLREDUCE, self.until)))

    def main(self):
        self.until = 6000
        self.call("setup", lambda: (self.leaf("read_mesh", 4000), self.collective("MPI_Bcast", BCAST, self.until)))
        for k in range(self.options.iterations):
            self.call("step", lambda: self.step(k))
        self.call("report", lambda: (self.spend(300), self.collective("MPI_Reduce", REDUCE, self.until + 500)))


SHAPES = ("mixed", "steady", "drifting", "periodic", "phases", "outliers")


def behave(k, options):
    """How much an iteration computes, in ticks, and whether it refines."""
    share = k / options.iterations
    if options.shape == "steady":
        return 400, False
    if options.shape == "drifting":
        return 200 + 600 * share, False
    if options.shape == "periodic":
        return 300 + 25 * (k % 20), k % 20 == 19
    if options.shape == "phases":
        return (250, 500, 350, 800)[int(4 * share)] + 100 * share, False
    if options.shape == "outliers":
        return 1500 if k % 47 == 46 else 400, False
    work = 200 + 60 * (k % 3) + 200 * share
    return (work + 300 if share > 0.6 else work), k % 10 == 9


class Recorder:
    """Writes calls in one of the ways."""

    def __init__(self, archive, options):
        self.archive, self.options = archive, options
        self.regions, self.contexts = {}, {}

    def region(self, name):
        if name not in self.regions:
            text = self.archive.string(name)
            is_marked = name == "step" and self.options.marked
            paradigm = MPI if name.startswith("MPI_") else USER if is_marked else COMPILER if self.options.way == "instrumented" else SAMPLING
            self.regions[name] = len(self.regions)
            self.archive.define("Region", self.regions[name], text, text, 0, 0, paradigm, PHASE if is_marked else 0, 0, 0, 0)
        return self.regions[name]

    def context(self, path):
        """The id of a call path, which is a tuple of names."""
        if path not in self.contexts:
            caller = self.context(path[:-1]) if len(path) > 1 else otf2_writer.UNDEFINED
            self.contexts[path] = len(self.contexts)
            self.archive.define("CallingContext", self.contexts[path], self.region(path[-1]), otf2_writer.UNDEFINED, caller)
        return self.contexts[path]

    def is_recorded(self, name):
        way = self.options.way
        return way == "instrumented" or name.startswith("MPI_") or (name == "step" and self.options.marked)

    def write(self, location, program):
        self.location, self.number, self.last, self.stack = location, 0, [], []
        self.samples = self.take_times(random.Random(f"{location} {self.options.seed}"), program[1])
        self.in_mpi = 0
        self.write_call(program)

    def take_times(self, random_, end):
        if self.options.way not in ("hybrid", "mixed", "threads"):
            return
        period = self.options.period
        now = random_.uniform(0, period)
        while now < end:
            yield round(now)
            now += period * random_.uniform(0.9, 1.1)

    def event(self, time, kind, *values):
        self.archive.event(self.location, time, kind, *values)

    def show(self, time, kind, *more):
        """A record of the calling context of now, with its unwind distance."""
        kept = 0
        while kept < min(len(self.last), len(self.stack)) and self.last[kept][1] == self.stack[kept][1]:
            kept += 1
        distance = len(self.stack) - kept + 1
        self.last = list(self.stack)
        self.event(time, kind, self.context(tuple(name for name, _ in self.stack)), distance, *more)

    def sample_until(self, time):
        """Samples that are due before a time."""
        while self.due is not None and self.due < time:
            if self.stack and not self.in_mpi:
                self.show(self.due, "CallingContextSample", 0)
            self.due = next(self.samples, None)

    def write_call(self, program):
        self.due = next(self.samples, None)
        self.walk(program)

    def walk(self, call):
        begin, end, name, records, calls = call
        is_recorded, by_context = self.is_recorded(name), self.options.way in ("hybrid", "unwound")
        self.sample_until(begin)
        self.number += 1
        self.stack.append((name, self.number))
        if is_recorded and by_context:
            self.show(begin, "CallingContextEnter")
        elif is_recorded:
            self.event(begin, "Enter", self.region(name))
        self.in_mpi += name.startswith("MPI_")

        for inner in sorted(records + calls, key=lambda one: one[0]):
            if len(inner) == 5:
                self.walk(inner)
            else:
                self.sample_until(inner[0])
                self.event(inner[0], inner[1], *inner[2])

        self.sample_until(end)
        self.in_mpi -= name.startswith("MPI_")
        if is_recorded and by_context:
            self.event(end, "CallingContextLeave", self.context(tuple(name for name, _ in self.stack)))
            self.last = self.stack[:-1]
        elif is_recorded:
            self.event(end, "Leave", self.region(name))
        self.stack.pop()


def make_worker(number, options):
    """The calls of a thread without MPI."""
    worker = Program(number, options.ranks, options)

    def compute():
        for _ in range(options.iterations):
            worker.call("solve", lambda: worker.solve(300))

    def read():
        for _ in range(options.iterations):
            worker.call("read_block", lambda: (worker.leaf("pread", 400), worker.leaf("checksum", 200)))

    return worker.call("thread", lambda: worker.call("compute" if number < options.ranks / 2 else "reader",
                                                     compute if number < options.ranks / 2 else read))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--as", dest="way", default="hybrid", choices=("instrumented", "hybrid", "mixed", "unwound", "threads"))
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--period", type=float, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=float, default=0.01)
    parser.add_argument("--shape", default=SHAPES[0], choices=SHAPES)
    parser.add_argument("--marked", action="store_true")
    options = parser.parse_args()

    archive = otf2_writer.Archive(options.folder)
    text = archive.string
    archive.define("SystemTreeNode", 0, text("machine"), text("machine"), otf2_writer.UNDEFINED)
    recorder = Recorder(archive, options)
    ranks = range(options.ranks)

    for rank in ranks:
        program = make_worker(rank, options) if options.way == "threads" else None
        if not program:
            process = Program(rank, options.ranks, options)
            program = process.call("main", process.main)
        archive.location(rank)
        recorder.write(rank, program)

    for rank in ranks:
        if options.way == "threads":
            if rank == 0:
                archive.define("LocationGroup", 0, text("process"), PROCESS, 0, otf2_writer.UNDEFINED)
            archive.define("Location", rank, text(f"thread {rank}"), CPU_THREAD, len(archive.events[rank]), 0)
        else:
            archive.define("LocationGroup", rank, text(f"MPI Rank {rank}"), PROCESS, 0, otf2_writer.UNDEFINED)
            archive.define("Location", rank, text("Master thread"), CPU_THREAD, len(archive.events[rank]), rank)

    if options.way != "threads":
        archive.define("Paradigm", MPI, text("MPI"), 0)
        archive.define("Group", 0, text(""), 4, MPI, 0, len(ranks), otf2_writer.array(list(ranks)))
        archive.define("Group", 1, text("world"), 5, MPI, 0, len(ranks), otf2_writer.array(list(ranks)))
        archive.define("Comm", 0, text("MPI_COMM_WORLD"), 1, otf2_writer.UNDEFINED, 0)
    if options.way in ("hybrid", "mixed", "threads"):
        archive.define("InterruptGenerator", 0, text("timer"), 0, 0, -9, round(options.period))
    archive.close()


main()
