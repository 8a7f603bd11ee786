#!/usr/bin/env python3
"""Computes by python3-otf2 which kernels calls wait for, and compares them with `tracefold summary`.

usage: accelerator_check.py TRACEFOLD [TRACE.otf2...]   (77: python3-otf2 or the traces are missing)

Shares no code with tracefold. Of the whole run: how much of the time streams run kernels, in which call
host threads wait for accelerators longest, and for which kernel on which streams; how much of the time devices
copy, while kernels run or not, and do nothing, and what their host does meanwhile. The latter also of a reduced trace,
and of a simulated program.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import shared_traces
from simulated_program import StreamProgram

try:
    import otf2
    from otf2 import events
except ImportError:
    print("python3-otf2 is missing")
    sys.exit(77)

NAMES = ["scorep13-jacobi-cuda-gpu005-10", "scorep14-cuda-simple-6", "scorep15-sptc-cuda-10",
         "scorep40-cloverleaf-openacc-cuda-6", "scorep40-sptc-cuda-rma-10", "scorep90-mi300-metrics-32"]
ONLY_WAITS = re.compile(r"^(cuda(Device|Stream|Event|Thread)|cu(Ctx|Stream|Event)|hip(Device|Stream|Event))\w*Synchronize")
OF_ACCELERATOR = re.compile(r"^(cu[A-Z]|cuda[A-Z]|hip[A-Z]|cl[A-Z]|acc_)")
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


def read_devices(anchor):
    """By process and device: when kernels run, copies and collective operations; and what hosts are in, innermost."""
    uses, hosts, stacks, copies, calls_api = collections.defaultdict(list), {}, collections.defaultdict(list), {}, set()
    lives, copied = {}, collections.Counter()
    with otf2.reader.open(str(anchor)) as trace:
        with_hosts = {one.group._ref for one in trace.definitions.locations if one.type == otf2.LocationType.CPU_THREAD}
        device = {}
        for one in trace.definitions.locations:
            if one.type == otf2.LocationType.ACCELERATOR_STREAM:
                process = one.group._ref if one.group._ref in with_hosts else min(with_hosts)
                device[one._ref] = process, one.group._ref, one.name.rpartition(":")[0]
        for location, event in trace.events:
            place, stack, time = location._ref, stacks[location._ref], event.time
            if location.type == otf2.LocationType.CPU_THREAD:
                process = location.group._ref
                lives[process] = min(lives.get(process, (time, 0))[0], time), time
                timeline = hosts.setdefault(process, {}).setdefault(place, [])
                if isinstance(event, (events.Enter, events.Leave)):
                    timeline.append((time, event.region.name if isinstance(event, events.Enter) else None))
                    if isinstance(event, events.Enter) and OF_ACCELERATOR.match(event.region.name):
                        calls_api.add(place)
            elif place in device:
                if isinstance(event, events.Enter):
                    stack.append((event.region.name, time))
                elif isinstance(event, events.Leave):
                    found = next(one for one in stack if one[0] == event.region.name)
                    stack.remove(found)
                    kind = "copies" if "memcpy" in found[0].lower() else "kernels"
                    uses[device[place]].append((found[1], time, kind))
                elif isinstance(event, (events.RmaGet, events.RmaPut)):
                    copies[place, event.matching_id] = time
                    copied[device[place]] += event.bytes
                elif isinstance(event, events.RmaOpCompleteBlocking) and (place, event.matching_id) in copies:
                    uses[device[place]].append((copies.pop((place, event.matching_id)), time, "copies"))
    chosen = {process: min(threads, key=lambda place: (place not in calls_api, list(threads).index(place)))
              for process, threads in hosts.items()}
    return uses, {process: hosts[process][place] for process, place in chosen.items()}, lives, copied


def count_devices(anchor):
    uses, hosts, lives, copied = read_devices(anchor)
    sums, meanwhile = collections.Counter(), collections.Counter()
    for key, runs in uses.items():
        begin, end = lives[key[0]]
        borders = [(time, kind, step) for first, last, kind in runs for time, step in ((first, 1), (last, -1))]
        borders += [(time, name or "", 0) for time, name in hosts[key[0]]] + [(begin, None, 0), (end, None, 0)]
        running, stack, before = collections.Counter(), [], begin
        for time, what, step in sorted(borders, key=lambda one: one[0]):
            ticks = min(time, end) - max(before, begin)
            if ticks > 0:
                sums["time"] += ticks
                for kind in ("kernels", "copies"):
                    sums[kind] += ticks * (running[kind] > 0)
                sums["hidden"] += ticks * (running["kernels"] > 0 and running["copies"] > 0)
                if not sum(running.values()):
                    sums["idle"] += ticks
                    if stack:
                        meanwhile[stack[-1], stack[-2] if len(stack) > 1 else ""] += ticks
            before = time
            if step:
                running[what] += step
            elif what:
                stack.append(what)
            elif what == "":
                stack.pop()
    return len(uses), sums, meanwhile, sum(copied[key] for key in uses)


def check_devices(tracefold, anchor):
    count, sums, meanwhile, copied = count_devices(anchor)
    (call, caller), most = meanwhile.most_common(1)[0]
    truth = {"devices": count, "kernels": sums["kernels"] / sums["time"], "copies": sums["copies"] / sums["time"],
             "hidden_copies": sums["hidden"] / sums["time"], "copied_bytes": copied,
             "idle": sums["idle"] / sums["time"], "host_share": most / sums["idle"]}
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tracefold, "reduce", "-q", str(anchor), "-o", folder + "/reduced"], check=True)
        reduced = next(pathlib.Path(folder, "reduced").glob("*.otf2"))
        for trace in (anchor, reduced):
            done = subprocess.run([tracefold, "summary", str(trace), "--scope", "run", "--json", "-q"], check=True, stdout=subprocess.PIPE)
            found = json.loads(done.stdout)["runs"][0]["devices"]
            faults += [f"{trace}: {name} is {found[name]}, and should be {value}" for name, value in truth.items()
                       if abs(found[name] - value) > 1e-6 * max(abs(value), 1e-3)]
            named = [(found["host_meanwhile"][of] or "").split("(")[0].strip() for of in ("function", "caller")]
            if named != [call.split("(")[0].strip(), caller.split("(")[0].strip()]:
                faults.append(f"{trace}: hosts are in {named}, and should be in {call}, {caller}")
    print(f"{'FAIL' if faults else 'ok  '} devices of {anchor}: {truth}, {call}")
    for fault in faults:
        print("     ", fault)
    return not faults


def make_program(folder):
    """Copies that kernels hide in part, and hosts that read and compute meanwhile."""
    program = StreamProgram(folder, ranks=3, streams=3)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "read_batch", 1 + 0.3 * (number % 4) + rank)
            p.launch(rank, "gemm", 2 + 0.2 * rank)
            p.copy(rank, 0.7 + 0.5 * (number % 5), stream=1, size=1000 + number)
            p.compute(rank, "assemble", 1.3)
            p.launch(rank, "axpy", 0.4, stream=2)
            p.synchronise(rank)
        p.allreduce()
    program.run(20, step)
    return pathlib.Path(folder, "traces.otf2")


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
    with tempfile.TemporaryDirectory() as folder:
        results.append(check_devices(sys.argv[1], make_program(folder + "/trace")))

    def check_both(_, anchor):
        results.append(check(sys.argv[1], anchor))
        results.append(check_devices(sys.argv[1], anchor))
    found = shared_traces.visit_traces(sys.argv[2:] or ["--few"], NAMES, check_both, (shared_traces.PUBLIC_PACKS,))
    return 77 if not found or not results else 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
