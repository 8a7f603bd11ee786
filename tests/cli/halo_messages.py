#!/usr/bin/env python3
"""Compares the messages in reduced traces with those of the originals, as python3-otf2 reads both.

usage: halo_messages.py TRACEFOLD [--few | TRACE.otf2...]   (77: python3-otf2 or traces are missing)

Traces are as in shared_traces.py. Each is reduced to all iterations, with --halo all, auto and off:
  all   every record of a message of a kept process is there, at its time, with both ends; halo
        processes have records of messages with kept ones only, each of them one of the original
  auto  there are at most as many halo processes, with at most as many events, as kept ones; their
        messages are some of those
  off   there are no halo processes
And of representatives that are chosen as connected, at least as many messages are drawn without a
halo as of medoids.

Shares no code with tracefold.
"""
import collections
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

FEW = ("npb_lu_W_16", "npb_lu_W_64", "hpccg_16", "luleshph_8x4", "npb_mg_S_16", "minife_8")
HALO = "◌ "


def name_process(location):
    """The names of a location and its group in the original, whatever stands before them."""
    return tuple(name.removeprefix(HALO).split("× ")[-1] for name in (location.group.name, location.name))


def is_halo(location):
    return location.name.startswith(HALO) or location.group.name.startswith(HALO)


class Trace:
    """Its processes, and how often each has a record of a message: kind, process, partner, tag, bytes, time."""

    def __init__(self, anchor):
        self.kept, self.halo = {}, {}  # by process: events
        self.records = collections.Counter()
        with otf2.reader.open(str(anchor)) as trace:
            for location in trace.definitions.locations:
                events = self.halo if is_halo(location) else self.kept
                events[name_process(location)] = location.number_of_events
            for location, event in trace.events:
                if isinstance(event, (MpiSend, MpiIsend)):
                    kind, partner = "send", event.receiver
                elif isinstance(event, (MpiRecv, MpiIrecv)):
                    kind, partner = "receive", event.sender
                else:
                    continue
                members = getattr(event.communicator, "group", None)
                if members is not None:  # of intercommunicators the partner is in the other group
                    partner = name_process(members.members[partner])
                    self.records[kind, name_process(location), partner, event.msg_tag, event.msg_length, event.time] += 1

    def pick(self, wanted):
        return collections.Counter({record: n for record, n in self.records.items() if wanted(record[1], record[2])})


class Comparison:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.compared, self.wrong = 0, []

    def expect(self, where, condition, words):
        if not condition:
            self.wrong.append(f"{where}: {words}")

    def reduce(self, anchor, folder, *options):
        small = folder / "-".join(option.strip("-") for option in options)
        subprocess.run([self.tracefold, "reduce", "-q", anchor, "-o", small, "--iterations", "off", *options], check=True,
                       stderr=subprocess.DEVNULL)
        return Trace(small / "traces.otf2")

    def check(self, name, anchor):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            try:
                original = Trace(anchor)
            except (otf2.error.TraceReaderError, _otf2.ErrorCodes.Error) as problem:
                print(f"{name:20} python3-otf2 does not read it: {str(problem)[:60]}")
                return
            whole, auto, off = (self.reduce(anchor, folder, "--halo", halo) for halo in ("all", "auto", "off"))
            connected = self.reduce(anchor, folder, "--halo", "off", "--representative", "connected")

        kept = whole.kept
        between = original.pick(lambda process, partner: process in kept or (partner in kept and process in whole.halo))
        self.expect(name, whole.records == between, "--halo all has other records of messages than kept processes exchange")
        self.expect(name, not auto.records - between, "--halo auto has records that the original does not have")
        self.expect(name, len(auto.halo) <= len(kept), f"{len(auto.halo)} halo processes of {len(kept)} kept ones")
        events = sum(auto.halo.values()), sum(kept.values())
        self.expect(name, events[0] <= events[1], f"{events[0]} events of halo processes, {events[1]} of kept ones")
        inside = original.pick(lambda process, partner: process in kept and partner in kept)
        self.expect(name, not off.halo and off.records == inside, "--halo off has other records than kept processes exchange")
        self.expect(name, connected.records.total() >= off.records.total(),
                    f"{connected.records.total()} records between connected ones, {off.records.total()} between medoids")

        self.compared += between.total()
        print(f"{name:20} {len(kept):4} kept processes, records of messages: {original.records.total():7} of all, "
              f"off {off.records.total():6}, connected {connected.records.total():6}, auto {auto.records.total():6}, "
              f"all {whole.records.total():6}", flush=True)


def main():
    comparison = Comparison(sys.argv[1])
    if not visit_traces(sys.argv[2:], FEW, comparison.check):
        return 77

    print("\n".join(comparison.wrong))
    print(f"{comparison.compared} records of messages compared, {len(comparison.wrong)} wrong")
    return bool(comparison.wrong)


if __name__ == "__main__":
    sys.exit(main())
