#!/usr/bin/env python3
"""Reads `tracefold.profiles`: what every process of a traced program did.

usage: read_profiles.py FILE            lists the tables
       read_profiles.py FILE TABLE      prints a table as CSV: a line for each row
       read_profiles.py FILE --about    prints what the file says about its tables, as JSON

FILE may be the folder of a reduced trace. As a module:

    profiles = ProfilesFile("small/tracefold.profiles")
    visits = profiles.read("calls/visits")            # numpy: a row for each process
    some = profiles.read("loop 0/time", first=8, count=4)
    frame = profiles.read_frame("calls/visits")       # pandas

Needs numpy and zstandard (Debian: python3-numpy, python3-zstandard). Written from
docs/profiles-format.md, which has the bytes; it needs nothing else of tracefold.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import sys

import numpy
import zstandard

FIRST_WORDS, VERSION = b"tracefold profiles ", b"1"
FOOTER_BYTES = 48
MOST_ROWS, MOST_COLUMNS, MOST_LABELS = (1 << 32) - 1, 1 << 24, 1 << 25
MOST_DOCUMENT_BYTES = 1 << 26
MOST_BLOCKS = 1 << 22
MOST_GROUPS = 1 << 24
MOST_PERCENT = 50
LARGEST = (1 << 64) - 1
ONE = numpy.uint64(1)

ABOVE, BEFORE, ABOVE_AND_BEFORE, IN_GROUP, IN_GROUP_AND_BEFORE, OF_ROW, OF_COLUMN = range(1, 8)


class ProfilesError(ValueError):
    """The file is none, of another version, or damaged."""


def demand(holds, why):
    if not holds:
        raise ProfilesError(f"is no file of profiles: {why}")


@dataclasses.dataclass
class Table:
    """What the file says about a table. `labels` are numbers of the columns."""

    name: str
    rows: int
    columns: int
    percent: int  # error of its values; 0: exact
    labels: numpy.ndarray | range
    blocks: list  # by block: where its frame begins and ends, or (None, the number of all)


class ProfilesFile:
    """`about` is the document about the tables; `tables` holds a Table by name."""

    def __init__(self, path):
        path = pathlib.Path(path)
        self._bytes = (path / "tracefold.profiles" if path.is_dir() else path).read_bytes()
        begin = check_first_line(self._bytes)
        demand(len(self._bytes) >= begin + FOOTER_BYTES, "it is cut")
        footer = self._bytes[-FOOTER_BYTES:]
        demand(footer.endswith(b"profiles"), "its end is not there")
        at, packed, size, index_packed, index_size = numpy.frombuffer(footer[:40], "<u8").tolist()
        demand(begin <= at and at + packed + index_packed + FOOTER_BYTES == len(self._bytes),
               "its parts do not fit")
        demand(size <= MOST_DOCUMENT_BYTES, "its document is too large")

        document = read_document(unpack_frame(self._bytes[at:at + packed], size))
        self.about = document["about"]
        self.tables = {}
        index = self._bytes[at + packed:at + packed + index_packed]
        demand(index_size <= 12 * (MOST_BLOCKS + MOST_GROUPS), "its index is too large")
        self._read_index(document["tables"], unpack_frame(index, index_size), begin, at)

    def _read_index(self, entries, index, begin, end):
        numbers, _ = read_varints(numpy.frombuffer(index, "u1"))
        demand(len(numbers) > 0 and numbers[0] < len(numbers), "its index is cut")
        groups = 1 + int(numbers[0])
        self._groups = numpy.cumsum(from_zigzag(numbers[1:groups]), dtype="u8")

        rest = iter(numbers[groups:].tolist())
        labels_left = MOST_LABELS
        for entry in entries:
            name, rows = entry["name"], read_count(entry, "rows", MOST_ROWS)
            columns = read_count(entry, "columns", MOST_COLUMNS)
            percent = read_count(entry, "percent", MOST_PERCENT) if "percent" in entry else 0
            demand(name not in self.tables, f"it has two tables '{name}'")
            labels = range(columns)
            if "labels" in entry:
                labels_left -= columns
                demand(labels_left >= 0, "its tables have too many columns")
                labels = read_ranges(entry["labels"], columns)
            blocks = []
            for _ in range(Grid(rows, columns).count):
                size = next(rest, None)
                demand(size is not None and size <= end - begin, "its blocks do not fit")
                blocks.append((begin, begin + size) if size else (None, next(rest, 0)))
                begin += size
            self.tables[name] = Table(name, rows, columns, percent, labels, blocks)
        demand(begin == end and next(rest, None) is None, "its index does not fit")

    def read(self, name, first=0, count=None):
        """The values of all rows, or of `count` rows from `first` on, as an array of uint64."""
        table = self.tables[name]
        count = table.rows - first if count is None else count
        if first < 0 or count < 0 or first + count > table.rows:
            raise IndexError(f"table '{name}' has only {table.rows} rows")
        values = numpy.zeros((count, table.columns), "u8")
        grid = Grid(table.rows, table.columns)
        for number in range(grid.count if count else 0):
            rows, columns = grid.find(number)
            begin, end = max(first, rows.start), min(first + count, rows.stop)
            if begin < end:
                block = self._read_block(table, number, rows, columns)
                values[begin - first:end - first, columns.start:columns.stop] = \
                    block[begin - rows.start:end - rows.start]
        return values

    def read_frame(self, name):
        """The same as a pandas.DataFrame, whose columns have the table's labels."""
        import pandas
        return pandas.DataFrame(self.read(name), columns=self.tables[name].labels)

    def _read_block(self, table, number, rows, columns):
        begin, end = table.blocks[number]
        if begin is None:
            numbers = numpy.full((len(rows), len(columns)), end, "u8")
        else:
            groups = self._groups if len(self._groups) == table.rows else None
            above = find_rows_above(groups, rows)
            numbers = unpack_block(self._bytes[begin:end], len(rows), len(columns), above)
        if table.percent == 0:
            return numbers
        values = list_step_values(table.percent)
        demand(numbers.max() < len(values), "there is no such step of values")
        return values[numbers]


