#!/usr/bin/env python3
"""Makes a legal trace of four ranks whose counters have fractions: make_counter_trace.py FOLDER

Each of 40 iterations draws some energy (joules, a double that accumulates), gives off heat (millijoules, a
double that is relative), and takes cycles (an integer that accumulates), at one
temperature, which is absolute. What an iteration adds is in `energy`, `heat` and `cycles`; all of it is recorded in
`step`.
"""

import ctypes
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import otf2_writer as otf2  # noqa: E402

MPI, USER = 4, 1
RANKS, ITERATIONS = 4, 40
ACCUMULATED, ABSOLUTE, RELATIVE = 0, 1 | 1 << 4, 2 | 2 << 4  # from the start, at this point, since the last
UINT64, DOUBLE, DECIMAL = 4, 10, 1
MAIN, STEP = 0, 1
COUNTERS = 0


def energy(rank, iteration):
    return 0.125 * (iteration % 5 + 1) * (rank + 1)


def heat(iteration):
    return 0.25 * (iteration + 1)


def cycles(iteration):
    return 1000 + iteration


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


class Program:
    def __init__(self, folder):
        self.archive, self.now = otf2.Archive(folder), [1000] * RANKS

    def define(self):
        define, text = self.archive.define, self.archive.string
        define("Paradigm", MPI, text("MPI"), 0)
        define("SystemTreeNode", 0, text("machine"), text("machine"), otf2.UNDEFINED)
        for rank in range(RANKS):
            define("LocationGroup", rank, text(f"MPI Rank {rank}"), 1, 0, otf2.UNDEFINED)
            self.archive.location(rank)
        define("Group", 0, text("locations"), 4, MPI, 0, RANKS, otf2.array(list(range(RANKS))))
        for region, name in ((MAIN, "main"), (STEP, "step")):
            define("Region", region, text(name), text(name), 0, 1, USER, 0, 0, 0, 0)
        members = (("energy", ACCUMULATED, DOUBLE, 0, "J"), ("heat", RELATIVE, DOUBLE, -3, "J"),
                   ("cycles", ACCUMULATED, UINT64, 0, "#"), ("temperature", ABSOLUTE, DOUBLE, 0, "K"))
        for member, (name, mode, kind, exponent, unit) in enumerate(members):
            define("MetricMember", member, text(name), text(name), 0, mode, kind, DECIMAL, exponent, text(unit))
        define("MetricClass", COUNTERS, len(members), otf2.array(list(range(len(members))), ctypes.c_uint32), 0, 1)

    def event(self, rank, kind, *values, after=10):
        self.now[rank] += after
        self.archive.event(rank, self.now[rank], kind, *values)

    def count(self, rank, energy_so_far, heat_since, cycles_so_far):
        self.event(rank, "Metric", COUNTERS, 4, otf2.array([DOUBLE, DOUBLE, UINT64, DOUBLE], ctypes.c_uint8),
                   otf2.array([bits(energy_so_far), bits(heat_since), cycles_so_far, bits(300.0)]))

    def run(self):
        self.define()
        for rank in range(RANKS):
            drawn, counted = 1000.5, 5
            self.event(rank, "Enter", MAIN)
            self.count(rank, drawn, 0.0, counted)
            for iteration in range(ITERATIONS):
                drawn += energy(rank, iteration)
                counted += cycles(iteration)
                self.event(rank, "Enter", STEP)
                self.count(rank, drawn, heat(iteration), counted)
                self.event(rank, "Leave", STEP, after=1000 + 10 * (iteration % 5))
            self.event(rank, "Leave", MAIN)
            self.archive.define("Location", rank, self.archive.string(f"rank {rank}"), 1,
                                len(self.archive.events[rank]), rank)
        self.archive.close()


if __name__ == "__main__":
    Program(sys.argv[1]).run()
