#!/usr/bin/env python3
"""Messages that are stored and not drawn: all of them are there.

usage: stored_messages.py TRACEFOLD [--few | TRACE.otf2...]   (77: python3-otf2 or traces are missing)

Traces are as in shared_traces.py. Each is reduced with `--messages stored`, by `reduce` and by chains of
stages, whose plans have messages before or not. In what is written no record of a message
is left, `matrix` of it is that of the original, by ranks and by tags, which is what python3-otf2 reads of
the original, `verify` holds, and the trace that `expand` makes of it has every message of the original:
its sender, receiver, tag and bytes.

Shares no code with tracefold.
"""
import collections
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

try:
    import _otf2
    import otf2
    from otf2.events import MpiIrecv, MpiIsend, MpiRecv, MpiSend
except ImportError:
    sys.exit(77)

from shared_traces import visit_traces

FEW = ("npb_lu_W_16", "luleshph_8x4", "npb_mg_S_16", "minife_8")
STORED = ("--messages", "stored")
# Each command of a chain. A plan lacks messages until it is written where `group` is not asked for them.
CHAINS = {"chain": (("group",), ("select",), ("iterations",), ("write", *STORED)),
          "plan with messages": (("group", "--messages", "on"), ("select",), ("write", *STORED))}


def read_messages(anchor):
    """How often each message is sent, and received: by sender, receiver, tag and bytes. Ranks are those of MPI."""
    sent, received = collections.Counter(), collections.Counter()
    with otf2.reader.open(str(anchor)) as trace:
        ranks = {}
        for group in trace.definitions.groups:
            if group.group_type == otf2.GroupType.COMM_LOCATIONS and group.paradigm == otf2.Paradigm.MPI:
                ranks = {location.group._ref: rank for rank, location in enumerate(group.members)}
        for location, event in trace.events:
            if not isinstance(event, (MpiSend, MpiIsend, MpiRecv, MpiIrecv)):
                continue
            own, members = ranks[location.group._ref], event.communicator.group.members
            if isinstance(event, (MpiSend, MpiIsend)):
                sent[own, ranks[members[event.receiver].group._ref], event.msg_tag, event.msg_length] += 1
            else:
                received[ranks[members[event.sender].group._ref], own, event.msg_tag, event.msg_length] += 1
    return sent, received


def sum_up(sent, with_tag):
    """Messages and bytes by sender and receiver, and by tag where that is asked for."""
    sums = collections.defaultdict(lambda: [0, 0])
    for (sender, receiver, tag, length), times in sent.items():
        entry = sums[(sender, receiver, tag) if with_tag else (sender, receiver)]
        entry[0] += times
        entry[1] += times * length
    return dict(sums)


class Comparison:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.compared, self.wrong = 0, []

    def run(self, *arguments, text=None):
        return subprocess.run([self.tracefold, *map(str, arguments), "-q"], input=text, check=True,
                              stdout=subprocess.PIPE, stdin=None if text else subprocess.DEVNULL).stdout

    def expect(self, where, condition, words):
        if not condition:
            self.wrong.append(f"{where}: {words}")

    def write(self, anchor, folder, chain):
        first, *others, last = chain
        plan = self.run(*first, anchor)
        for stage in others:
            plan = self.run(*stage, text=plan)
        self.run(*last, "-o", folder, text=plan)

    def read_matrix(self, anchor, *options):
        rows = csv.DictReader(io.StringIO(self.run("matrix", anchor, *options, "--format", "csv").decode()))
        return {tuple(int(row[key]) for key in ("from", "to", "tag") if key in row): [int(row["messages"]), int(row["bytes"])]
                for row in rows}

    def check(self, name, anchor):
        try:
            sent, received = read_messages(anchor)
        except (otf2.error.TraceReaderError, _otf2.ErrorCodes.Error) as problem:
            print(f"{name:20} python3-otf2 does not read it: {str(problem)[:60]}")
            return
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.run("reduce", anchor, "-o", folder / "reduce", *STORED)
            for way, chain in CHAINS.items():
                self.write(anchor, folder / way, chain)
            for way in ("reduce", *CHAINS):
                self.check_small(f"{name}, {way}", anchor, folder / way / "traces.otf2", sent)
            self.run("expand", folder / "reduce" / "traces.otf2", "-o", folder / "expanded")
            again = read_messages(folder / "expanded" / "traces.otf2")
            self.expect(name, again[0] == sent, "what expand makes sends other messages")
            self.expect(name, again[1] == received, "what expand makes receives other messages")
        self.compared += sent.total()
        print(f"{name:20} {sent.total():8} messages", flush=True)

    def check_small(self, where, anchor, small, sent):
        self.expect(where, sum(map(len, read_messages(small))) == 0, "messages are drawn")
        for by_tag, options in ((False, ()), (True, ("--split", "tag"))):
            of_small = self.read_matrix(small, *options)
            self.expect(where, of_small == self.read_matrix(anchor, *options), f"matrix {options} is not the original's")
            self.expect(where, of_small == sum_up(sent, by_tag), f"matrix {options} is not what python3-otf2 reads")
        verified = subprocess.run([self.tracefold, "verify", small, "--against", anchor, "-q"], stdout=subprocess.DEVNULL)
        self.expect(where, verified.returncode == 0, "it does not verify")


def main():
    comparison = Comparison(sys.argv[1])
    if not visit_traces(sys.argv[2:], FEW, comparison.check):
        return 77

    print("\n".join(comparison.wrong))
    print(f"{comparison.compared} messages compared, {len(comparison.wrong)} wrong")
    return bool(comparison.wrong) or comparison.compared == 0


if __name__ == "__main__":
    sys.exit(main())
