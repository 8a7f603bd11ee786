#!/usr/bin/env python3
"""Compares what ranks communicate: compare_operations.py ORIGINAL EXPANDED [--calls]

Each rank of the expanded trace begins the same messages and collectives as in the original, in the same
order, in the same call paths, and those of one call in one call. With --calls: where a process stands for
itself, it has as many calls as in the original, for which no iteration may be folded.
"""
import collections
import re
import subprocess
import sys

BEGINS = {"MPI_SEND", "MPI_ISEND", "MPI_RECV", "MPI_IRECV_REQUEST", "MPI_COLLECTIVE_END", "NON_BLOCKING_COLLECTIVE_REQUEST"}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, errors="replace").stdout


def read_property(trace, name):
    """By location of an expanded trace: a location of the original."""
    return {int(location): int(value) for location, value in re.findall(
        rf"^LOCATION_PROPERTY +Location: .*<(\d+)>, Name: \"{name}\".*Value: (\d+)", run("otf2-print", "-G", trace), re.M)}


def read_operations(trace):
    """By location: [path, kind, words, whether the one before is in the same call], and the number of calls."""
    operations, calls, path = collections.defaultdict(list), collections.Counter(), collections.defaultdict(list)
    for line in run("otf2-print", trace).splitlines():
        found = re.match(r"(\w+) +(\d+) +\d+  (.*)", line)
        if not found:
            continue
        kind, location, words = found[1], int(found[2]), found[3]
        if kind == "ENTER":
            calls[location] += 1
            path[location].append((re.search(r'Region: "(.*?)" <\d+>', words)[1], calls[location]))
        elif kind == "LEAVE":
            path[location].pop()
        elif kind == "MPI_REQUEST_CANCELLED":  # nothing was received
            request = re.search(r"Request: (\d+)", words)[1]
            operations[location].pop(next(k for k in range(len(operations[location]) - 1, -1, -1)
                                          if operations[location][k][1:3] == ("MPI_IRECV_REQUEST", request)))
        elif kind in BEGINS:
            request = re.search(r"Request: (\d+)|$", words)[1]
            words = re.sub(r'(, )?Request: \d+| \("[^"]*" <\d+>\)| <\d+>', "", words)
            if kind == "MPI_IRECV_REQUEST":
                words = request
            within = path[location][-1][1] if path[location] else 0
            operations[location].append((tuple(name for name, _ in path[location]), kind, words, within))
    for listed in operations.values():
        before = None
        for k, (callers, kind, words, within) in enumerate(listed):
            listed[k] = (callers, kind, "" if kind == "MPI_IRECV_REQUEST" else words, within == before)
            before = within
    return operations, calls


def main():
    original, expanded = sys.argv[1:3]
    (right, right_calls), (told, told_calls) = read_operations(original), read_operations(expanded)
    sources, calls_of = (read_property(expanded, f"tracefold::{name}") for name in ("source", "calls_of"))
    wrong = 0
    for location, source in sources.items():
        one, other = right[source], told[location]
        if one != other:
            wrong += 1
            at = next((k for k, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
            print(f"location {location}: {len(one)} and {len(other)} operations, other ones from {at} on: "
                  f"{one[at:at + 2]} {other[at:at + 2]}")
        is_own = "--calls" in sys.argv and calls_of[location] == source
        if is_own and told_calls[location] != right_calls[source]:
            wrong += 1
            print(f"location {location}: {told_calls[location]} calls instead of {right_calls[source]}")
    sys.exit(wrong > 0)


main()
