#!/usr/bin/env python3
"""The calls of a trace as CSV, as people write them by python3-otf2: what export_bench.py measures beside us.

usage: export_by_python.py TRACE.otf2 FOLDER
"""
import csv
import pathlib
import sys

import otf2

with otf2.reader.open(sys.argv[1]) as trace, open(pathlib.Path(sys.argv[2]) / "calls.csv", "w", newline="") as out:
    clock = trace.definitions.clock_properties
    to_ns = 1e9 / clock.timer_resolution
    rows = csv.writer(out)
    rows.writerow(["process", "depth", "function", "end_ns", "duration_ns", "exclusive_ns"])
    stacks = {location: [] for location in trace.definitions.locations}
    for location, event in trace.events:
        stack = stacks[location]
        if isinstance(event, otf2.events.Enter):
            stack.append([event.time, 0])
        elif isinstance(event, otf2.events.Leave):
            begin, inner = stack.pop()
            length = event.time - begin
            if stack:
                stack[-1][1] += length
            rows.writerow([location._ref, len(stack), event.region.name, int((event.time - clock.global_offset) * to_ns),
                           int(length * to_ns), int((length - inner) * to_ns)])
