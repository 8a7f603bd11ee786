#!/usr/bin/env python3
"""Says where original.csv and reduced.csv, which `profile --per-process` has made of a trace and of a reduced one, differ.

Rows of kept processes have equal names and counts, and times to 1 %. Threads and names of groups are of the whole
program, numbers of call paths of the trace, and not looked at.
"""
import csv
import sys


def read(name):
    rows = {}
    for row in csv.DictReader(open(name)):
        times = {key: value for key, value in row.items() if key.endswith("_seconds")}
        rows[tuple((key, value) for key, value in row.items()
                   if key not in times and key not in ("thread", "group_name", "path", "caller_path"))] = times
    return rows


def differ(a, b):
    return (a == "") != (b == "") or (a != "" and abs(float(a) - float(b)) > 0.0101 * float(a) + 2e-9)


original, reduced = read("original.csv"), read("reduced.csv")
kept = {dict(row)["location"] for row in reduced}
original = {row: times for row, times in original.items() if dict(row)["location"] in kept}
if not original or original.keys() != reduced.keys():
    sys.exit(f"{len(original)} and {len(reduced)} rows: {sorted(original.keys() ^ reduced.keys())[:1]}")
for row, times in original.items():
    for key, time in times.items():
        if differ(time, reduced[row][key]):
            sys.exit(f"{key} of {dict(row)}: {time} and {reduced[row][key]}")
