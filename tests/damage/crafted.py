"""Archives made to cost much: deep, long, many, in circles. Each function takes
random.Random and an Archive, which it changes. Sizes stay below some megabytes."""
from archive import LIMITS
from otf2_bytes import ATTRIBUTES, ENTER, LEAVE, TIME

CALLPATH, CLOCK, STRING, TREE_NODE, LOCATION_GROUP, LOCATION, REGION, GROUP, COMM, INTER_COMM = 17, 5, 10, 12, 13, 14, 15, 18, 22, 43
METRIC_INSTANCE, CALLING_CONTEXT, IO_HANDLE, MPI_SEND, CART_TOPOLOGY, CART_COORDINATE, METRIC_MEMBER, METRIC_CLASS = 21, 34, 40, 14, 31, 32, 19, 20


def define(archive, records_of):
    """Adds what records_of(numbers, records) gives, as [kind, codes, values], to the global definitions."""
    def change(numbers, records):
        for kind, codes, *values in records_of(numbers, records):
            records.append([kind, b"".join(numbers.put(code, value) for code, value in zip(codes, values))])
    archive.edit("traces.def", change)


def group(self, kind, paradigm, members, flags=0):
    return [GROUP, "44b4" + "8" * len(members) + "bb4", self, 0, kind, len(members), *members, kind, paradigm, flags]


def some_events(random, archive):
    return random.choice(archive.names(".evt"))


def deep_stack(random, archive):
    depth = random.choice([100_000, 300_000, 1_000_000])
    ids = random.choice([1, 2, 40])
    returns = random.random() < 0.5

    def change(numbers, records):
        enter = [bytes([ENTER]) + numbers.number(k % ids, 4) for k in range(depth)]
        leave = [bytes([LEAVE]) + e[1:] for e in reversed(enter)] if returns else []
        stamp = [TIME, records[0][1]] if records and records[0][0] == TIME else [TIME, numbers.fixed(5)]
        return [stamp, *enter, *leave]
    archive.edit(some_events(random, archive), change)


def deep_growing_stack(random, archive):
    """Goes down by one call more each time: many call paths for few events."""
    depth = random.choice([300, 1000])

    def change(numbers, records):
        call = [(bytes([ENTER]) + numbers.number(k % 3, 4), bytes([LEAVE]) + numbers.number(k % 3, 4)) for k in range(depth)]
        out = [[TIME, numbers.fixed(5)]]
        for bottom in range(0, depth, 2):
            out += [enter for enter, _ in call[:bottom]] + [leave for _, leave in reversed(call[:bottom])]
        return out
    archive.edit(some_events(random, archive), change)


