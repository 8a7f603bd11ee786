#!/usr/bin/env python3
"""Opens the tables of `tracefold export` as data frames of pandas.

usage: tracefold_tables.py FOLDER          lists the tables
       tracefold_tables.py FOLDER TABLE    prints the first rows of a table

As a module:

    t = Tables("tables")
    t.calls.groupby("function").exclusive_ns.sum()
    slow = t.read("calls", columns=["rank", "exclusive_ns"])

A table is read when it is first asked for. CSV needs only pandas (Debian: python3-pandas), Parquet also pyarrow. Whole numbers that may
be missing are of pandas' types Int64 and UInt64, so that no id becomes a float.
"""

import pathlib
import sys

import pandas

TEXTS = {"canonical", "category", "class", "file", "function", "group", "kind", "location_group_name", "metric", "name", "node",
         "operation", "paradigm", "path", "role", "scope", "severity", "text", "type", "unit"}
NUMBERS = {("locations_of_nodes", "node"), ("groups", "group")}  # called as texts of other tables
FLOATS = {("metrics", "value"), ("iterations", "value")}
MAY_BE_MISSING = {"bytes", "bytes_received", "bytes_requested", "bytes_sent", "caller", "early_reduce_ns", "events", "handle",
                  "integer", "late_broadcast_ns", "late_receiver_ns", "late_sender_ns", "offset", "parent", "rank",
                  "receive_begin_ns", "receive_end_ns", "receiver", "root", "scope_id", "send_begin_ns", "send_end_ns", "shown_by",
                  "target", "wait_at_barrier_ns", "wait_at_nxn_ns"}
SIGNED = {"depth", "group", "integer", "is_complete", "level", "loop", "thread"}  # and times


def find_type(table, column):
    if (table, column) in FLOATS:
        return "float64"
    if (column in TEXTS and (table, column) not in NUMBERS) or (table, column) == ("facts", "value"):
        return "text"
    return "int64" if column.endswith("_ns") or column in SIGNED else "uint64"


def read_csv(path, columns):
    names = columns or pandas.read_csv(path, nrows=0).columns
    types = {name: find_type(path.stem, name) for name in names}
    as_text = {name for name in names if types[name] == "text" or name in MAY_BE_MISSING}
    frame = pandas.read_csv(path, usecols=columns, keep_default_na=False, na_values={name: [] for name in as_text},
                            dtype={name: str if name in as_text else types[name] for name in names})
    for name in as_text:
        if types[name] == "text":
            continue
        missing = frame[name] == ""
        values = frame[name].where(~missing, "0").map(int).to_numpy(types[name])
        frame[name] = pandas.arrays.IntegerArray(values, missing.to_numpy(bool))
    return frame


class Tables:
    """The tables of a folder, as attributes."""

    def __init__(self, folder):
        self._files = {path.stem: path for path in sorted(pathlib.Path(folder).iterdir()) if path.suffix in (".parquet", ".csv")}
        self._read = {}

    def names(self):
        return list(self._files)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._files:
            raise AttributeError(name)
        if name not in self._read:
            self._read[name] = self.read(name)
        return self._read[name]

    def read(self, name, columns=None):
        path = self._files[name]
        if path.suffix == ".csv":
            return read_csv(path, columns)
        return pandas.read_parquet(path, columns=columns, dtype_backend="numpy_nullable")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    tables = Tables(sys.argv[1])
    if len(sys.argv) == 3:
        print(getattr(tables, sys.argv[2]).head(20).to_string())
        return
    for name in tables.names():
        print(name)


if __name__ == "__main__":
    main()
