#!/usr/bin/env python3
"""Makes a legal trace of a program that does what few do: make_odd_program.py FOLDER STYLE

    helper     a second thread of each rank, in calls as long as several steps of the first one
    stream     a stream of an accelerator that records copies outside of its calls
    thrown     a call in the middle of a loop that is never left, as where an exception is thrown
    scheduled  threads that are on a processor now and then, and processors that say who was there
    readings   a counter whose second reading in each step is no number
    whole      ranks that send to each other twice, which is too seldom for a loop
    between    steps in calls that hold two each, and of which the first begins at the tick of its caller
    overlap    two loops that are marked, and a stream whose kernel runs from one into the other
"""

import ctypes
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import otf2_writer as otf2  # noqa: E402

MPI, USER, CUDA = 4, 1, 5
CPU_THREAD, ACCELERATOR = 1, 2
DOUBLE = 10
PHASE = 2
PROCESS, ACCELERATOR_CONTEXT = 1, 2
STEPS = 30


class Program:
    def __init__(self, folder):
        self.archive, self.regions, self.contexts, self.threads = otf2.Archive(folder), {}, {}, []
        self.define("SystemTreeNode", 0, self.text("machine"), self.text("machine"), otf2.UNDEFINED)

    def define(self, *values):
        self.archive.define(*values)

    def text(self, text):
        return self.archive.string(text)

    def process(self, number, name, kind=PROCESS, creator=otf2.UNDEFINED):
        self.define("LocationGroup", number, self.text(name), kind, 0, creator)

    def thread(self, number, process, name, kind=CPU_THREAD):
        self.archive.location(number)
        self.threads.append((number, process, name, kind))

    def ranks(self, locations):
        self.define("Paradigm", MPI, self.text("MPI"), 0)
        self.communicator(MPI, locations)

    def communicator(self, paradigm, locations):
        self.define("Group", 0, self.text("locations"), 4, paradigm, 0, len(locations), otf2.array(locations))
        self.define("Group", 1, self.text("world"), 5, paradigm, 0, len(locations),
                    otf2.array(list(range(len(locations)))))
        self.define("Comm", 0, self.text("world"), 1, otf2.UNDEFINED, 0)

    def region(self, name):
        if name not in self.regions:
            self.regions[name] = len(self.regions)
            paradigm = MPI if name.startswith("MPI_") else USER
            flags = PHASE if name.startswith("phase") else 0
            self.define("Region", self.regions[name], self.text(name), self.text(name), 0, 1, paradigm, flags, 0, 0, 0)
        return self.regions[name]

    def context(self, name, caller=otf2.UNDEFINED):
        key = name, caller
        if key not in self.contexts:
            self.contexts[key] = len(self.contexts)
            self.define("CallingContext", self.contexts[key], self.region(name), otf2.UNDEFINED, caller)
        return self.contexts[key]

    def event(self, location, time, kind, *values):
        self.archive.event(location, time, kind, *values)

    def call(self, location, begin, end, name, *records):
        self.event(location, begin, "Enter", self.region(name))
        for record in records:
            self.event(location, begin, *record)
        self.event(location, end, "Leave", self.region(name))

    def close(self):
        for number, process, name, kind in self.threads:
            self.define("Location", number, self.text(name), kind, len(self.archive.events[number]), process)
        self.archive.close()

    def helper(self):
        for rank in range(2):
            first, second = 2 * rank, 2 * rank + 1
            self.process(rank, f"MPI Rank {rank}")
            self.thread(first, rank, "first")
            self.thread(second, rank, "second")
            self.event(first, 500, "Enter", self.region("main"))
            for step in range(STEPS):
                begin = 1000 + 1000 * step
                self.event(first, begin, "Enter", self.region("step"))
                self.call(first, begin + 700, begin + 800, "MPI_Barrier", ("MpiCollectiveBegin",),
                          ("MpiCollectiveEnd", 0, 0, otf2.UNDEFINED, 0, 0))
                self.event(first, begin + 900, "Leave", self.region("step"))
            self.event(first, 40000, "Leave", self.region("main"))
            for begin, end in ((2100, 2300), (3100, 3500), (5100, 12300), (13100, 13500), (15100, 22300)):
                self.call(second, begin, end, "write_output")
        self.ranks([0, 2])

    def stream(self):
        self.process(0, "process")
        self.process(1, "CUDA context", ACCELERATOR_CONTEXT, 0)
        self.thread(0, 0, "first")
        self.thread(1, 1, "stream", ACCELERATOR)
        self.define("Paradigm", CUDA, self.text("CUDA"), 5)
        self.communicator(CUDA, [0, 1])
        self.define("RmaWin", 0, self.text("device"), 0, 0)
        self.event(0, 1, "Enter", self.region("main"))
        for location in range(2):
            self.event(location, 2, "RmaWinCreate", 0)
        for step in range(STEPS):
            begin = 100 + 100 * step
            self.event(0, begin, "Enter", self.region("step"))
            self.call(0, begin + 1, begin + 5 + step % 4, "launch")
            self.event(1, begin + 6, "RmaGet", 0, 0, 1000, 2 * step)
            self.event(1, begin + 8, "RmaOpCompleteBlocking", 0, 2 * step)
            self.call(1, begin + 10, begin + 40 + 5 * (step % 3), "kernel")
            self.event(1, begin + 60, "RmaPut", 0, 0, 500, 2 * step + 1)
            self.event(1, begin + 70, "RmaOpCompleteBlocking", 0, 2 * step + 1)
            self.event(0, begin + 90, "Leave", self.region("step"))
        self.event(0, 4000, "Leave", self.region("main"))

    def thrown(self):
        self.process(0, "process")
        self.thread(0, 0, "first")
        self.event(0, 1, "Enter", self.region("main"))
        for step in range(STEPS):
            begin = 100 + 100 * step
            self.event(0, begin, "Enter", self.region("step"))
            self.call(0, begin + 10, begin + 50, "work")
            if step == STEPS // 2:
                self.event(0, begin + 60, "Enter", self.region("throws"))
            self.event(0, begin + 90, "Leave", self.region("step"))
        self.event(0, 4000, "Leave", self.region("main"))

    def scheduled(self):
        self.define("InterruptGenerator", 0, self.text("timer"), 0, 0, 0, 1000)
        for thread in range(2):
            name = f"program (TID {thread})"
            self.process(2 * thread, name)
            self.process(2 * thread + 1, f"processor {thread}")
            self.thread(10 + thread, 2 * thread, name)
            self.thread(thread, 2 * thread + 1, f"processor {thread}")
            root = self.context(name)
            solve = self.context("solve", self.context("main", root))
            for stay in range(50):
                begin = 1000 * stay + 37 * (stay * stay % 7)
                for location in (thread, 10 + thread):
                    self.event(location, begin, "CallingContextEnter", root, 2)
                    if location >= 10:
                        for sample in range(4):
                            self.event(location, begin + 100 + 150 * sample, "CallingContextSample", solve, 2, 0)
                    self.event(location, begin + 700, "CallingContextLeave", root)

    def readings(self):
        self.process(0, "process")
        self.thread(0, 0, "first")
        self.define("MetricMember", 0, self.text("energy"), self.text("energy"), 0, 0, DOUBLE, 1, 0, self.text("J"))
        self.define("MetricClass", 0, 1, otf2.array([0], ctypes.c_uint32), 0, 1)
        self.event(0, 1, "Enter", self.region("main"))
        for step in range(STEPS):
            begin = 100 + 100 * step
            self.event(0, begin, "Enter", self.region("step"))
            for after, value in ((10, 1000.0 * step), (20, float("nan") if step % 2 else 1000.0 * step + 10)):
                self.event(0, begin + after, "Metric", 0, 1, otf2.array([DOUBLE], ctypes.c_uint8),
                           otf2.array(struct.unpack("<Q", struct.pack("<d", value))))
            self.event(0, begin + 90, "Leave", self.region("step"))
        self.event(0, 4000, "Leave", self.region("main"))

    def whole(self):
        for rank in range(4):
            self.process(rank, f"MPI Rank {rank}")
            self.thread(rank, rank, "first")
            self.event(rank, 1, "Enter", self.region("main"))
            for message in range(2):
                begin = 100 + 100 * message
                self.call(rank, begin, begin + 10, "MPI_Send", ("MpiSend", (rank + 1) % 4, 0, message, 64))
                self.call(rank, begin + 20, begin + 50, "MPI_Recv", ("MpiRecv", (rank + 3) % 4, 0, message, 64))
            self.event(rank, 1000, "Leave", self.region("main"))
        self.ranks([0, 1, 2, 3])

    def between(self):
        self.process(0, "process")
        self.thread(0, 0, "first")
        self.event(0, 1, "Enter", self.region("main"))
        for pair in range(8):
            begin = 1000 + 1000 * pair
            self.event(0, begin, "Enter", self.region("outer"))
            self.call(0, begin, begin, "prepare")
            for at in (begin, begin + 500):
                self.event(0, at, "Enter", self.region("step"))
                self.call(0, at + 10, at + 20 + pair * 40, "work")
                self.event(0, at + 400, "Leave", self.region("step"))
            self.event(0, begin + 950, "Leave", self.region("outer"))
        self.event(0, 10000, "Leave", self.region("main"))

    def overlap(self):
        self.process(0, "process")
        self.process(1, "CUDA context", ACCELERATOR_CONTEXT, 0)
        self.thread(0, 0, "first")
        self.thread(1, 1, "stream", ACCELERATOR)
        self.event(0, 1, "Enter", self.region("main"))
        for step in range(16):
            begin = 1000 + 100 * step
            self.call(0, begin, begin + 90, "phase a" if step < 8 else "phase b")
            self.call(1, begin + 80, begin + (120 if step == 7 else 95), "kernel")
        self.event(0, 3000, "Leave", self.region("main"))


if __name__ == "__main__":
    made = Program(sys.argv[1])
    getattr(made, sys.argv[2])()
    made.close()
