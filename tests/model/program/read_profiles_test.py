#!/usr/bin/env python3
"""Checks that examples/python/read_profiles.py reads what model/program/ writes.

usage: read_profiles_test.py MAKE_PROFILES

Skipped (status 77) where no python3 has numpy and zstandard.
"""

import csv
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

READER = pathlib.Path(__file__).resolve().parents[3] / "examples/python/read_profiles.py"
DEBIANS = "/usr/bin/python3"

try:
    import numpy
    import zstandard
except ImportError:
    if os.path.realpath(sys.executable) == os.path.realpath(DEBIANS):
        print("skipped: python3 has no numpy and zstandard")
        sys.exit(77)
    os.execv(DEBIANS, [DEBIANS, *sys.argv])


def load_reader():
    spec = importlib.util.spec_from_file_location("read_profiles", READER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_values(profiles, values):
    """All values, and some rows, are those that are expected."""
    predictors, at = set(), 0
    for name, table in profiles.tables.items():
        size = table.rows * table.columns
        expected = values[at:at + size].reshape(table.rows, table.columns)
        at += size
        assert numpy.array_equal(profiles.read(name), expected), name
        first, count = table.rows // 3, table.rows // 2
        assert numpy.array_equal(profiles.read(name, first, count), expected[first:first + count]), name
        predictors |= {find_predictor(profiles, block) for block in table.blocks}
    assert at == len(values)
    assert predictors == {None, 0, 1, 2, 3, 4, 5, 6, 7}, predictors


def find_predictor(profiles, block):
    begin, end = block
    return None if begin is None else zstandard.ZstdDecompressor().decompress(profiles._bytes[begin:end])[0]


def check_damage(module, folder):
    """A changed byte is found, or changes nothing."""
    path = folder / "tracefold.profiles"
    whole = path.read_bytes()
    name = "steps of 1 %"
    profiles = module.ProfilesFile(path)
    expected, (begin, end) = profiles.read(name), profiles.tables[name].blocks[0]
    places = [*range(25), *range(begin, end, 37), *range(len(whole) - 500, len(whole))]
    refused = 0
    for place in places:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1:])
        try:
            assert numpy.array_equal(module.ProfilesFile(path).read(name), expected), place
        except module.ProfilesError:
            refused += 1
    assert refused > 0.9 * len(places), (refused, len(places))

    path.write_bytes(whole.replace(b"profiles 1\n", b"profiles 2\n", 1))
    run = subprocess.run([sys.executable, READER, path], capture_output=True, text=True)
    assert run.returncode == 1 and "of version 2, and version 1 is read" in run.stderr, run.stderr
    path.write_bytes(whole)


def make_file(tables, index=b"\0"):
    """A file without blocks, whose document says this of its tables."""
    document = tables if isinstance(tables, bytes) else json.dumps({"about": {}, "tables": tables}).encode()
    frames = [zstandard.ZstdCompressor(write_checksum=True).compress(part) for part in (document, index)]
    first = b"tracefold profiles 1\n"
    footer = [len(first), len(frames[0]), len(document), len(frames[1]), len(index)]
    return first + b"".join(frames) + b"".join(n.to_bytes(8, "little") for n in footer) + b"profiles"


def check_wrong_documents(module, folder):
    """What a document claims is refused before memory is taken for it."""
    path = folder / "made"

    def find_refusal(tables, index=b"\0"):
        path.write_bytes(make_file(tables, index))
        try:
            module.ProfilesFile(path)
        except module.ProfilesError as problem:
            return str(problem)
        return "it was taken"

    def make_table(**changes):
        return [{"name": "t", "rows": 0, "columns": 3} | changes]

    assert find_refusal(make_table()) == "it was taken"
    assert find_refusal(make_table(labels="1-5:2")) == "it was taken"
    for key, wrong in [("rows", -1), ("rows", 1 << 32), ("rows", True), ("columns", 1 << 25),
                       ("columns", 1.0), ("columns", None), ("percent", 51)]:
        assert f"number of {key} is none, or too large" in find_refusal(make_table(**{key: wrong}))
    for labels in ["0-99999999", "1", "0-9999999999", "5-0", "1,2,3,4"]:
        assert "labels do not fit" in find_refusal(make_table(labels=labels)), labels
    for labels in ["a", "1-", "0-2:0", "0-2:", "-1", "99999999999999999999"]:
        assert "no list of numbers" in find_refusal(make_table(labels=labels)), labels
    for document in [b"[]", b"{", b"\xff", b"[" * 100_000, b'{"about": {}}', b'{"about": 1, "tables": [1]}']:
        assert "document is damaged" in find_refusal(document), document[:20]
    module.MOST_LABELS = 5
    assert "too many columns" in find_refusal(make_table(labels="0-2") + make_table(name="u", labels="0-2"))


def check_command(module, folder):
    def run(*words):
        done = subprocess.run([sys.executable, READER, folder, *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    profiles = module.ProfilesFile(folder)
    assert "steps of 7 %: 150 rows, 40 columns, to 7 %\n" in run()
    assert json.loads(run("--about")) == {"version": "1.2", "paths": ["main", "größer"]}
    lines = list(csv.reader(io.StringIO(run("with labels"))))
    assert lines[0] == ["row", "7", "9", "11", "1000000"]
    assert [[int(word) for word in line[1:]] for line in lines[1:]] == profiles.read("with labels").tolist()
    wrong = subprocess.run([sys.executable, READER, folder, "none"], capture_output=True, text=True)
    assert wrong.returncode == 1 and "there is no table 'none'" in wrong.stderr


def main():
    module = load_reader()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[1], folder], check=True)
        check_values(module.ProfilesFile(folder), numpy.fromfile(folder / "values", "<u8"))
        check_command(module, folder)
        check_wrong_documents(module, folder)
        check_damage(module, folder)


if __name__ == "__main__":
    main()
