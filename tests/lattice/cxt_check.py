"""Judges .cxt files, and what is said of them, by definition.

Shares no code with what it judges. No program for formal concept analysis that
reads .cxt is packaged by Debian or npm.
usage: cxt_check.py WRITE_CXT
"""
import pathlib
import subprocess
import sys
import tempfile


def read_cxt(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "B" and lines[4] == ""
    objects, attributes = int(lines[2]), int(lines[3])
    rows = lines[5 + objects + attributes :]
    assert len(rows) == objects and all(len(row) == attributes for row in rows)
    return [frozenset(j for j, mark in enumerate(row) if mark == "X") for row in rows], frozenset(range(attributes))


def measures(rows, attributes):
    intents = {attributes}
    for row in rows:
        intents |= {intent & row for intent in intents}
    closed = lambda wanted: attributes.intersection(*(row for row in rows if wanted <= row))
    nodes = set(rows) | {closed(frozenset([j])) for j in attributes}
    edges = sum(a < b and not any(a < c < b for c in nodes) for a in nodes for b in nodes)
    return [len(intents), len(nodes), edges]


def main(write_cxt):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([write_cxt, folder], check=True)
        files = sorted(pathlib.Path(folder).glob("*.cxt"))
        for path in files:
            rows, attributes = read_cxt(path)
            said = [int(word) for word in path.with_suffix(".txt").read_text().split()]
            assert said == measures(rows, attributes), f"{path.name}: {said} is not {measures(rows, attributes)}\n{path.read_text()}"
        print(f"{len(files)} contexts agree")
        assert len(files) >= 200


main(*sys.argv[1:])
