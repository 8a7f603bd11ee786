#!/usr/bin/env python3
"""Makes a legal trace with what tables may stumble over: make_odd_trace.py FOLDER

Ids of locations of 64 bits, names in UTF-8 and with commas, quotation marks and line ends, recursion, calls of length
zero, metrics that are NaN, infinite, negative or above 2^63, a process without records, and
tags and lengths at their limits.
"""
import ctypes
import math
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import otf2_writer as otf2  # noqa: E402

MPI, USER = 4, 1
LOCATIONS = [1, (1 << 40) + 7, (1 << 63) + 5]
FIRST, SECOND, EMPTY = LOCATIONS
NAMES = ["main", "größer <Ω> 𝄞", 'a, "b"', "f(int,\u00a0x)"]
MEMBERS = [("power, now", otf2.DOUBLE), ("Zähler", otf2.UINT64), ("difference", otf2.INT64)]
ABSOLUTE = 1 | 1 << 4


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def define(archive):
    text = archive.string
    archive.define("Paradigm", MPI, text("MPI"), 0)
    archive.define("SystemTreeNode", 0, text("Maschine ß"), text("machine"), otf2.UNDEFINED)
    for number, location in enumerate(LOCATIONS):
        archive.define("LocationGroup", number, text(f"MPI Rank {number}"), 1, 0, otf2.UNDEFINED)
        archive.location(location)
    for region, name in enumerate(NAMES):
        archive.define("Region", region, text(name), text(name), 0, 1, USER, 0, 0, 0, 0)
    archive.define("Group", 0, text("locations"), 4, MPI, 0, 3, otf2.array(LOCATIONS))
    archive.define("Group", 1, text("world"), 5, MPI, 0, 3, otf2.array([0, 1, 2]))
    archive.define("Comm", 0, text("world"), 1, otf2.UNDEFINED, 0)
    for member, (name, kind) in enumerate(MEMBERS):
        archive.define("MetricMember", member, text(name), text(name), 0, ABSOLUTE, kind, 1, 0, text("W,h"))
    archive.define("MetricClass", 0, 3, otf2.array([0, 1, 2], ctypes.c_uint32), 0, 1)


def record(archive):
    def event(location, time, kind, *values):
        archive.event(location, time, kind, *values)

    for location in (FIRST, SECOND):
        event(location, 10, "Enter", 0)
        for depth in range(30):
            event(location, 20 + depth, "Enter", depth % 2)
        for depth in reversed(range(30)):
            event(location, 100 - depth, "Leave", depth % 2)
        for _ in range(3):
            event(location, 200, "Enter", 2)
            event(location, 200, "Leave", 2)
    for time, values in ((210, (math.nan, 0, 0)), (220, (math.inf, (1 << 64) - 1, -1)), (230, (-0.0, 1 << 63, -(1 << 63))),
                         (240, (1e-310, (1 << 53) + 1, 7)), (250, (0.1, 3, -(1 << 53) - 1))):
        raw = [bits(values[0]), values[1], values[2] & (1 << 64) - 1]
        event(FIRST, time, "Metric", 0, 3, otf2.array([kind for _, kind in MEMBERS], ctypes.c_uint8), otf2.array(raw))
    event(FIRST, 300, "MpiSend", 1, 0, 0xFFFFFFFF, (1 << 64) - 1)
    event(FIRST, 310, "MpiSend", 1, 0, 0, 0)
    event(SECOND, 400, "MpiRecv", 0, 0, 0, 0)  # overtakes on another tag
    event(SECOND, 410, "MpiRecv", 0, 0, 0xFFFFFFFF, (1 << 64) - 1)
    event(FIRST, 500, "MpiSend", 2, 0, 5, 5)  # is never received
    for location in (FIRST, SECOND):
        event(location, 600, "Leave", 0)


def main():
    archive = otf2.Archive(sys.argv[1])
    define(archive)
    record(archive)
    for number, location in enumerate(LOCATIONS):
        events = archive.events[location]
        archive.define("Location", location, archive.string(f"thread, {number}"), 1, len(events), number)
    archive.close()


if __name__ == "__main__":
    main()