class Grid:
    """How a table is cut into blocks."""

    def __init__(self, rows, columns):
        self.rows, self.columns, self.count = rows, columns, 0
        if rows and columns:
            self.parts = -(-columns // 1024)
            self.width = -(-columns // self.parts)
            self.height = 65536 // self.width
            self.count = self.parts * -(-rows // self.height)

    def find(self, block):
        """The rows and columns of a block, as ranges."""
        row = block // self.parts * self.height
        column = block % self.parts * self.width
        return (range(row, min(row + self.height, self.rows)),
                range(column, min(column + self.width, self.columns)))


def check_first_line(data):
    """Where the first line ends."""
    end = data.find(b"\n", 0, 60)
    demand(data.startswith(FIRST_WORDS) and end >= 0, "it does not begin as one")
    version = data[len(FIRST_WORDS):end]
    if version != VERSION:
        raise ProfilesError(f"is a file of profiles of version {version.decode(errors='replace')}, "
                            "and version 1 is read")
    return end + 1


def read_document(text):
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ProfilesError("is no file of profiles: its document is damaged") from problem
    demand(isinstance(document, dict) and "about" in document
           and isinstance(document.get("tables"), list), "its document is damaged")
    for entry in document["tables"]:
        demand(isinstance(entry, dict) and isinstance(entry.get("name"), str)
               and isinstance(entry.get("labels", ""), str), "its document is damaged")
    return document


def read_count(entry, key, most):
    number = entry.get(key)
    demand(type(number) is int and 0 <= number <= most,
           f"a table's number of {key} is none, or too large")
    return number


def unpack_frame(frame, size=None, most=None):
    """The content of a frame, which has a certain size, or any up to `most`."""
    try:
        content = zstandard.frame_content_size(frame)
        demand(content == size if most is None else 0 <= content <= most, "a frame has another size")
        return zstandard.ZstdDecompressor().decompress(frame)
    except zstandard.ZstdError as problem:
        raise ProfilesError(f"is no file of profiles: {problem}") from problem


def read_varints(data, count=None):
    """All numbers in an array of bytes, or the first of them, and how many bytes these take."""
    ends = numpy.flatnonzero(data < 128)
    ends = ends if count is None else ends[:count]
    used = int(ends[-1]) + 1 if len(ends) else 0
    demand(len(ends) == count if count is not None else used == len(data), "numbers are cut")
    if not used:
        return numpy.zeros(0, "u8"), 0
    starts = numpy.concatenate(([0], ends[:-1] + 1))
    lengths = ends + 1 - starts
    demand(lengths.max() <= 10 and data[ends[lengths == 10]].max(initial=0) <= 1,
           "a number is too large")
    places = (numpy.arange(used) - numpy.repeat(starts, lengths)).astype("u8")
    parts = (data[:used] & 0x7f).astype("u8") << (numpy.uint64(7) * places)
    return numpy.add.reduceat(parts, starts), used


def from_zigzag(numbers):
    return (numbers >> ONE) ^ (numpy.zeros_like(numbers) - (numbers & ONE))


def read_ranges(text, count):
    """The numbers of "0-6:2,9", of which there are so many: 0, 2, 4, 6, 9."""
    parts, left = [], count
    for part in filter(None, text.split(",")):
        numbers = re.fullmatch(r"(\d{1,10})(?:-(\d{1,10})(?::(\d{1,10}))?)?", part, re.ASCII)
        demand(numbers and int(numbers[3] or 1) > 0, "labels of columns are no list of numbers")
        first, last, stride = (int(number) if number else None for number in numbers.groups())
        part = range(first, (first if last is None else last) + 1, 1 if stride is None else stride)
        left -= len(part)
        demand(left >= 0, "labels do not fit the columns")
        parts.append(numpy.arange(part.start, part.stop, part.step))
    demand(left == 0, "labels do not fit the columns")
    return numpy.concatenate(parts) if parts else numpy.zeros(0, int)


def find_rows_above(groups, rows):
    """By row of a block: the nearest row of its group before it, or where there is none, the row
    before. Without groups: None."""
    if groups is None:
        return None
    last, above = {}, []
    for row, group in enumerate(groups[rows.start:rows.stop].tolist()):
        above.append(last.get(group, row - 1))
        last[group] = row
    return above


def unpack_block(frame, rows, columns, above):
    count = rows * columns
    data = numpy.frombuffer(unpack_frame(frame, most=(2 * count + 1) * 11), "u1")
    demand(len(data) > 0 and data[0] <= OF_COLUMN, "there is no such prediction")
    predictor, data = int(data[0]), data[1:]
    levels = None
    if predictor in (OF_ROW, OF_COLUMN):
        levels, used = read_varints(data, rows if predictor == OF_ROW else columns)
        levels, data = numpy.cumsum(from_zigzag(levels), dtype="u8"), data[used:]

    demand(len(data) >= count, "a block is cut")
    numbers = data[:count].astype("u8")
    escapes = numpy.flatnonzero(numbers == 255)
    more, used = read_varints(data[count:], len(escapes))
    demand(count + used == len(data), "a block is too long")
    numbers[escapes] += more
    return add_prediction(predictor, from_zigzag(numbers).reshape(rows, columns), levels, above)


def add_prediction(predictor, numbers, levels, above):
    if predictor == 0:
        return numbers
    if predictor == OF_ROW:
        return numbers + levels[:, None]
    if predictor == OF_COLUMN:
        return numbers + levels[None, :]
    if predictor == BEFORE:
        numbers[:, 0] = numpy.cumsum(numbers[:, 0], dtype="u8")
        return numpy.cumsum(numbers, axis=1, dtype="u8")

    # The sum along rows is left for the end where both neighbours predict.
    and_before = predictor in (ABOVE_AND_BEFORE, IN_GROUP_AND_BEFORE)
    if not and_before:
        numbers[0] = numpy.cumsum(numbers[0], dtype="u8")
    if predictor in (ABOVE, ABOVE_AND_BEFORE) or above is None:
        numbers = numpy.cumsum(numbers, axis=0, dtype="u8")
    else:
        for row in range(1, len(numbers)):
            numbers[row] += numbers[above[row]]
    return numpy.cumsum(numbers, axis=1, dtype="u8") if and_before else numbers


def list_step_values(percent, known={}):
    """The values of all steps."""
    demand(0 <= percent <= MOST_PERCENT, "there are no steps of this percent")
    if percent not in known:
        values = [0, 1]
        while values[-1] < LARGEST:
            last = values[-1]
            values.append(min(LARGEST, max(last + 1, last * (100 + percent) // (100 - percent))))
        known[percent] = numpy.array(values, "u8")
    return known[percent]


def print_tables(profiles):
    for table in profiles.tables.values():
        error = f"to {table.percent} %" if table.percent else "exact"
        print(f"{table.name}: {table.rows} rows, {table.columns} columns, {error}")


def print_csv(profiles, name):
    print("row," + ",".join(map(str, profiles.tables[name].labels)))
    for row, values in enumerate(profiles.read(name).tolist()):
        print(f"{row}," + ",".join(map(str, values)))


def main():
    parser = argparse.ArgumentParser(description="Reads tracefold.profiles.")
    parser.add_argument("file", metavar="FILE", help="tracefold.profiles, or its folder")
    parser.add_argument("table", metavar="TABLE", nargs="?", help="print this table as CSV")
    parser.add_argument("--about", action="store_true", help="print what is said about the tables")
    options = parser.parse_args()

    try:
        profiles = ProfilesFile(options.file)
        if options.table is not None and options.table not in profiles.tables:
            return f"{options.file}: there is no table '{options.table}'"
        if options.about:
            print(json.dumps(profiles.about, indent=1, ensure_ascii=False))
        elif options.table is not None:
            print_csv(profiles, options.table)
        else:
            print_tables(profiles)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ProfilesError) as problem:
        return f"{options.file}: {problem}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