def long_names(random, archive):
    size = random.choice([70_000, 1 << 18, 1 << 20])
    letter = random.choice([b"x", b"\xff", b"\n", "×".encode(), b'"', b"\\"])

    def change(_, records):
        strings = [r for r in records if r[0] == STRING]
        for r in random.sample(strings, min(3, len(strings))):
            if size + 300 < archive.definition_chunk:
                width = 1 if r[1][0] == 255 else 1 + r[1][0]
                r[1] = r[1][:width] + letter * (size // len(letter)) + b"\0"
    archive.edit("traces.def", change)


def tree_in_circles(random, archive):
    length = random.choice([1, 2, 3, 1000, 50_000])
    kind, codes = random.choice([(TREE_NODE, "4444"), (CALLING_CONTEXT, "4444"), (CALLPATH, "444"), (IO_HANDLE, "444b444"), (COMM, "44444"), (LOCATION_GROUP, "44b44")])
    closed = random.random() < 0.7
    first = 1_000_000 if random.random() < 0.5 else 0

    def records_of(_, records):
        for k in range(length):
            parent = first + (k + 1) % length if closed or k + 1 < length else 2**32 - 1
            yield {CALLPATH: [kind, codes, first + k, parent, 1], IO_HANDLE: [kind, codes, first + k, 0, 0, 0, 0, 0, parent],
                   LOCATION_GROUP: [kind, codes, first + k, 0, 1, 0, parent]}.get(kind, [kind, codes, first + k, 0, 0, parent, 0])
        if kind == TREE_NODE:
            for r in records:
                if r[0] == LOCATION_GROUP and random.random() < 0.5:
                    r[1] = r[1][:-2] if len(r[1]) < 5 else r[1]
    if closed and first == 0:
        archive.edit("traces.def", lambda _, records: [r for r in records if r[0] != kind])
    define(archive, records_of)


def backward_chain(random, archive):
    """Each definition names one that comes later."""
    length = random.choice([1000, 30_000, 200_000])
    kind, codes = random.choice([(CALLPATH, "444"), (CALLING_CONTEXT, "4444")])
    define(archive, lambda *_: ([kind, codes, k, *([k + 1, 1] if kind == CALLPATH else [1, 0, k + 1])] for k in range(length)))


def many_definitions(random, archive):
    count = random.choice([10_000, 100_000, 300_000])
    make = random.choice([
        lambda k: [CLOCK, "8888", 1000, 0, k, 0], lambda k: [STRING, "4s", k, b""], lambda k: [METRIC_INSTANCE, "448b8", k, 0, 0, k % 5, k],
        lambda k: group(k, 5, 4, [k], k % 2), lambda k: [INTER_COMM, "444444", k, 0, k, k + 1, 0, 0], lambda k: [COMM, "44444", k, 0, k, k, 0],
        lambda k: [REGION, "444b444" + "4bb4", k, k, k, 0, 0, 0, 0, 0, 0, 0, 0], lambda k: [CART_TOPOLOGY, "444B", k, 0, 0, 0],
        lambda k: [CART_COORDINATE, "44B4", 0, k, 1, k], lambda k: [LOCATION, "84b84", 1000 + k, 0, 1, 0, 0],
        lambda k: [LOCATION_GROUP, "44b44", k, 0, 1, 0, 2**32 - 1], lambda k: [METRIC_CLASS, "4B4bb", k, 1, k, 0, 0]])
    define(archive, lambda *_: (make(k) for k in range(count)))


def odd_groups(random, archive):
    """Ranks beyond their communicators, and groups that mean each other."""
    ids = list(range(40))

    def records_of(*_):
        for k in ids:
            members = [random.choice([*LIMITS, random.randrange(8)]) for _ in range(random.choice([0, 1, 4, 300]))]
            yield group(k, random.choice([1, 2, 3, 4, 5, 5, 5, 6, 99]), random.choice([0, 3, 4, 4, 4, 255]), members, random.choice([0, 1, 255]))
        for k in ids:
            yield [COMM, "44444", k, 0, random.choice([*ids, 2**32 - 1]), random.choice(ids), random.choice(LIMITS)]
            yield [INTER_COMM, "444444", 50 + k, 0, random.choice(ids), random.choice(ids), random.choice(ids), 0]
    dropped = random.choice([(), (GROUP,), (GROUP, COMM), (COMM,)])
    archive.edit("traces.def", lambda _, records: [r for r in records if r[0] not in dropped])
    define(archive, records_of)


def large_inter_communicator(random, archive):
    """A message of an inter-communicator asks which of its groups one is in."""
    members = random.choice([1000, 100_000])
    messages = random.choice([1000, 200_000])
    define(archive, lambda *_: [group(900, 5, 4, [0] * members), group(901, 5, 4, [1] * members), [INTER_COMM, "444444", 900, 0, 900, 901, 0, 0]])

    def change(numbers, records):
        send = numbers.framed(MPI_SEND, numbers.number(1, 4) + numbers.number(900, 4) + numbers.number(0, 4) + numbers.number(8, 8))
        return [*records, *[send] * messages]
    archive.edit(some_events(random, archive), change)


def giant_counts(random, archive):
    """Few bytes that claim to hold many, in many records."""
    records_wanted = random.choice([10, 10_000, 100_000])

    def change(numbers, records):
        claim = random.choice([200, 1 << 16, 1 << 20, 2**32 - 2])
        kind = random.choice([ATTRIBUTES, 31, 83, 84, 66, 60])
        content = random.choice([numbers.number(claim, 4), b"\x00\xff" + numbers.number(claim, 4), b"\x01\x01" + numbers.number(claim, 4), bytes(3) + numbers.number(claim, 4)])
        filler = [bytes([ENTER]) + b"\0", bytes([LEAVE]) + b"\0"] * random.choice([0, 100_000])
        return [*records, *[numbers.framed(kind, content)] * records_wanted, *filler]
    archive.edit(some_events(random, archive), change)


def limits_as_location_ids(random, archive):
    """Locations get ids at the limits of their type, with their files."""
    ids = random.sample(LIMITS, 4)
    renamed = {}

    def change(numbers, records):
        for r in records:
            if r[0] == LOCATION and ids:
                fields = numbers.split(*r)
                renamed[fields[0][1]] = fields[0][1] = ids.pop()
                r[1] = numbers.join(fields)
    old = archive.names(".evt")
    archive.edit("traces.def", change)
    for name in old:
        to = renamed.get(int(name[7:-4]))
        if to is not None:
            for ending in (".evt", ".def"):
                if f"traces/{name[7:-4]}{ending}" in archive.files:
                    archive.files[f"traces/{to}{ending}"] = archive.files[f"traces/{name[7:-4]}{ending}"]


def many_properties(random, archive):
    """An anchor of many or long properties."""
    anchor = archive.files["traces.otf2"]
    count = random.choice([1, 300, 20_000])
    claimed = random.choice([count, count, 2**32 - 1])
    value = b"v" * random.choice([1, 10, 100_000 // count + 1])
    order = "little" if anchor[1] == 0x42 else "big"
    end = 46
    for _ in range(3):
        end = anchor.index(0, end) + 1
    some = b"".join(b"P::%d\0%s\0" % (k, value) for k in range(count))
    archive.files["traces.otf2"] = anchor[:end] + claimed.to_bytes(4, order) + some + anchor[-19:]


def markers(random, archive):
    """A marker file whose marks and records are whole, of odd values."""
    count = random.choice([1, 100, 50_000])

    def records_of(numbers):
        for k in range(count):
            text = random.choice([b"", b"m", b"\xff", b"x" * 200])
            if k % 3 == 0:
                yield [5, numbers.number(random.choice([k, *LIMITS]), 4) + text + b"\0" + random.choice([b"c\0", b"c"]) + b"\1"]
            else:
                scope = numbers.number(random.choice(LIMITS), 8) + numbers.number(1, 8) + numbers.number(k % 5, 4) + bytes([k % 9]) + numbers.number(random.choice(LIMITS), 8)
                yield [6, scope + text + random.choice([b"\0", b"\0", b""])]
    archive.files["traces.marker"] = archive.files["traces.def"]
    archive.edit("traces.marker", lambda numbers, _: list(records_of(numbers)))


def many_functions(random, archive):
    """As many functions as fit, each calls the next."""
    count = random.choice([1000, 20_000])
    define(archive, lambda *_: ([STRING, "4s", 500_000 + k, b"f%d" % k] for k in range(count)))
    define(archive, lambda *_: ([REGION, "444b4444bb4", 1000 + k, 500_000 + k, 0, 0, 0, 0, 0, 500_000 + k, 0, 1, 0] for k in range(count)))

    def change(numbers, records):
        ids = [numbers.number(1000 + k, 4) for k in range(count)]
        return [*records, *(bytes([ENTER]) + i for i in ids), *(bytes([LEAVE]) + i for i in reversed(ids))]
    archive.edit(some_events(random, archive), change)


ALL = [deep_stack, deep_growing_stack, long_names, tree_in_circles, tree_in_circles, backward_chain, many_definitions, many_definitions, odd_groups, odd_groups,
       large_inter_communicator, giant_counts, giant_counts, limits_as_location_ids, many_properties, markers, many_functions]
