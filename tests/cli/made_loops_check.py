#!/usr/bin/env python3
"""Compares found iterations with the truth about made-up traces.

usage: made_loops_check.py FOLDER...

Each folder has truth.json, iterations.json from `tracefold iterations --loops --format json`,
and found.txt from print_iterations. Prints a line for each thing that differs.
"""
import collections
import json
import pathlib
import sys

# What is said of a loop of each style; an inline one may be told by a call, too.
HOW = {"marked": {"marked"}, "numbered": {"marked"}, "function": {"call path"}, "inline": {"call path", "sequence"}}


COUNTS = ["visits", "sends", "receives", "collectives"]


def found_iterations(folder):
    """By location: of each loop its iterations, as numbers: begin, end, and COUNTS."""
    loops = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in (folder / "found.txt").read_text().splitlines():
        location, loop, _, *numbers = line.split()
        loops[location][int(loop)].append([int(n) for n in numbers])
    return {location: [of[k] for k in sorted(of)] for location, of in loops.items()}


def differing_iteration(true, found, exact):
    """Words on the first that differs. An unmarked one lasts until the next."""
    metrics = true["metrics"]
    if len(found) != true["iterations"]:
        return f"{len(found)} iterations instead of {true['iterations']}"
    for i, (begin, end, *counts) in enumerate(found):
        true_begin, true_end = true["begin"][i], true["end"][i]
        last = true_end if exact or i + 1 == len(found) else true["begin"][i + 1]
        if begin != true_begin or not true_end <= end <= last:
            return f"iteration {i} is {begin}-{end} instead of {true_begin}-{true_end}"
        for name, count in zip(COUNTS, counts):
            wanted = metrics[name][i] + (metrics["collective synchronizations"][i] if name == "collectives" else 0)
            if count != wanted:
                return f"iteration {i} has {count} {name} instead of {wanted}"
    return None


def members(ranges):
    for part in ranges.split(","):
        first, *rest = part.split("-")
        yield from map(str, range(int(first), int(rest[0] if rest else first) + 1)) if part else ()


def said_loops(folder):
    """By location: the loops that the program says it has."""
    out = {}
    for group in json.loads((folder / "iterations.json").read_text())["groups"]:
        out.update({location: group["loops"] for location in members(group["members"])})
        out.update({location["id"]: location["loops"] for location in group["differing"]})
    return out


def differing_words(said, loop, true):
    if said["iterations"] != true["iterations"]:
        return f"said to have {said['iterations']} iterations instead of {true['iterations']}"
    if said["how"] not in HOW[loop["style"]] or said["call_path"] != loop["call_path"]:
        return f"{said['how']} in {said['call_path']}"
    if loop["function"] not in (None, said["function"]):
        return f"told by {said['function']}"
    return None


def complaints(folder):
    truth = json.loads((folder / "truth.json").read_text())
    found, said = found_iterations(folder), said_loops(folder)
    for location in truth["locations"]:
        name, loops = location["id"], location["loops"]
        of_location = found.get(name, [])
        if len(of_location) != len(loops) or len(said[name]) != len(loops):
            yield f"location {name}: loops of {[len(o) for o in of_location]} iterations instead of {[o['iterations'] for o in loops]}"
            continue
        for k, true in enumerate(loops):
            loop = truth["loops"][true["loop"]]
            for words in (differing_iteration(true, of_location[k], HOW[loop["style"]] == {"marked"}), differing_words(said[name][k], loop, true)):
                if words:
                    yield f"location {name}, loop {k}: {words}"


def main():
    status = 0
    for folder in map(pathlib.Path, sys.argv[1:]):
        wrong = list(complaints(folder))
        for words in wrong[:4]:
            print(f"{folder}: {words}")
        status |= bool(wrong)
    return status


sys.exit(main())
