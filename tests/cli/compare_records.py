#!/usr/bin/env python3
"""Compares what is recorded of windows and files: compare_records.py ORIGINAL EXPANDED [--no-calls] [RANKS]

For each location of the expanded trace: the same records as in the original, in the same order, in the
same calls, with the same windows, files, ranks and bytes, and each completion for the same operation.
RANKS, as in 0,2,4: operations with others are left out, and what completes them; so are operations on
what is not defined.
"""

import collections
import re
import subprocess
import sys

BEGINS = ("RMA_PUT", "RMA_GET", "RMA_ATOMIC", "IO_OPERATION_BEGIN")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, errors="replace").stdout


def read_sources(trace):
    """Locations of the original, by location of the expanded trace."""
    return {int(location): int(source) for location, source in re.findall(
        r"^LOCATION_PROPERTY +Location: .*<(\d+)>.*tracefold::source.*Value: (\d+)", run("otf2-print", "-G", trace), re.M)}


def read_records(trace):
    """By location: (call path, kind, words) of each record, the matching ids replaced."""
    records, begun, path = collections.defaultdict(list), {}, collections.defaultdict(list)
    for line in run("otf2-print", trace).splitlines():
        found = re.match(r"(\w+) +(\d+) +\d+  (.*)", line)
        if not found:
            continue
        kind, location, words = found[1], int(found[2]), found[3]
        if kind in ("ENTER", "LEAVE"):
            name = re.search(r'Region: "(.*?)"', words)[1]
            path[location].append(name) if kind == "ENTER" else path[location].pop()
            continue
        if not kind.startswith(("RMA_", "IO_")):
            continue
        if kind == "RMA_COLLECTIVE_BEGIN":
            words = ""
        matching = re.search(r", Matching(?: Id)?: (\d+)$", words)
        if matching:
            words = words[:matching.start()]
            object_of = words.split(", ")[0]
            key = location, kind.startswith("IO_"), object_of, matching[1]
            if kind in BEGINS:
                begun[key] = len(records[location]), words
            words += f", of {begun[key] if key in begun else None}" if kind not in BEGINS else ""
        records[location].append((tuple(path[location]), kind, words))
    return records


def rename(records, names):
    """Without ids, which are others: a window or file by its name, a remote by its source."""
    renamed = []
    for path, kind, words in records:
        words = re.sub(r'Remote: \d+ \("[^"]*" <(\d+)>\)', lambda m: f"remote {names(int(m[1]))}", words)
        renamed.append((path, kind, re.sub(r'("(?:[^"]*)") <\d+>', r"\1", words)))
    return renamed


def drop_cut(records, ranks):
    """Without operations with other ranks or on what is not defined, and without what completes them."""
    kept, cut = [], set()
    for number, (path, kind, words) in enumerate(records):
        is_known = not re.match(r"\w+: (UNDEFINED|INVALID|<\d+>|\d+)", words) and not words.endswith(", of None")
        if not is_known:
            cut.add(number)
            continue
        remote = re.search(r"remote (\d+)", words)
        of = re.search(r", of \((\d+), .*\)$", words)
        if (remote and int(remote[1]) not in ranks) or (of and int(of[1]) in cut):
            cut.add(number)
        else:
            kept.append((number, path, kind, words))
    return kept


def number_references(records):
    """A completion names the place of its operation among all that may be completed."""
    begun = [number for number, _, kind, _ in records if kind in BEGINS]
    order = {number: place for place, number in enumerate(begun)}
    return [(path, kind, re.sub(r", of \((\d+), .*\)$", lambda m: f", of operation {order.get(int(m[1]))}", words))
            for _, path, kind, words in records]


def part(records):
    """Collectives on windows begin where their call does, so these stand apart."""
    begin = "RMA_COLLECTIVE_BEGIN"
    return [one for one in records if one[1] != begin], sum(one[1] == begin for one in records)


def main():
    original, expanded = sys.argv[1:3]
    words = sys.argv[3:]
    with_calls = "--no-calls" not in words
    ranks = next(({int(rank) for rank in word.split(",")} for word in words if word[0].isdigit()), None)
    sources, wrong, compared = read_sources(expanded), 0, 0
    before, after = read_records(original), read_records(expanded)
    for location, source in sorted(sources.items()):
        wanted = drop_cut(rename(before[source], lambda number: number), ranks or set(before))
        found = drop_cut(rename(after[location], lambda number: sources[number]), set(before))
        (wanted, wanted_begun), (found, found_begun) = part(number_references(wanted)), part(number_references(found))
        if not with_calls:
            wanted, found = [one[1:] for one in wanted], [one[1:] for one in found]
        compared += len(found)
        if wanted == found and wanted_begun == found_begun:
            continue
        wrong += 1
        print(f"location {source}: {wanted_begun} collectives were begun, {found_begun} in the expanded trace")
        for a, b in zip(wanted + [None], found + [None]):
            if a != b:
                print(f"  original {a}\n  expanded {b}")
                break
    print(f"{len(sources)} locations, {compared} records, {wrong} differ")
    sys.exit(1 if wrong or not compared else 0)


if __name__ == "__main__":
    main()
