#!/usr/bin/env python3
"""Computes from what otf2-print shows who sends messages to whom and waits for whom, and what each
process did between MPI_Init and MPI_Finalize, and compares with tracefold.profiles.

usage: partners_check.py TRACEFOLD TRACE.otf2...   (77: otf2-print or what reads profiles is missing)

Only of traces in which each process of MPI has one location that communicates. Shares no code with
tracefold but the reader of tracefold.profiles in examples/python.
"""
import collections
import pathlib
import shutil
import subprocess
import sys
import tempfile

import waits_check

try:
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"))
    import read_profiles
except ImportError:
    sys.exit(77)

STEP = 0.0101
NAMES = {"wait_at_barrier": "MPI wait-at-barrier time", "wait_at_NxN": "MPI wait-at-NxN time",
         "late_broadcast": "MPI late-broadcast time", "early_reduce": "MPI early-reduce time"}


def read_stored(tracefold, anchor):
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([tracefold, "reduce", anchor, "-o", work + "/small", "-q"], check=True, capture_output=True)
        return read_profiles.ProfilesFile(work + "/small")


def find_pairs(sends, waits):
    pairs = collections.defaultdict(collections.Counter)
    for (sender, receiver, *_), messages in sends.items():
        pairs[sender, receiver]["messages"] += len(messages)
    for location, of_location in waits.items():
        for key, ticks in of_location.items():
            if isinstance(key, tuple) and key[0] == "late_sender":
                pairs[key[1], location]["MPI late-sender time"] += ticks
            elif isinstance(key, tuple) and key[0] == "late_receiver":
                pairs[location, key[1]]["MPI late-receiver time"] += ticks
    return pairs


def read_pairs(stored, locations):
    fields = ["messages", "MPI late-sender time", "MPI late-receiver time"]
    if "pairs/sender" not in stored.tables:
        return {}
    columns = [stored.read("pairs/" + name)[:, 0].tolist() for name in ["sender", "receiver", *fields]]
    return {(locations[row[0]], locations[row[1]]): dict(zip(fields, row[2:])) for row in zip(*columns)}


class Comparison:
    def __init__(self, anchor):
        self.anchor, self.values, self.wrong = anchor, 0, 0

    def compare(self, where, said, right, share):
        self.values += 1
        if abs(said - right) > share * right:
            self.wrong += 1
            print(f"{self.anchor}: {where}: {said} instead of {right}")

    def compare_pairs(self, said, right):
        for ends in sorted(set(said) | set(right), key=str):
            for field in ("messages", "MPI late-sender time", "MPI late-receiver time"):
                self.compare(f"{ends}: {field}", said.get(ends, {}).get(field, 0), right[ends][field] if ends in right else 0,
                             0 if field == "messages" else STEP)

    def compare_caused(self, stored, locations, waits):
        right = collections.Counter()
        for of_location in waits.values():
            for key, ticks in of_location.items():
                if isinstance(key, tuple) and key[0] in NAMES:
                    right[key] += ticks
        for metric, name in NAMES.items():
            table = "caused/" + name
            said = stored.read(table)[:, 0].tolist() if table in stored.tables else [0] * len(locations)
            for location, ticks in zip(locations, said):
                self.compare(f"location {location}: {table}", ticks, right[metric, location], 0)

    def compare_scope(self, stored, locations, calls):
        """All time between MPI_Init and MPI_Finalize, of processes that call both."""
        scopes = [scope["name"] for scope in stored.about.get("scopes", [])]
        if "MPI" not in scopes:
            return
        scope = scopes.index("MPI")
        said = stored.read(f"scope {scope}/execution time/by process")[:, 0].tolist()
        for location, ticks in zip(locations, said):
            begins = [call.left for call in calls[location] if call.name in ("MPI_Init", "MPI_Init_thread")]
            ends = [call.entered for call in calls[location] if call.name == "MPI_Finalize"]
            if not begins or not ends:
                continue
            outermost = 0
            for call in calls[location]:
                own = min(call.left, ends[0]) - max(call.entered, begins[0])
                outermost += max(own, 0) if call.depth == 0 else 0
            self.compare(f"location {location}: time in the scope MPI", ticks, outermost, 0)


def main():
    if not shutil.which("otf2-print"):
        sys.exit(77)
    tracefold, anchors = sys.argv[1], sys.argv[2:]
    wrong = 0
    for anchor in anchors:
        calls, sends, posts, parts = waits_check.read(anchor)
        waits_check.match(sends, posts, parts)
        waits = waits_check.add_waits(calls)
        stored = read_stored(tracefold, anchor)
        locations = stored.read("process/location")[:, 0].tolist()
        comparison = Comparison(anchor)
        comparison.compare_pairs(read_pairs(stored, locations), find_pairs(sends, waits))
        comparison.compare_caused(stored, locations, waits)
        comparison.compare_scope(stored, locations, calls)
        print(f"{anchor}: {comparison.values} values compared, {comparison.wrong} wrong")
        wrong += comparison.wrong
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
