"""Damage that keeps the size of an archive: of bytes, files, numbers and records.

Each function takes random.Random and an Archive, which it changes.
"""
from archive import LIMITS
from otf2_bytes import ATTRIBUTES, BARE, ENTER, FIELDS, LEAVE, TIME


def any_file(random, archive):
    return random.choice(archive.names(""))


def bytes_changed(random, archive):
    name = any_file(random, archive)
    data = bytearray(archive.files[name])
    for _ in range(random.choice([1, 1, 2, 5, 20])):
        if data:
            at = random.randrange(len(data))
            data[at] = random.choice([data[at] ^ 1 << random.randrange(8), random.randrange(256), 0, 255, data[at] + 1 & 255])
    archive.files[name] = bytes(data)


def stretch_replaced(random, archive):
    name = any_file(random, archive)
    data = archive.files[name]
    begin = random.randrange(len(data) + 1)
    length = random.choice([1, 4, 16, 64, 300, 5000])
    new = random.choice([bytes(length), b"\xff" * length, random.randbytes(length), data[:length], b""])
    archive.files[name] = data[:begin] + new + data[begin + length:]


def cut_short(random, archive):
    name = any_file(random, archive)
    data = archive.files[name]
    archive.files[name] = data[:random.choice([0, 1, 2, 17, 18, 19, len(data) - 1, len(data) - 2, random.randrange(len(data) + 1)])]


def grown(random, archive):
    name = any_file(random, archive)
    archive.files[name] += random.choice([b"\0", bytes(5000), random.randbytes(400), archive.files[name]])


def missing_file(random, archive):
    del archive.files[any_file(random, archive)]


def swapped_files(random, archive):
    one, other = any_file(random, archive), any_file(random, archive)
    archive.files[one], archive.files[other] = archive.files[other], archive.files[one]


def copied_file(random, archive):
    name = any_file(random, archive)
    archive.files[any_file(random, archive)] = archive.files[name]


def marker_file(random, archive):
    archive.files["traces.marker"] = random.choice([archive.files["traces.def"], random.randbytes(300), b"", archive.files["traces.otf2"]])


def no_plain_file(random, archive):
    name = any_file(random, archive)
    archive.files[name] = random.choice([("fifo",), ("folder",), ("link", "/dev/zero"), ("link", "/nowhere"), ("link", "."), ("link", name.split("/")[-1])])


def anchor_numbers(random, archive):
    data = bytearray(archive.files["traces.otf2"])
    at = random.choice([1, 7, 8, 12, 20, 28, 29, 30, 38, len(data) - 3, len(data) - 7, len(data) - 11, len(data) - 19, len(data) - 23])
    data[at:at + random.choice([1, 4, 8])] = random.choice(LIMITS).to_bytes(8, "little")[:random.choice([1, 4, 8])]
    archive.files["traces.otf2"] = bytes(data)


def definition_fields(random, archive):
    """Numbers of some definitions become others: ids that point nowhere or to themselves, counts, types."""
    def change(numbers, records):
        for _ in range(random.choice([1, 1, 2, 3, 10, 50])):
            record = random.choice(records)
            if record[0] not in FIELDS:
                continue
            fields = numbers.split(*record)
            field = random.choice(fields)
            if field[0] == "s":
                field[1] = random.choice([b"", b"x" * 300, random.randbytes(20).replace(b"\0", b"\1"), b"\xff\xfe", b"tracefold::count", b"\n\x1b[31m"])
            else:
                other = [value for code, value in numbers.split(*random.choice(records)) if code != "s"] or [0]
                field[1] = random.choice([random.choice(LIMITS), fields[0][1] if fields[0][0] != "s" else 0, field[1] + 1, max(0, field[1] - 1), random.choice(other)])
            record[1] = numbers.join(fields)
    archive.edit("traces.def", change)


