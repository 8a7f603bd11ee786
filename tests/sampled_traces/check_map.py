#!/usr/bin/env python3
"""Compares the map of a reduced trace with the original's.

    check_map.py REDUCED.csv ORIGINAL.csv tracefold.json

Each iteration of the reduced trace's map has to be what the original has for the iteration that
stands for it, on each process of both. The plan tells which one that is, of the first loop.
"""
import csv
import json
import sys


def read_rows(name):
    with open(name) as file:
        return {row[0]: [float(value) for value in row[2:]] for row in list(csv.reader(file))[1:]}


def read_ranges(text):
    numbers = []
    for part in text.split(","):
        part, _, step = part.partition(":")
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1, int(step or 1))
    return numbers


def main():
    reduced, original = read_rows(sys.argv[1]), read_rows(sys.argv[2])
    with open(sys.argv[3]) as file:
        loop = json.load(file)["iterations"]["loops"][0]
    kept = read_ranges(loop["kept"])

    wrong = [(process, i) for process, values in reduced.items() for i, value in enumerate(values)
             if abs(value - original[process][kept[loop["kept_of"][i]]]) > 1e-9 * abs(value)]
    print(wrong[:5])
    sys.exit(bool(wrong) or not reduced or len(loop["kept_of"]) == len(kept))


main()
