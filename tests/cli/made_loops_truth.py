#!/usr/bin/env python3
"""Compares the truth about a made-up trace with what otf2-print reads in it.

usage: made_loops_truth.py FOLDER

The clock has to tell all events of a location apart. Prints what differs.
"""
import bisect
import collections
import json
import re
import subprocess
import sys

EVENT = re.compile(r"(\w+) +(\d+) +(\d+)  (.*)")
NUMBER = {name: re.compile(name + r": (\d+)") for name in ("Length", "Sent", "Received")}
COUNTED = {
    "MPI_SEND": ("sends", "bytes sent"), "MPI_ISEND": ("sends", "bytes sent"),
    "MPI_RECV": ("receives", "bytes received"), "MPI_IRECV": ("receives", "bytes received"),
}


def events(anchor):
    """Kind, location, time and further words of each, by time."""
    out = subprocess.run(["otf2-print", anchor], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        match = EVENT.match(line)
        if match:
            yield match[1], match[2], int(match[3]), match[4]


def number(name, words):
    return int(NUMBER[name].search(words)[1])


class Location:
    """Counts what is in each iteration."""

    def __init__(self, truth):
        self.spans = [(b, e, l, i) for l, loop in enumerate(truth["loops"]) for i, (b, e) in enumerate(zip(loop["begin"], loop["end"]))]
        self.begins = [span[0] for span in self.spans]
        self.counts = collections.defaultdict(collections.Counter)
        self.visits = collections.defaultdict(collections.Counter)
        self.path = ()

    def see(self, kind, time, words):
        if kind == "ENTER":
            self.path += (re.search(r'"(.*)"', words)[1],)
        at = bisect.bisect_right(self.begins, time) - 1
        if at >= 0 and time <= self.spans[at][1]:
            self.count(self.spans[at][2:], kind, words)
        if kind == "LEAVE":
            self.path = self.path[:-1]

    def count(self, iteration, kind, words):
        counts = self.counts[iteration]
        if kind == "ENTER":
            counts["visits"] += 1
            self.visits[iteration][self.path] += 1
        elif kind in COUNTED:
            times, volume = COUNTED[kind]
            counts[times] += 1
            counts[volume] += number("Length", words)
        elif kind == "MPI_COLLECTIVE_END" and "BARRIER" in words:
            counts["collective synchronizations"] += 1
        elif kind == "MPI_COLLECTIVE_END":
            sent, received = number("Sent", words), number("Received", words)
            counts.update({"collectives": 1, "collectives as source": sent > 0, "collectives as destination": received > 0,
                           "collective bytes outgoing": sent, "collective bytes incoming": received})


def path_of(truth, number_of_path):
    path = truth["call_paths"][number_of_path]
    return (path_of(truth, path["caller"]) if path["caller"] is not None else ()) + (path["function"],)


def differences(truth, location, seen):
    for l, loop in enumerate(location["loops"]):
        for i in range(loop["iterations"]):
            for name, values in loop["metrics"].items():
                if not name.endswith("time") and name != "PAPI_TOT_INS" and values[i] != seen.counts[l, i][name]:
                    yield f"loop {l}, iteration {i}: {seen.counts[l, i][name]} {name}, not {values[i]}"
            tree = truth["strong_classes"][loop["strong"][i]]
            paths = truth["weak_classes"][tree["weak"]]
            if tree["weak"] != loop["weak"][i] or {path_of(truth, p): n for p, n in zip(paths, tree["visits"])} != seen.visits[l, i]:
                yield f"loop {l}, iteration {i}: another call tree"


def main():
    folder = sys.argv[1]
    with open(f"{folder}/truth.json", encoding="utf-8") as file:
        truth = json.load(file)
    seen = {location["id"]: Location(location) for location in truth["locations"]}
    for kind, location, time, words in events(f"{folder}/traces.otf2"):
        seen[location].see(kind, time, words)
    wrong = [f"location {l['id']}: {words}" for l in truth["locations"] for words in differences(truth, l, seen[l["id"]])]
    for words in wrong[:10]:
        print(words)
    return bool(wrong) or not any(s.counts for s in seen.values())


sys.exit(main())