def records_moved(random, archive):
    """Records are left out, doubled, or change their places or types."""
    name = random.choice(["traces.def"] * 3 + archive.names(".def") + archive.names(".evt"))

    def change(_, records):
        for _ in range(random.choice([1, 2, 10, 100])):
            if not records:
                return
            at, to = random.randrange(len(records)), random.randrange(len(records))
            how = random.randrange(5)
            if how == 0:
                del records[at]
            elif how == 1:
                records.insert(to, list(records[at]))
            elif how == 2:
                records[at], records[to] = records[to], records[at]
            elif how == 3:
                records[at] = [random.choice([records[to][0], random.randrange(5, 100)]), records[at][1]]
            else:
                records[at] = [records[at][0], records[to][1]]
    archive.edit(name, change)


def event_fields(random, archive):
    """Bytes inside events become others; the records keep their borders."""
    def change(numbers, records):
        for _ in range(random.choice([1, 3, 10, 100])):
            record = random.choice(records)
            if record[0] in BARE:
                record[1] = numbers.number(random.choice(LIMITS), 4)
            elif record[1] and record[0] != TIME:
                content = bytearray(record[1])
                content[random.randrange(len(content))] = random.choice([0, 1, 4, 8, 9, 254, 255, random.randrange(256)])
                record[1] = bytes(content)
    archive.edit(random.choice(archive.names(".evt")), change)


def times(random, archive):
    """Time runs backwards, stands still or leaps."""
    def change(numbers, records):
        stamps = [r for r in records if r[0] == TIME]
        for _ in range(random.choice([1, 5, 50, len(stamps)])):
            random.choice(stamps)[1] = numbers.fixed(random.choice([random.choice(LIMITS), int.from_bytes(random.choice(stamps)[1], numbers.order)]))
    archive.edit(random.choice(archive.names(".evt")), change)


def calls(random, archive):
    """Calls that are never left, were never entered, or overlap."""
    def change(_, records):
        kind = random.choice([ENTER, LEAVE])
        share = random.choice([0.01, 0.3, 1])
        return [[ENTER + LEAVE - kind, r[1]] if r[0] == kind and random.random() < share else r for r in records]
    archive.edit(random.choice(archive.names(".evt")), change)


def attributes(random, archive):
    """Attribute lists before any records."""
    def change(numbers, records):
        for _ in range(random.choice([1, 3, 20])):
            some = random.choice([0, 1, 2, 40])
            content = numbers.number(random.choice([some, some, *LIMITS]), 4)
            for k in range(some):
                content += numbers.number(random.choice([k, 7]), 4) + bytes([random.randrange(28)]) + numbers.number(random.choice(LIMITS), random.choice([4, 8]))
            records.insert(random.randrange(len(records) + 1), [ATTRIBUTES, content])
    archive.edit(random.choice(archive.names(".evt")), change)


def local_definitions(random, archive):
    """Mapping tables out of range, doubled or without end, clock offsets, and definitions that do not belong there."""
    def change(numbers, records):
        for _ in range(random.choice([1, 2, 5])):
            how = random.randrange(4)
            count = random.choice([1, 2, 5, 300])
            if how < 2:
                ids = [random.choice([*LIMITS, k]) for k in range(count * (1 + how))]
                claimed = random.choice([count, count, *LIMITS])
                content = bytes([random.choice([*range(15), 255])]) + numbers.number(claimed, 8) + bytes([how]) + b"".join(numbers.number(i, 8) for i in ids)
                records.insert(random.randrange(len(records) + 1), [5, content])
            elif how == 2:
                records.append([6, numbers.fixed(random.choice(LIMITS)) + numbers.number(random.choice(LIMITS), 8) + numbers.fixed(0)])
            else:
                records.append([random.randrange(7, 60), random.randbytes(random.randrange(30))])
    archive.edit(random.choice([n for n in archive.names(".def") if n != "traces.def"]), change)


ALL = [bytes_changed] * 4 + [stretch_replaced, cut_short, cut_short, grown, missing_file, swapped_files, copied_file, marker_file, no_plain_file, anchor_numbers] + \
    [definition_fields] * 6 + [records_moved] * 4 + [event_fields] * 3 + [times, calls, attributes, local_definitions, local_definitions]
