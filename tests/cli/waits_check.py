#!/usr/bin/env python3
"""Computes from what otf2-print shows how long processes wait in MPI, and compares.

usage: waits_check.py TRACEFOLD TRACE.otf2...   (77: otf2-print is missing)

Shares no code with tracefold, and holds everything at once: all calls, all messages, all collective
operations. Sums of each process are compared with `tracefold profile --per-process`.
"""
import collections
import csv
import io
import re
import shutil
import subprocess
import sys

METRICS = ["wait_at_barrier", "late_sender", "late_receiver", "wait_at_NxN", "late_broadcast", "early_reduce"]
ALL_TO_ALL = {"ALLGATHER", "ALLGATHERV", "ALLTOALL", "ALLTOALLV", "ALLTOALLW", "ALLREDUCE", "REDUCE_SCATTER",
              "REDUCE_SCATTER_BLOCK"}
ONE_TO_ALL = {"BCAST", "SCATTER", "SCATTERV"}
ALL_TO_ONE = {"GATHER", "GATHERV", "REDUCE"}
NOT_COLLECTIVE = re.compile(r"MPI_(I?[bsr]?send|I?recv|Sendrecv|Wait|Test|Start)", re.I)

EVENT = re.compile(r"^([A-Z_]+)\s+(\d+)\s+(\d+)\s*(.*)$")
REGION = re.compile(r'Region: "(.*)" <\d+>')
LAST_ID = re.compile(r"<(\d+)>")


class Call:
    def __init__(self, name, entered, depth, path=()):
        self.name, self.entered, self.depth, self.left, self.in_callees = name, entered, depth, None, 0
        self.path = path + (name,)
        # Times that it waits until, and for which location; with the metric for collectives.
        self.sent, self.posted, self.collectives = [], [], []
        self.communicates = False


def field(text, name):
    return re.search(name + r": ([^,]*)", text).group(1)


def read(anchor):
    out = subprocess.run(["otf2-print", anchor], capture_output=True, text=True, errors="replace").stdout
    stacks = collections.defaultdict(list)
    calls = collections.defaultdict(list)
    sends = collections.defaultdict(list)  # channel: [entered, call that waits for the receiver]
    posts = collections.defaultdict(list)  # location: [entered, channel, call that completes]
    open_posts, open_sends = {}, {}
    parts = collections.defaultdict(lambda: collections.defaultdict(list))  # (operation, communicator), location

    for line in out.splitlines():
        found = EVENT.match(line)
        if not found:
            continue
        kind, location, time, rest = found.group(1), int(found.group(2)), int(found.group(3)), found.group(4)
        stack = stacks[location]
        if kind == "ENTER":
            stack.append(Call(REGION.search(rest).group(1), time, len(stack), stack[-1].path if stack else ()))
        elif kind == "LEAVE":
            call = stack.pop()
            call.left = time
            if stack:
                stack[-1].in_callees += time - call.entered
            calls[location].append(call)
        elif kind.startswith("MPI_") and stack:
            stack[-1].communicates = True
        if kind in ("MPI_SEND", "MPI_ISEND", "MPI_RECV", "MPI_IRECV"):
            sends_it = kind.endswith("SEND")
            partner = int(LAST_ID.search(field(rest, "Receiver" if sends_it else "Sender")).group(1))
            comm = LAST_ID.search(field(rest, "Communicator")).group(1)
            channel = (location if sends_it else partner, partner if sends_it else location, comm, field(rest, "Tag"))
            if sends_it:
                sends[channel].append([stack[-1].entered, stack[-1] if kind == "MPI_SEND" else None])
                if kind == "MPI_ISEND":
                    open_sends[location, field(rest, "Request")] = sends[channel][-1]
            elif kind == "MPI_RECV":
                posts[location].append([stack[-1].entered, channel, stack[-1]])
            else:
                open_posts.pop((location, field(rest, "Request")))[1:] = [channel, stack[-1]]
        elif kind == "MPI_IRECV_REQUEST":
            posts[location].append([stack[-1].entered, None, None])
            open_posts[location, field(rest, "Request")] = posts[location][-1]
        elif kind == "MPI_ISEND_COMPLETE":
            open_sends.pop((location, field(rest, "Request")))[1] = stack[-1]
        elif kind == "MPI_COLLECTIVE_END":
            root = LAST_ID.search(field(rest, "Root"))
            parts[field(rest, "Operation"), LAST_ID.search(field(rest, "Communicator")).group(1)][location].append(
                (stack[-1], root and int(root.group(1)) == location, int(field(rest, "Sent")), int(field(rest, "Received"))))

    return calls, sends, posts, parts


