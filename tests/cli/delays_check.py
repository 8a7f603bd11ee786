#!/usr/bin/env python3
"""Computes from what otf2-print shows which call paths made others wait, and compares with
tracefold.profiles.

usage: delays_check.py TRACEFOLD TRACE.otf2...   (77: otf2-print or what reads profiles is missing)

What is charged to which call path is defined in pipeline/delays/find_delays.hpp and written here
anew, with all events at once. Only of traces in which each process of MPI has one location that
communicates, and in which no call of MPI calls another one. Shares no code with tracefold but the
reader of tracefold.profiles in examples/python.
"""
import bisect
import collections
import shutil
import sys

import waits_check

try:
    from partners_check import read_stored
except ImportError:
    sys.exit(77)

CLASSES = {"late_sender": "late sender", "late_receiver": "late receiver"}
STEP = 0.0101
MOST_PASSED = 64


class Timeline:
    """Which call path has the time of a location, and how much of each call is waiting."""

    def __init__(self, calls):
        self.calls = sorted(calls, key=lambda call: (call.entered, call.depth))
        self.pieces = []  # begin, end, path
        stack, now = [], 0
        for time, is_end, _, call in sorted(
                [(call.entered, False, call.depth, call) for call in calls] +
                [(call.left, True, -call.depth, call) for call in calls], key=lambda event: event[:1] + (
                    self.place(event),)):
            if stack and time > now:
                self.pieces.append((now, time, stack[-1].path))
            now = time
            if is_end:
                stack.remove(call)
            else:
                stack.append(call)
        self.begins = [piece[0] for piece in self.pieces]
        self.waits = []  # end of the call, path, ticks
        self.entered = collections.defaultdict(list)
        for call in self.calls:
            if call.name.startswith("MPI_"):
                self.entered[call.entered].append(call)
        cut_by = [call for call in self.calls if call.communicates or call.name in ("MPI_Init", "MPI_Init_thread")]
        self.cuts = sorted({time for call in cut_by for time in (call.entered, call.left)})
        inits = [call.left for call in self.calls if call.name in ("MPI_Init", "MPI_Init_thread")]
        self.begin = min(inits) if inits else self.calls[0].entered if self.calls else 0

    @staticmethod
    def place(event):
        """At one time: calls of some length end, then calls begin and end that have none."""
        time, is_end, _, call = event
        if is_end and call.entered < time:
            return (0, -call.depth)
        return (1, call.depth, is_end)

    def finish(self):
        self.waits.sort()
        self.wait_ends = [wait[0] for wait in self.waits]

    def sum(self, after, until):
        """By path and whether it is waiting."""
        out = collections.Counter()
        for begin, end, path in self.pieces[max(bisect.bisect_right(self.begins, after) - 1, 0):]:
            if begin >= until:
                break
            out[path, False] += max(0, min(end, until) - max(begin, after))
        for end, path, ticks in self.waits[bisect.bisect_right(self.wait_ends, after):
                                           bisect.bisect_right(self.wait_ends, until)]:
            out[path, False] -= ticks
            out[path, True] += ticks
        return out

    def find_cut(self, time):
        """The last cut until then."""
        return self.cuts[max(bisect.bisect_right(self.cuts, time) - 1, 0)]

    def find_end_of_call(self, entered):
        return self.entered[entered][0].left if entered in self.entered else entered


def list_meetings(parts):
    """By pair of locations the ends of their calls in operations in which both wait for all."""
    meetings = collections.defaultdict(list)
    for (operation, _), by_location in parts.items():
        if operation != "BARRIER" and operation not in waits_check.ALL_TO_ALL:
            continue
        for instance in zip(*by_location.values()):
            ends = [(where, call.left) for where, (call, _, sent, received) in zip(by_location, instance)
                    if operation == "BARRIER" or sent + received > 0]
            for a, end in ends:
                for b, other_end in ends:
                    if a != b:
                        meetings[a, b].append((end, other_end))
    for of_pair in meetings.values():
        of_pair.sort()
    return meetings


def find_excess(late, waiting):
    """By path what the late one took longer, and how much longer it waited."""
    own = {path: ticks - waiting[path, False] for (path, is_waiting), ticks in late.items()
           if not is_waiting and ticks > waiting[path, False]}
    more = sum(t for part, t in late.items() if part[1]) - sum(t for part, t in waiting.items() if part[1])
    return own, max(more, 0)


def share_out(ticks, late_waits, waited_for):
    """By number of a wait what is passed on to it: as it is longer than what the other waited for the same."""
    longer = {}
    waited_for = dict(waited_for)
    for number, (late, own) in late_waits.items():
        same = min(own, waited_for.get(late, 0))
        waited_for[late] = waited_for.get(late, 0) - same
        if own > same:
            longer[number] = own - same
    longer = longer or {number: own for number, (_, own) in late_waits.items()}
    return {number: ticks * own / sum(longer.values()) for number, own in longer.items()}


