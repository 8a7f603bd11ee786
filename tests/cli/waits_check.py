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
    def __init__(self, name, entered):
        self.name, self.entered, self.left, self.in_callees = name, entered, None, 0
        self.sent, self.posted, self.collectives = [], [], []  # times that it waits until


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
            stack.append(Call(REGION.search(rest).group(1), time))
        elif kind == "LEAVE":
            call = stack.pop()
            call.left = time
            if stack:
                stack[-1].in_callees += time - call.entered
            calls[location].append(call)
        elif kind in ("MPI_SEND", "MPI_ISEND", "MPI_RECV", "MPI_IRECV"):
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


def match(sends, posts, parts):
    received = collections.defaultdict(list)
    for of_location in posts.values():
        for entered, channel, call in of_location:
            if channel:
                received[channel].append((entered, call))
    for channel, messages in sends.items():
        for (sent, sender), (posted, receiver) in zip(messages, received[channel]):
            receiver.sent.append(sent)
            if sender:
                sender.posted.append(posted)

    for (operation, _), by_location in parts.items():
        assert len({len(of_location) for of_location in by_location.values()}) == 1, "unequal numbers"
        if len(by_location) == 1:
            continue
        for instance in zip(*by_location.values()):
            entered = [call.entered for call, *_ in instance]
            for call, is_root, sent, received_bytes in instance:
                if operation == "BARRIER":
                    call.collectives.append(("wait_at_barrier", max(entered)))
                elif operation in ALL_TO_ALL and sent + received_bytes > 0:
                    call.collectives.append(("wait_at_NxN", max(entered)))
                elif operation in ONE_TO_ALL and not is_root and received_bytes > 0:
                    call.collectives.append(("late_broadcast", [c.entered for c, root, *_ in instance if root][0]))
                elif operation in ALL_TO_ONE and is_root and received_bytes > 0:
                    senders = [c.entered for c, root, bytes_sent, _ in instance if not root and bytes_sent > 0]
                    call.collectives.append(("early_reduce", max(senders, default=0)))


def add_waits(calls):
    sums = {location: collections.Counter() for location in calls}
    for location, of_location in calls.items():
        for call in of_location:
            def measure(until, call=call):
                own = call.left - call.entered - call.in_callees
                return max(0, min(until - call.entered, own))

            for metric, until in call.collectives:
                sums[location][metric] += measure(min(until, call.left))
            if not NOT_COLLECTIVE.match(call.name):
                continue
            for_senders = measure(min(max(call.sent, default=0), call.left))
            for_all = measure(max([until for until in call.posted if until < call.left], default=0))
            sums[location]["late_sender"] += for_senders
            if not re.match("MPI_[br]send", call.name, re.I):
                sums[location]["late_receiver"] += max(0, for_all - for_senders)
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


main()
