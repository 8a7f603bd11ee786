#!/usr/bin/env python3
"""Computes efficiencies by python3-otf2, and compares them with `tracefold summary`.

usage: summary_check.py TRACEFOLD [--few | TRACE.otf2...]   (77: python3-otf2 or otf2-print is missing)

Shares no code with tracefold. Useful time is that of each rank's first thread outside of MPI, from the end
of MPI_Init to the begin of MPI_Finalize and in the whole run. The ideal runtime is that of replay_check.py,
and where the run cannot be played a bound from the times of waiting of waits_check.py. OpenMP's efficiency
is computed where threads are. Reduced traces have to say the same within 1 %.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import replay_check
import shared_traces
import waits_check

try:
    import otf2
    from otf2 import events
except ImportError:
    print("python3-otf2 is missing")
    sys.exit(77)

FEW = ["lulesh_8x2", "npb_is_S_16", "npb_lu_W_16"]


def is_openmp_runtime(region):
    runs_own_code = {otf2.RegionRole.PARALLEL, otf2.RegionRole.LOOP, otf2.RegionRole.CODE, otf2.RegionRole.SECTIONS,
                     otf2.RegionRole.SECTION, otf2.RegionRole.SINGLE, otf2.RegionRole.SINGLE_SBLOCK,
                     otf2.RegionRole.WORKSHARE, otf2.RegionRole.MASTER, otf2.RegionRole.TASK,
                     otf2.RegionRole.CRITICAL_SBLOCK, otf2.RegionRole.ORDERED_SBLOCK}
    return region.paradigm == otf2.Paradigm.OPENMP and region.region_role not in runs_own_code


class Thread:
    def __init__(self):
        self.stack, self.last = [], None
        self.mpi = collections.Counter()  # by scope
        self.file, self.useful, self.runtime = collections.Counter(), collections.Counter(), collections.Counter()
        # By scope, and by the outermost parallel region: all in it, and what it computes itself.
        self.inside, self.own = (collections.defaultdict(collections.Counter) for _ in range(2))
        self.begin = self.end = self.first = self.final = None


def read(anchor):
    threads = collections.defaultdict(Thread)
    ranks = collections.defaultdict(list)
    with otf2.reader.open(str(anchor)) as trace:
        second = trace.timer_resolution
        for location in trace.definitions.locations:
            if location.type == otf2.LocationType.CPU_THREAD:
                ranks[location.group._ref].append(location._ref)
        for location, event in trace.events:
            if location.type != otf2.LocationType.CPU_THREAD:
                continue
            thread = threads[location._ref]
            thread.first = event.time if thread.first is None else thread.first
            thread.final = event.time
            passed, thread.last = event.time - (thread.last or event.time), event.time
            in_mpi = any(region.name.startswith("MPI_") for region in thread.stack)
            # Threads that never call MPI_Init are in the scope all the time.
            scopes = ["run"] if thread.end is not None else ["run", "mpi"]
            for scope in scopes if thread.stack else []:
                if in_mpi:
                    thread.mpi[scope] += passed
                    if thread.stack[-1].name.startswith("MPI_File_"):
                        thread.file[scope] += passed
                elif is_openmp_runtime(thread.stack[-1]):
                    thread.runtime[scope] += passed
                else:
                    thread.useful[scope] += passed
                outermost = next((region for region in thread.stack if is_parallel(region)), None)
                if outermost is not None:
                    thread.inside[scope][outermost.name] += passed
                    if thread.stack[-1] is outermost and not in_mpi and not is_openmp_runtime(outermost):
                        thread.own[scope][outermost.name] += passed
            if isinstance(event, events.Enter):
                if event.region.name == "MPI_Finalize" and thread.end is None:
                    thread.end = event.time
                thread.stack.append(event.region)
            elif isinstance(event, events.Leave):
                thread.stack.pop()
                if event.region.name in ("MPI_Init", "MPI_Init_thread") and thread.begin is None:
                    thread.begin = event.time
                    for sums in (thread.mpi, thread.file, thread.useful, thread.runtime):
                        sums["mpi"] = 0
                    for sums in (thread.inside, thread.own):
                        sums["mpi"] = collections.Counter()
    return threads, ranks, second


def is_parallel(region):
    return region.paradigm == otf2.Paradigm.OPENMP and (region.region_role == otf2.RegionRole.PARALLEL or region.name.startswith("!$omp"))


def find_forks(master, others, scope):
    """For how long the master alone is in parallel regions, before its threads and after them, in their own time."""
    longest = collections.Counter()
    for thread in others:
        for name, ticks in thread.inside[scope].items():
            longest[name] = max(longest[name], ticks)
    return sum(min(max(master.inside[scope][name] - ticks, 0), master.own[scope][name]) for name, ticks in longest.items())


def find_waits(anchor):
    calls, sends, posts, parts = waits_check.read(str(anchor))
    waits_check.match(sends, posts, parts)
    waited = collections.Counter()
    for location, _, _, ticks, *_ in waits_check.list_waits(calls):
        waited[location] += ticks
    return waited


def compute(threads, ranks, waited, played, scope):
    used = {rank: [t for t in sorted(members) if t in threads] for rank, members in ranks.items()}
    used = {rank: members for rank, members in used.items() if members}
    begins, ends, useful, transfer, of_threads, of_masters = [], [], [], [], 0, 0
    for members in used.values():
        master = threads[members[0]]
        begin, end = (master.begin, master.end) if scope == "mpi" else (master.first, master.final)
        begin, end = begin or master.first, end or master.final
        begins.append(begin)
        ends.append(end)
        useful.append(end - begin - master.mpi[scope])
        transfer.append(master.mpi[scope] - waited[members[0]] - master.file[scope])
        of_masters += len(members) * useful[-1]
        in_openmp = useful[-1]
        for thread in members:
            own = threads[thread]
            if thread != members[0]:
                of_threads += own.useful[scope]
        # What the master spends in OpenMP's runtime is no computation of it.
        of_threads += in_openmp - master.runtime[scope] - find_forks(master, [threads[one] for one in members[1:]], scope)
    runtime = max(ends) - min(begins)
    share = played.find_ideal(scope)
    ideal = runtime - min(transfer) if share is None else max(runtime * share, max(useful))
    found = {"load_balance": sum(useful) / len(useful) / max(useful), "communication": max(useful) / runtime,
             "parallel": sum(useful) / len(useful) / runtime, "serialisation": max(useful) / ideal,
             "transfer": ideal / runtime}
    if any(len(members) > 1 for members in used.values()):
        found["openmp"] = of_threads / of_masters
    return found, runtime


def ask(tracefold, trace, scope):
    done = subprocess.run([tracefold, "summary", "-q", "--json", "--scope", scope, str(trace)], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)["runs"][0]


def main():
    tracefold = sys.argv[1]
    wrong = 0

    def compare(name, what, found, wanted, bound):
        nonlocal wrong
        if found is None or abs(found - wanted) > bound:
            wrong += 1
            print(f"{name}: {what} is {found}, not {wanted:.6f}")

    def visit(name, anchor):
        threads, ranks, second = read(anchor)
        waited, played = find_waits(anchor), replay_check.read_run(anchor)
        with tempfile.TemporaryDirectory() as folder:
            reduced = pathlib.Path(folder) / "small"
            subprocess.run([tracefold, "reduce", "-q", str(anchor), "-o", str(reduced)], check=True)
            for scope in ("mpi", "run"):
                wanted, runtime = compute(threads, ranks, waited, played, scope)
                found = ask(tracefold, anchor, scope)
                small = ask(tracefold, reduced / "traces.otf2", scope)
                compare(name, f"{scope}: runtime", found["runtime_s"], runtime / second, 1e-6)
                for what, value in wanted.items():
                    compare(name, f"{scope}: {what}", found["efficiencies"][what], value, 0.001)
                    compare(name + ", reduced", f"{scope}: {what}", small["efficiencies"][what], value, 0.01 * value)
                print(name, scope, " ".join(f"{what} {value:.4f}" for what, value in wanted.items()))

    if not shared_traces.visit_traces(sys.argv[2:], FEW, visit):
        sys.exit(77)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
