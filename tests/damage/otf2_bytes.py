"""The bytes of OTF2 files, taken apart and put together again.

A definition or event file becomes a list of records [type, content]; in event
files a time stamp is [TIME, eight bytes]. Of a global definition the content
can be taken apart further, into the numbers of FIELDS. Source: OTF2 3.0.2, read
off its files; written apart from the program's own reader, to test it.
"""
import struct

TIME, ATTRIBUTES, HEADER, FILE_END, BUFFER_END = 5, 6, 3, 2, 1
BARE = {12, 13, 16, 17, 20, 21, 24, 28, 29, 30}  # events of one number, without a length
ENTER, LEAVE = 12, 13

# b: byte, 4 and 8: numbers of that width at most, s: text; B( ) and N( ): a count
# (a byte, a number) and that many of what is in brackets; t: a type and a value of it; ?: may end here.
FIELDS = {
    5: "888?8", 6: "b4b", 7: "bbt", 8: "b44b4B(bt)", 10: "4s", 11: "44b?4", 12: "4444", 13: "44b4?4", 14: "84b84", 15: "444b444?4bb4",
    16: "44444", 17: "444", 18: "44bN(8)?bb4", 19: "444bbbb84", 20: "4B(4)b?b", 21: "448b8", 22: "4444?4", 23: "44b", 24: "444?4", 25: "48",
    26: "444?t", 27: "4b", 28: "444?t", 29: "844?t", 30: "444b", 31: "444B(4)", 32: "44B(4)", 33: "444", 34: "4444", 35: "44t", 36: "44bb88",
    37: "44t", 38: "444", 39: "444", 40: "444b444", 41: "4b4", 42: "44t", 43: "444444"}


VALUES = {1: "b", 5: "b", 2: "h", 6: "h", 3: "4", 7: "4", 9: "f", 10: "d", 13: "8"}  # by OTF2_Type
WIDTHS = {"h": 2, "f": 4, "d": 8}  # of numbers that are not compressed


class Numbers:
    """Encodes and decodes numbers in one byte order."""

    def __init__(self, big=False):
        self.big, self.order = big, "big" if big else "little"

    def fixed(self, value, width=8):
        return (value & (256 ** width - 1)).to_bytes(width, self.order)

    def number(self, value, widest):
        value &= 256 ** widest - 1
        if value == 256 ** widest - 1:
            return b"\xff"
        width = (value.bit_length() + 7) // 8
        return bytes([width]) + value.to_bytes(width, self.order)

    def put(self, code, value):
        if code == "s":
            return value + b"\0"
        if code in WIDTHS:
            return self.fixed(value, WIDTHS[code])
        return bytes([value & 255]) if code in "bB" else self.number(value, 8 if code == "8" else 4)

    def take(self, code, data, at):
        if code == "s":
            end = data.index(0, at)
            return data[at:end], end + 1
        if code in "bB":
            return data[at], at + 1
        if code in WIDTHS:
            return int.from_bytes(data[at:at + WIDTHS[code]], self.order), at + WIDTHS[code]
        width = data[at]
        if width == 255:
            return 256 ** (8 if code == "8" else 4) - 1, at + 1
        return int.from_bytes(data[at + 1:at + 1 + width], self.order), at + 1 + width

    def header(self):
        return bytes([HEADER, 0x23 if self.big else 0x42]) + self.fixed(1) + self.fixed(0)

    def record(self, kind, content):
        if kind == TIME and len(content) == 8 or kind in BARE and len(content) <= 9:
            return bytes([kind]) + content
        return self.framed(kind, content)

    def framed(self, kind, content):
        length = bytes([len(content)]) if len(content) < 255 else b"\xff" + self.fixed(len(content))
        return bytes([kind]) + length + content

    def split(self, kind, content):
        """The fields of a global definition, as [[code, value]]."""
        out, at, codes = [], 0, list(FIELDS[kind])
        while codes:
            code = codes.pop(0)
            if code == "?" and at >= len(content):
                break
            if code in "?()":
                continue
            if code == "t":
                out.append(["b", content[at]])
                code, at = VALUES.get(content[at], "4" if 11 <= content[at] <= 25 else "8"), at + 1
            value, at = self.take(code, content, at)
            out.append([code, value])
            if code in "BN":
                close = codes.index(")")
                inner, codes = codes[1:close], inner_times(codes[1:close], value) + codes[close + 1:]
        return out

    def join(self, fields):
        return b"".join(self.put(code, value) for code, value in fields)


def inner_times(inner, times):
    return inner * min(times, 1 << 20)


def parse(data, chunk, events):
    """Numbers and records of a whole file."""
    numbers, records = Numbers(data[1] == 0x23), []
    for begin in range(0, len(data), chunk):
        at = begin + 18
        while data[at] not in (0, FILE_END):
            kind = data[at]
            at += 1
            if events and kind == TIME:
                width = 8
            elif events and kind in BARE:
                width = 1 if data[at] == 255 else 1 + data[at]
            elif data[at] == 255:
                width, at = int.from_bytes(data[at + 1:at + 9], numbers.order), at + 9
            else:
                width, at = data[at], at + 1
            records.append([kind, data[at:at + width]])
            at += width
        if data[at] == FILE_END:
            break
    return numbers, records


def build(numbers, records, chunk, events):
    """A file of the records; `records` may hold bytes, that go in as they are."""
    out, part = [], bytearray(numbers.header())
    for record in records:
        raw = record if isinstance(record, bytes) else numbers.record(*record) if events else numbers.framed(*record)
        if len(part) + len(raw) + 2 > chunk:
            out.append(bytes(part.ljust(chunk, b"\0")))
            part = bytearray(numbers.header())
        part += raw
    out.append(bytes(part) + bytes([FILE_END, BUFFER_END]))
    return b"".join(out)


def chunk_sizes(anchor):
    """Of events and definitions, as the anchor says."""
    return struct.unpack_from("<QQ" if anchor[1] == 0x42 else ">QQ", anchor, 12)
