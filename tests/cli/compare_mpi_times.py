#!/usr/bin/env python3
"""Compares how long ranks are in MPI: compare_mpi_times.py ORIGINAL EXPANDED [--percent P]

Reads both traces with the package otf2. A location is in MPI from when it enters a function of MPI outside of
others until it leaves that one. Prints the largest difference of all locations that are in MPI in the original,
as a share of the original's time; with --percent, it fails where that is more. It fails, too, where there is
nothing to compare.
"""
import argparse
import collections
import re
import subprocess
import sys

import otf2
from otf2.enums import Paradigm
from otf2.events import Enter, Leave


def print_definitions(trace):
    return subprocess.run(["otf2-print", "-G", trace], capture_output=True, text=True, check=True, errors="replace").stdout


def read_sources(trace):
    """By location of an expanded trace: its location in the original."""
    printed = print_definitions(trace)
    return {int(location): int(value) for location, value in re.findall(
        r"^LOCATION_PROPERTY +Location: .*<(\d+)>, Name: \"tracefold::source\".*Value: (\d+)", printed, re.M)}


def read_times(trace):
    """By location the seconds in MPI, in all and by function."""
    times, depth, entered = collections.defaultdict(collections.Counter), collections.Counter(), {}
    numbers = [int(number) for number in re.findall(r"^LOCATION +(\d+)", print_definitions(trace), re.M)]
    with otf2.reader.open(trace) as reader:
        ticks = reader.timer_resolution
        ids = dict(zip(reader.definitions.locations, numbers))
        for location, event in reader.events:
            if not isinstance(event, (Enter, Leave)):
                continue
            if event.region.paradigm != Paradigm.MPI:
                continue
            k = ids[location]
            if isinstance(event, Enter):
                if depth[k] == 0:
                    entered[k] = event.time
                depth[k] += 1
            else:
                depth[k] -= 1
                if depth[k] == 0:
                    times[k][event.region.name] += (event.time - entered[k]) / ticks
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("original")
    parser.add_argument("expanded")
    parser.add_argument("--percent", type=float)
    parser.add_argument("--functions", action="store_true", help="print the largest differences of functions, too")
    options = parser.parse_args()
    right, told = read_times(options.original), read_times(options.expanded)
    sources = read_sources(options.expanded)
    worst, functions = (0, None), []
    for location, source in sources.items():
        whole = sum(right[source].values())
        if whole == 0:
            continue
        error = abs(sum(told[location].values()) - whole) / whole
        worst = max(worst, (error, location))
        functions += [((told[location][name] - right[source][name]) / whole, location, name)
                      for name in {*right[source], *told[location]}]
    if not functions:
        sys.exit("no location that was expanded is in MPI in the original")
    print(f"{100 * worst[0]:.2f} % at location {worst[1]}")
    if options.functions:
        for error, location, name in sorted(functions, key=lambda entry: -abs(entry[0]))[:8]:
            print(f"  location {location}: {name} {100 * error:+.2f} % of its time in MPI")
    return options.percent is not None and 100 * worst[0] > options.percent


if __name__ == "__main__":
    sys.exit(main())
