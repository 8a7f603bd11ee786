#!/usr/bin/env python3
"""Computes by python3-otf2 which kernels calls wait for, and compares them with `tracefold summary`.

usage: accelerator_check.py TRACEFOLD [TRACE.otf2...]   (77: python3-otf2 or the traces are missing)

Shares no code with tracefold. Of the whole run: how much of the time streams run kernels, in which call
host threads wait for accelerators longest, and for which kernel on which streams.
"""

import collections
import json
import re
import subprocess
import sys

import shared_traces

try:
    import otf2
    from otf2 import events
except ImportError:
    print("python3-otf2 is missing")
    sys.exit(77)

NAMES = ["scorep13-jacobi-cuda-gpu005-10", "scorep14-cuda-simple-6", "scorep15-sptc-cuda-10",
         "scorep40-cloverleaf-openacc-cuda-6", "scorep40-sptc-cuda-rma-10", "scorep90-mi300-metrics-32"]
ONLY_WAITS = re.compile(r"^(cuda(Device|Stream|Event|Thread)|cu(Ctx|Stream|Event)|hip(Device|Stream|Event))\w*Synchronize")
MAY_WAIT = re.compile(r"^(cu|cuda|hip)Memcpy(?!.*Async)")


def read(anchor):
    """Calls of hosts as (begin, end, name, own time), kernels of streams as (begin, end, name), and owners."""
    calls, kernels, owner = collections.defaultdict(list), collections.defaultdict(list), {}
    stacks, first, last = collections.defaultdict(list), None, None
    with otf2.reader.open(str(anchor)) as trace:
        streams = {one._ref for one in trace.definitions.locations if one.type == otf2.LocationType.ACCELERATOR_STREAM}
        for one in trace.definitions.locations:
            owner[one._ref] = one.group._ref
        # The module does not tell who has created a group of streams: there is one process then.
        with_hosts = {one.group._ref for one in trace.definitions.locations if one.type == otf2.LocationType.CPU_THREAD}
        for stream in streams:
            if owner[stream] not in with_hosts:
                assert len(with_hosts) == 1
                owner[stream] = min(with_hosts)
        for location, event in trace.events:
            place, stack = location._ref, stacks[location._ref]
            if location.type == otf2.LocationType.CPU_THREAD:
                first, last = event.time if first is None else first, event.time
            if isinstance(event, events.Enter):
                stack.append([event.region.name, event.time, 0, False])
                for outer in stack[:-1]:
                    outer[3] = True
            elif isinstance(event, events.Leave) and stack:
                name, begin, inside, has_callees = stack.pop()
                if stack:
                    stack[-1][2] += event.time - begin
                if place in streams:
                    if not has_callees:
                        kernels[place].append((begin, event.time, name))
                elif location.type == otf2.LocationType.CPU_THREAD:
                    calls[place].append((begin, event.time, name, event.time - begin - inside))
        used = [one._ref for one in trace.definitions.locations if one._ref in streams and one.number_of_events > 0]
        return calls, kernels, owner, used, last - first, trace.timer_resolution


def ending_in(kernels, begin, end):
    return [one for one in kernels if begin < one[1] <= end + (end - begin) // 100]


def compute(anchor):
    calls, kernels, owner, used, runtime, second = read(anchor)
    waiting, known = collections.Counter(), collections.defaultdict(collections.Counter)
    streams = collections.defaultdict(set)
    for host, list_of_calls in calls.items():
        own = [stream for stream in kernels if owner[stream] == owner[host]]
        for begin, end, name, alone in list_of_calls:
            only = ONLY_WAITS.match(name)
            if not only and not MAY_WAIT.match(name):
                continue
            if only:
                waiting[name] += alone
            near = {stream: ending_in(kernels[stream], begin, end) for stream in own}
            near = {stream: runs for stream, runs in near.items() if runs}
            if not near:
                continue
            latest = min(near, key=lambda stream: (-near[stream][-1][1], stream))
            for start, stop, kernel in near[latest]:
                ticks = min(stop, end) - max(start, begin)
                if ticks > 0:
                    known[name][kernel] += ticks
                    streams[name, kernel].add(str(latest))
                    if not only:
                        waiting[name] += ticks
    busy = sum(stop - start for stream in used for start, stop, _ in kernels[stream])
    call, ticks = max(waiting.items(), key=lambda item: item[1])
    kernel = max(known[call].items(), key=lambda item: item[1]) if known[call] else None
    return {"busy": busy / len(used) / runtime, "call": call, "seconds": ticks / second,
            "kernel": kernel and (kernel[0], kernel[1] / second, streams[call, kernel[0]])}


def check(tracefold, anchor):
    done = subprocess.run([tracefold, "summary", str(anchor), "--scope", "run", "--json", "-q"], check=True, stdout=subprocess.PIPE)
    run = json.loads(done.stdout)["runs"][0]
    found, wanted, faults = run["accelerator_waiting"], compute(anchor), []

    def expect(what, value, truth):
        near = abs(value - truth) <= 0.001 * abs(truth) + 1e-6 if isinstance(truth, float) else value == truth
        if not near:
            faults.append(f"{what} is {value}, and should be {truth}")

    expect("accelerator efficiency", run["efficiencies"]["accelerator"], wanted["busy"])
    expect("call", found["call"]["function"].split("(")[0].strip(), wanted["call"].split("(")[0].strip())
    expect("seconds", found["seconds"], wanted["seconds"])
    if wanted["kernel"]:
        name, seconds, streams = wanted["kernel"]
        expect("kernel", found["kernel"]["name"].split("(")[0].strip(), name.split("(")[0].strip())
        expect("seconds of the kernel", found["kernel"]["seconds"], seconds)
        expect("streams", {one["location"] for one in found["kernel"]["streams"]}, streams)
    else:
        expect("kernel", found["kernel"], None)
    print(f"{'FAIL' if faults else 'ok  '} {anchor}: {wanted}")
    for fault in faults:
        print("     ", fault)
    return not faults


def main():
    results = []
    found = shared_traces.visit_traces(sys.argv[2:] or ["--few"], NAMES,
                                       lambda _, anchor: results.append(check(sys.argv[1], anchor)),
                                       (shared_traces.PUBLIC_PACKS,))
    return 77 if not found or not results else 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
