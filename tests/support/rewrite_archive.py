#!/usr/bin/env python3
"""Writes the files of an OTF2 archive again with other bytes, for tests of odd archives.

usage: rewrite_archive.py HOW FOLDER NEW_FOLDER

HOW is one of
  big-endian      as a machine of the other byte order writes it
  old-regions     records of regions end behind the canonical name, with OpenMP's old barrier as type
  oldest-regions  they end before it
  old-among-long  old regions, with a record of more than 255 bytes behind every second one
  empty-local     local definition files without a byte
  two-tables      each mapping table is followed by another one of its kind

Shares no code with the program. A file is a row of chunks; the records of each are changed one by
one, and fill the same chunk again.
"""

import pathlib
import struct
import sys

CHUNK_END, FILE_END, CHUNK, TIME_STAMP, ATTRIBUTES = 0, 2, 3, 5, 6
MARKS = {"<": 0x42, ">": 0x23}

# Fields by type of record. b: a byte; 2, f and d: 2, 4 and 8 bytes as they are; 4 and 8: a
# compressed number; s: text; t: a type and its value; B( ), N( ) and M( ): a count, a byte or a
# compressed number of 4 or 8 bytes, and that many of what is in brackets; ?: the record may end.
GLOBAL = {5: "888?8", 6: "b4b", 7: "bbt", 8: "b44b4B(bt)", 10: "4s", 11: "44b?4", 12: "4444", 13: "44b4?4",
          14: "84b84", 15: "444b444?4?bb4", 16: "44444", 17: "444", 18: "44bN(8)?bb4", 19: "444bbbb84",
          20: "4B(4)b?b", 21: "448b8", 22: "4444?4", 23: "44b", 24: "444?4", 25: "48", 26: "444?t", 27: "4b",
          28: "444?t", 29: "844?t", 30: "444b", 31: "444B(4)", 32: "44B(4)", 33: "444", 34: "4444", 35: "44t",
          36: "44bb88", 37: "44t", 38: "444", 39: "444", 40: "444b444", 41: "4b4", 42: "44t", 43: "444444"}
LOCAL = {**GLOBAL, 5: "bT", 6: "d8d"}  # T: a mapping table
MARKER = {5: "4ssb", 6: "884b8s"}
EVENTS = dict(enumerate("d b 4 4 4448 44488 8 8 4448 44488 8 8 - b4488 4 - 44 44 8 8 8 4B(b8) 44 48 48 4 4 - "
                        "b44488 444 448b 448b 448b 448 44b 4 4488 4488 44b888 48 48 48 48 b4 b 4 4 b44 b44 444 "
                        "444 444 48 48 48 48 44 4 444 4b44 4 444 48b8 44 b4 4b488 48 48 488 48 4b 4b 4b "
                        "4N(4) 8 8 b44888 4 4".split(), 10))
BARE = {12, 13, 16, 17, 20, 21, 24, 28, 29, 30}
VALUES = {1: "b", 2: "2", 3: "4", 5: "b", 6: "2", 7: "4", 9: "f", 10: "d", 13: "8", **{k: "4" for k in range(11, 26) if k != 13}}
ATTRIBUTE_LIST = "N(4t)"
WIDTHS = {"b": 1, "2": 2, "f": 4, "d": 8}


class Translator:
    """Reads fields of one byte order from `data`, and writes them in another."""

    def __init__(self, data, old, new):
        self.data, self.at, self.old, self.new, self.out = data, 0, old, new, bytearray()

    def fixed(self, width):
        value = int.from_bytes(self.data[self.at:self.at + width], "little" if self.old == "<" else "big")
        self.at += width
        self.put(value, width)
        return value

    def put(self, value, width):
        self.out += value.to_bytes(width, "little" if self.new == "<" else "big")

    def number(self):
        length = self.fixed(1)
        return -1 if length == 0xFF else self.fixed(length)

    def field(self, letter):
        return self.fixed(WIDTHS[letter]) if letter in WIDTHS else self.number()

    def text(self):
        end = self.data.index(0, self.at) + 1
        self.out += self.data[self.at:end]
        self.at = end

    def fields(self, layout, end):
        at = 0
        while at < len(layout):
            letter = layout[at]
            if letter == "?":
                if self.at == end:
                    return
            elif letter == "s":
                self.text()
            elif letter == "t":
                self.field(VALUES.get(self.fixed(1), "8"))
            elif letter == "T":
                count = self.number()
                for _ in range(count * (1 + self.fixed(1))):
                    self.number()
            elif letter in "BN":
                close = layout.index(")", at)
                count = self.field("b" if letter == "B" else "4")
                for _ in range(count):
                    self.fields(layout[at + 2:close], end)
                at = close
            elif letter != "-":
                self.field(letter)
            at += 1