def charge(calls, parts):
    """By location, path, class and whether it was passed on: ticks; and how many waits there are."""
    lines = {location: Timeline(of_location) for location, of_location in calls.items()}
    meetings = list_meetings(parts)
    together = collections.defaultdict(list)  # by pair: where one waited for the other
    waits = []
    for location, call, metric, ticks, late, until in waits_check.list_waits(calls):
        if ticks == 0:
            continue
        waits.append((location, call, metric, ticks, late, until))
        lines[location].waits.append((call.left, call.path, ticks))
        other_end = lines[late].find_end_of_call(until)
        together[location, late].append((call.left, other_end))
        together[late, location].append((other_end, call.left))
    for line in lines.values():
        line.finish()
    for of_pair in together.values():
        of_pair.sort()

    waits.sort(key=lambda wait: (wait[1].left, wait[5], wait[0]))
    of_location = collections.defaultdict(list)
    for number, wait in enumerate(waits):
        of_location[wait[0]].append(number)
    ends = {location: [waits[n][1].left for n in numbers] for location, numbers in of_location.items()}

    def list_between(location, after, until):
        numbers, left = of_location[location], ends.get(location, [])
        return {n: (waits[n][4], waits[n][3])
                for n in numbers[bisect.bisect_right(left, after):bisect.bisect_right(left, until)][-MOST_PASSED:]}

    charges = collections.Counter()
    passed = collections.defaultdict(collections.Counter)  # by number of a wait, then by class
    for number in range(len(waits) - 1, -1, -1):
        location, call, metric, ticks, late, until = waits[number]
        since = (0, 0)
        start = (lines[location].begin, lines[late].begin)
        if start[0] <= call.entered and start[1] <= until:
            since = start
        for known in (together, meetings):
            of_pair = known[location, late]
            for k in range(bisect.bisect_right(of_pair, (call.entered, float("inf"))) - 1, -1, -1):
                if of_pair[k][1] <= until:
                    since = max(since, of_pair[k])
                    break
        own, more = find_excess(lines[late].sum(since[1], until), lines[location].sum(since[0], call.entered))
        begin, waited_for = since[1], collections.Counter()
        for other, of_wait in list_between(location, since[0], call.entered).values():
            waited_for[other] += of_wait
        if not own and not more:
            begin, waited_for = max(since[1], call.entered), {}
            did = lines[late].sum(lines[late].find_cut(begin), until)
            own = {path: t for (path, is_waiting), t in did.items() if t > 0 and not is_waiting}
            more = sum(t for (_, is_waiting), t in did.items() if is_waiting)
        to = share_out(more, {n: wait for n, wait in list_between(late, begin, until).items() if n < number},
                       waited_for) if more else {}
        if more and not to or not own and not more:
            own[None] = more or 1
        whole = sum(own.values()) + sum(to.values())
        kind = CLASSES.get(metric, "collective")
        for path, part in own.items():
            charges[late, path, kind, False] += ticks * part / whole
            for of_kind, amount in passed[number].items():
                charges[late, path, of_kind, True] += amount * part / whole
        for other, part in to.items():
            passed[other][kind] += ticks * part / whole
            for of_kind, amount in passed[number].items():
                passed[other][of_kind] += amount * part / whole
        passed.pop(number, None)
    return charges, len(waits)


def read_charges(stored):
    locations = stored.read("process/location")[:, 0].tolist()
    calls = stored.about["calls"]
    paths, flat = [], calls["paths"]
    for caller, function in zip(flat[::2], flat[1::2]):
        paths.append((paths[caller] if caller >= 0 else ()) + (calls["functions"][function]["name"],))
    charges = collections.Counter()
    if "delays/process" not in stored.tables:
        return charges
    processes = stored.read("delays/process")[:, 0].tolist()
    numbers = stored.read("delays/call path")[:, 0].tolist()
    for kind in ("late sender", "late receiver", "collective"):
        for is_passed in (False, True):
            table = f"delays/{kind}{', passed on' if is_passed else ''}"
            if table not in stored.tables:
                continue
            for process, number, ticks in zip(processes, numbers, stored.read(table)[:, 0].tolist()):
                if ticks:
                    charges[locations[process], paths[number - 1] if number else None, kind, is_passed] += ticks
    return charges


def main():
    if not shutil.which("otf2-print"):
        sys.exit(77)
    tracefold, anchors = sys.argv[1], sys.argv[2:]
    all_wrong = 0
    for anchor in anchors:
        calls, sends, posts, parts = waits_check.read(anchor)
        waits_check.match(sends, posts, parts)
        parts = {key: by_location for key, by_location in parts.items() if len(by_location) > 1}
        right, waits = charge(calls, parts)
        said = read_charges(read_stored(tracefold, anchor))
        wrong = 0
        for key in sorted(set(right) | set(said), key=str):
            if abs(said[key] - right[key]) > STEP * right[key] + waits:  # each wait is rounded to ticks
                wrong += 1
                print(f"{anchor}: {key}: {said[key]} instead of {right[key]:.0f}")
        whole = sum(right.values())
        by_waiting = sum(ticks for key, ticks in right.items() if key[3])
        print(f"{anchor}: {waits} waits, {len(right)} charges compared, {wrong} wrong; "
              f"{100 * by_waiting / whole if whole else 0:.1f} % by waiting")
        all_wrong += wrong
    sys.exit(all_wrong > 0)


if __name__ == "__main__":
    main()