def find_last(times):
    """The latest time with its location: of several the one with the lowest id."""
    return min(times, key=lambda found: (-found[0], found[1]), default=(0, None))


def match(sends, posts, parts):
    received = collections.defaultdict(list)
    for of_location in posts.values():
        for entered, channel, call in of_location:
            if channel:
                received[channel].append((entered, call))
    for channel, messages in sends.items():
        for (sent, sender), (posted, receiver) in zip(messages, received[channel]):
            receiver.sent.append((sent, channel[0]))
            if sender:
                sender.posted.append((posted, channel[1]))

    for (operation, _), by_location in parts.items():
        assert len({len(of_location) for of_location in by_location.values()}) == 1, "unequal numbers"
        if len(by_location) == 1:
            continue
        locations = list(by_location)
        for instance in zip(*by_location.values()):
            last = find_last((call.entered, where) for (call, *_), where in zip(instance, locations))
            for call, is_root, sent, received_bytes in instance:
                if operation == "BARRIER":
                    call.collectives.append(("wait_at_barrier", *last))
                elif operation in ALL_TO_ALL and sent + received_bytes > 0:
                    call.collectives.append(("wait_at_NxN", *last))
                elif operation in ONE_TO_ALL and not is_root and received_bytes > 0:
                    call.collectives.append(("late_broadcast", *[
                        (c.entered, where) for (c, root, *_), where in zip(instance, locations) if root][0]))
                elif operation in ALL_TO_ONE and is_root and received_bytes > 0:
                    call.collectives.append(("early_reduce", *find_last(
                        (c.entered, where) for (c, root, bytes_sent, _), where in zip(instance, locations)
                        if not root and bytes_sent > 0)))


def list_waits(calls):
    """Yields location, call, metric, ticks, the location that was waited for, and until when."""
    for location, of_location in calls.items():
        for call in of_location:
            def measure(until, call=call):
                own = call.left - call.entered - call.in_callees
                return max(0, min(until - call.entered, own))

            for metric, until, last in call.collectives:
                yield location, call, metric, measure(min(until, call.left)), last, until
            if not NOT_COLLECTIVE.match(call.name):
                continue
            sent, sender = max(call.sent, key=lambda found: found[0], default=(0, None))
            for_senders = measure(min(sent, call.left))
            posted, receiver = max([post for post in call.posted if post[0] < call.left], key=lambda found: found[0],
                                   default=(0, None))
            yield location, call, "late_sender", for_senders, sender, sent
            if not re.match("MPI_[br]send", call.name, re.I):
                yield location, call, "late_receiver", max(0, measure(posted) - for_senders), receiver, posted


def add_waits(calls):
    """By location: by metric, and by metric and location that was waited for."""
    sums = {location: collections.Counter() for location in calls}
    for location, _, metric, ticks, waited_for, _ in list_waits(calls):
        sums[location][metric] += ticks
        if ticks > 0:
            sums[location][metric, waited_for] += ticks
    return sums


def ask(tracefold, anchor):
    out = subprocess.run([tracefold, "profile", anchor, "--per-process", "--format", "csv", "-q"], check=True,
                         capture_output=True, text=True).stdout
    sums = collections.defaultdict(collections.Counter)
    for row in csv.DictReader(io.StringIO(out)):
        for metric in METRICS:
            sums[int(row["location"])][metric] += float(row.get(f"MPI_{metric}_time_seconds", 0))
    return sums


def ticks_per_second(anchor):
    out = subprocess.run(["otf2-print", "-G", anchor], capture_output=True, text=True, errors="replace").stdout
    return int(re.search(r"Ticks per Seconds: (\d+)", out).group(1))


def main():
    if not shutil.which("otf2-print"):
        sys.exit(77)
    tracefold, anchors = sys.argv[1], sys.argv[2:]
    wrong = 0
    for anchor in anchors:
        calls, sends, posts, parts = read(anchor)
        match(sends, posts, parts)
        wanted, said, second = add_waits(calls), ask(tracefold, anchor), ticks_per_second(anchor)
        total = collections.Counter()
        for location in wanted:
            for metric in METRICS:
                seconds = wanted[location][metric] / second
                total[metric] += seconds
                if abs(said[location][metric] - seconds) > 1e-6:
                    wrong += 1
                    print(f"{anchor}: location {location}: {metric} is {seconds:.9f} s, not {said[location][metric]:.9f} s")
        print(anchor.split("/")[-2], ", ".join(f"{metric} {total[metric]:.4f} s" for metric in METRICS))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