def put_record(out, kind, fields, order):
    out.append(kind)
    if len(fields) < 0xFF:
        out.append(len(fields))
    else:
        out += b"\xff" + struct.pack(order + "Q", len(fields))
    out += fields


def change_chunk(data, layouts, order, change):
    """The chunk in byte order `order`; `change` gets each record's type and fields, and gives a list of them."""
    old = "<" if data[1] == MARKS["<"] else ">"
    out = bytearray([CHUNK, MARKS[order]]) + struct.pack(order + "QQ", *struct.unpack(old + "QQ", data[2:18]))
    at = 18
    while True:
        kind = data[at]
        if kind in (CHUNK_END, FILE_END):
            break
        translator = Translator(data, old, order)
        if layouts is EVENTS and (kind == TIME_STAMP or kind in BARE):
            translator.at = at + 1
            translator.fields("d" if kind == TIME_STAMP else layouts[kind], None)
            out.append(kind)
            out += translator.out
            at = translator.at
            continue

        at += 1
        length = data[at]
        at += 1
        if length == 0xFF:
            length = struct.unpack(old + "Q", data[at:at + 8])[0]
            at += 8
        translator.at = at
        layout = ATTRIBUTE_LIST if layouts is EVENTS and kind == ATTRIBUTES else layouts[kind]
        translator.fields(layout, at + length)
        at += length
        translator.out += data[translator.at:at]
        for new_kind, fields in change(kind, bytes(translator.out)):
            put_record(out, new_kind, fields, order)

    if kind == CHUNK_END:
        return bytes(out).ljust(len(data), b"\0")
    return bytes(out) + data[at:]


def change_file(path, chunk, layouts, order, change):
    data = path.read_bytes()
    return b"".join(change_chunk(data[at:at + chunk], layouts, order, change) for at in range(0, len(data), chunk))


def change_anchor(data, order):
    old = "<" if data[1] == MARKS["<"] else ">"
    translator = Translator(data, old, order)
    translator.at = 7
    for _ in range(5):  # format and versions
        translator.fixed(1)
    chunks = [translator.fixed(8), translator.fixed(8)]
    translator.fields("bbdd", None)  # substrate, compression, numbers of locations and definitions
    translator.fields("sss", None)
    for _ in range(2 * translator.fixed(4)):
        translator.text()
    translator.fields("dff", None)  # identifier, snapshots, thumbnails
    return bytes([CHUNK, MARKS[order]]) + data[2:7] + bytes(translator.out) + data[translator.at:], chunks


def skip_numbers(fields, at, count):
    for _ in range(count):
        length = fields[at]
        at += 1 if length == 0xFF else 1 + length
    return at


def cut_region(fields, has_canonical_name):
    """As OTF2 1.0 wrote it, or 1.1 before its release; the type in it is 15, a barrier of OpenMP."""
    kind = skip_numbers(fields, 0, 3)
    end = skip_numbers(fields, kind + 1, 4 if has_canonical_name else 3)
    return fields[:kind] + bytes([15]) + fields[kind + 1:end]


def main():
    how, source, target = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    order = ">" if how == "big-endian" else "<"

    regions = []

    def change_global(kind, fields):
        if kind == 15 and how in ("old-regions", "oldest-regions", "old-among-long"):
            fields = cut_region(fields, how != "oldest-regions")
        if kind == 15 and how == "old-among-long":
            regions.append(fields)
            text = struct.pack("<BI", 4, (1 << 20) + len(regions)) + b"x" * 300 + b"\0"
            return [(kind, fields), (10, text)][:1 + len(regions) % 2]
        return [(kind, fields)]

    def change_local(kind, fields):
        # The table of identities.
        second = [(kind, fields[:1] + b"\1\1" + b"\0" + b"\0")] if kind == 5 and how == "two-tables" else []
        return [(kind, fields), *second]

    def keep(kind, fields):
        return [(kind, fields)]

    anchor = source / "traces.otf2"
    new_anchor, (event_chunk, definition_chunk) = change_anchor(anchor.read_bytes(), order)
    (target / "traces").mkdir(parents=True)
    (target / "traces.otf2").write_bytes(new_anchor)
    (target / "traces.def").write_bytes(change_file(source / "traces.def", definition_chunk, GLOBAL, order, change_global))
    if (source / "traces.marker").exists():
        (target / "traces.marker").write_bytes(change_file(source / "traces.marker", definition_chunk, MARKER, order, keep))
    for path in sorted((source / "traces").iterdir()):
        if path.suffix == ".evt":
            new = change_file(path, event_chunk, EVENTS, order, keep)
        elif how == "empty-local":
            new = b""
        else:
            new = change_file(path, definition_chunk, LOCAL, order, change_local)
        (target / "traces" / path.name).write_bytes(new)


if __name__ == "__main__":
    main()
