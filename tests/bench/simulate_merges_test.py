#!/usr/bin/env python3
"""What simulate_merges prints of trees and rounds is what these have by theory.

usage: simulate_merges_test.py SIMULATE_MERGES
"""

import math
import re
import subprocess
import sys

LOCATIONS, RANKS = 4096, 64
ROW = re.compile(r"^ +(\d+) +(\d+)(?:\+(\d+))? +(\d+)(?:\+(\d+))?  ")
# Of each table: whether something comes down the tree; None: all send to all.
TABLES = {
    "Profiles": True,
    "Operations: signatures": True,
    "Call paths": True,
    "Hashes": True,
    "Collective": True,
    "When": None,
    "Values": True,
    "Times": False,
    "Operations of kept": None,
}


def read_tables(text):
    """By the first line of each table its rows, as numbers; none where nothing is printed."""
    tables, name = {}, None
    for line in text.splitlines():
        if line and not line.startswith(" "):
            name = line
        elif found := ROW.match(line):
            tables.setdefault(name, []).append([int(n or 0) for n in found.groups()])
    return tables


def list_expected(ranks, comes_down):
    """Ranks, messages up and down, levels up and down."""
    if comes_down is None:
        return [ranks, ranks * (ranks - 1), 0, ranks - 1, 0]
    levels = math.ceil(math.log2(ranks))
    if comes_down:
        return [ranks, ranks - 1, ranks - 1, levels, levels]
    return [ranks, ranks - 1, 0, levels, 0]


def run(tool, *options):
    done = subprocess.run([tool, *options], stdout=subprocess.PIPE, text=True, check=False)
    for line in done.stdout.splitlines():
        if len(line) > 80:
            sys.exit(f"a line has more than 80 columns: {line}")
    return done.returncode, done.stdout


def main():
    tool = sys.argv[1]
    wrong = 0
    # A number of ranks that is no power of 2, and more ranks than locations, too.
    for locations, ranks in ((LOCATIONS, RANKS), (1000, 37), (5, 9)):
        status, text = run(tool, "--locations", str(locations), "--ranks", str(ranks),
                           "--gathered", "1500")
        tables = read_tables(text)
        sizes = [n for n in (1, 8, 64) if n < ranks] + [ranks]
        if status != 0 or len(tables) != len(TABLES):
            print(text)
            sys.exit(f"{locations} locations on {ranks} ranks: status {status}")
        for name, rows in tables.items():
            comes_down = next(way for begin, way in TABLES.items() if name.startswith(begin))
            expected = [list_expected(n, comes_down) for n in sizes]
            if rows != expected:
                wrong += 1
                print(f"{locations} on {ranks}, {name}: {rows} in place of {expected}")
        extrapolates = "extrapolated: sizes are multiplied by 3.00" in text
        if extrapolates != (locations == LOCATIONS):
            wrong += 1
            print(f"{locations} on {ranks}: extrapolated where it should not be, or not where it should")
    if run(tool, "--ranks", "0")[0] != 1:
        wrong += 1
        print("no ranks are no error")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
