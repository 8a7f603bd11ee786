#!/usr/bin/env python3
"""Makes pairs of traces with one planted change each, and checks that `compare` says it first.

usage: planted_changes.py TRACEFOLD [CASE...]

The programs are made up: ranks in a row compute in steps, exchange messages with their neighbours and reduce. Times
vary at random by some percent, in other ways in each trace, so that every pair differs by noise as well. Waiting
follows from the computation, as it does in real programs. A reduced trace has to give the same first line.

COSTS are pairs of simulated programs of which is known how long B takes without its change: the first sentence has to
name the cause, where it is and whose, and what it costs the run, to 15 %, in two lines of 80 columns; from the
originals, and from small traces of both. CHANGES are such pairs of many more structures, and EQUAL are pairs without a
change, of which nothing may be told. Pairs of which something else is told stand in KNOWN_WRONG; one that is right is to
be taken from there.
"""
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import changes_of_calls  # noqa: E402, F401: makes its pairs known
import otf2_writer as otf2  # noqa: E402
from changed_program import CHANGES, KNOWN_WRONG  # noqa: E402
from pairs_without_change import ALLOWED, EQUAL  # noqa: E402
from simulated_program import LATENCY, MS, Program  # noqa: E402

MPI, COMPILER, NONE = 4, 1, otf2.UNDEFINED
FIRST = 1000


class Plant:
    """A run of the program. What a case changes are keywords."""

    def __init__(self, seed, ranks=8, steps=20, noise=0.03, slow=None, names=None, inlined=(), messages=1,
                 bytes=4096, writer=True, mpi_time=20, wait=0, more=None, calls=1, reads=True, barriers=0):
        self.random = random.Random(seed)
        self.ranks, self.steps, self.noise = ranks, steps, noise
        self.slow = slow or (lambda function, rank, step: 1)
        self.names, self.inlined, self.messages, self.bytes = names or {}, inlined, messages, bytes
        self.writer, self.mpi_time, self.wait, self.more, self.calls, self.reads = writer, mpi_time, wait, more, calls, reads
        self.barriers = barriers
        self.regions = {}

    def write(self, folder):
        self.archive = otf2.Archive(folder)
        self.now = [FIRST] * self.ranks
        define, text = self.archive.define, self.archive.string
        define("Paradigm", MPI, text("MPI"), 0)
        define("SystemTreeNode", 0, text("machine"), text("machine"), NONE)
        for rank in range(self.ranks):
            define("LocationGroup", rank, text(f"MPI Rank {rank}"), 1, 0, NONE)
            self.archive.location(rank)
        define("Group", 0, text("locations"), 4, MPI, 0, self.ranks, otf2.array(list(range(self.ranks))))
        define("Group", 1, text("world"), 5, MPI, 0, self.ranks, otf2.array(list(range(self.ranks))))
        define("Comm", 0, text("MPI_COMM_WORLD"), 1, NONE, 0)
        self.run()
        for rank in range(self.ranks):
            define("Location", rank, text(f"Master thread {rank}"), 1, len(self.archive.events[rank]), rank)
        self.archive.close()
        return folder + "/traces.otf2"

    def region(self, name):
        name = self.names.get(name, name)
        if name not in self.regions:
            number = self.regions[name] = len(self.regions)
            is_mpi = name.lower().lstrip("_").startswith(("mpi_", "pmpi_"))
            text = self.archive.string(name)
            self.archive.define("Region", number, text, text, 0, 1, MPI if is_mpi else COMPILER, 0, 0, 0, 0)
        return self.regions[name]

    def event(self, rank, kind, *values):
        self.archive.event(rank, int(self.now[rank]), kind, *values)

    def enter(self, rank, name):
        if name not in self.inlined:
            self.event(rank, "Enter", self.region(name))

    def leave(self, rank, name):
        if name not in self.inlined:
            self.event(rank, "Leave", self.region(name))

    def pass_time(self, rank, function, ticks, step=None):
        self.now[rank] += ticks * self.slow(function, rank, step) * (1 + self.random.uniform(-1, 1) * self.noise)

    def spend(self, rank, function, ticks, step=None):
        self.enter(rank, function)
        self.pass_time(rank, function, ticks, step)
        self.leave(rank, function)

    def collective(self, name, op):
        begin = []
        for rank in range(self.ranks):
            self.enter(rank, name)
            self.event(rank, "MpiCollectiveBegin")
            begin.append(self.now[rank])
        for rank in range(self.ranks):
            self.now[rank] = max(begin) + 10 + self.wait
            self.event(rank, "MpiCollectiveEnd", op, 0, NONE, 8, 8)
            self.leave(rank, name)

    def exchange(self):
        for rank in range(self.ranks):
            self.enter(rank, "exchange")
            self.pass_time(rank, "exchange", 5)
        sent = {}
        for rank in range(self.ranks):
            for other in (rank - 1, rank + 1):
                for k in range(self.messages):
                    if 0 <= other < self.ranks:
                        self.enter(rank, "MPI_Send")
                        self.event(rank, "MpiSend", other, 0, 7, self.bytes)
                        sent.setdefault((rank, other), []).append(self.now[rank])
                        self.now[rank] += self.mpi_time
                        self.leave(rank, "MPI_Send")
        for rank in range(self.ranks):
            for other in (rank - 1, rank + 1):
                for k in range(self.messages):
                    if 0 <= other < self.ranks:
                        self.enter(rank, "MPI_Recv")
                        self.now[rank] = max(self.now[rank], sent[other, rank][k]) + self.mpi_time
                        self.event(rank, "MpiRecv", other, 0, 7, self.bytes)
                        self.leave(rank, "MPI_Recv")
            self.leave(rank, "exchange")

    def step(self, step):
        for rank in range(self.ranks):
            self.enter(rank, "step")
            self.enter(rank, "compute")
            self.pass_time(rank, "compute", 300, step)
            for k in range(self.calls):
                self.spend(rank, "kernel", 1000, step)
            self.leave(rank, "compute")
            self.spend(rank, "update", 400, step)
            if self.more:
                self.spend(rank, self.more, 500, step)
        self.exchange()
        self.collective("MPI_Allreduce", 7)
        for _ in range(self.barriers):
            self.collective("MPI_Barrier", 0)
        for rank in range(self.ranks):
            if self.writer and rank == self.ranks - 1 and step % 5 == 4:
                self.spend(rank, "checkpoint", 200, step)
            self.leave(rank, "step")

    def run(self):
        for rank in range(self.ranks):
            self.enter(rank, "main")
            self.spend(rank, "MPI_Init", 500)
            self.spend(rank, "setup", 200)
            if rank == 0 and self.reads:
                self.spend(rank, "read_input", 300)
            self.enter(rank, "solve")
        for step in range(self.steps):
            self.step(step)
        for rank in range(self.ranks):
            self.leave(rank, "solve")
        self.collective("MPI_Barrier", 0)
        for rank in range(self.ranks):
            self.spend(rank, "MPI_Finalize", 100)
            self.leave(rank, "main")


def slows(function, factor, ranks=None, steps=None):
    return lambda f, rank, step: factor if f == function and (ranks is None or rank in ranks) and (
        steps is None or step in steps) else 1


def scales(factor, but=None):
    """All that computes takes so much of the time, but one function."""
    return lambda f, rank, step: 1 if f.startswith("MPI") or f == but else factor


FORTRAN = {name: name.lower() + "_" for name in
           ("main", "setup", "solve", "step", "compute", "kernel", "update", "exchange", "MPI_Send", "MPI_Recv",
            "MPI_Allreduce", "MPI_Barrier", "MPI_Init", "MPI_Finalize", "read_input", "checkpoint")}
MANGLED = {"compute": "_ZN6solver7computeEPdi", "kernel": "_ZL6kernelPKd.constprop.0", "update": "update.part.0"}
DEMANGLED = {"compute": "void solver::compute(double*, int)", "kernel": "kernel(double const*)"}
NOTHING = r"no difference beyond the spread"

# By name: what is other in A, in B, and the first line.
CASES = {
    "nothing": ({}, {}, NOTHING),
    "more noise": ({"noise": 0.08}, {"noise": 0.08}, NOTHING),
    "slow function": ({}, {"slow": slows("kernel", 1.5)}, r"^kernel takes .* (longer|as long) in B on all processes"),
    "a little slow": ({}, {"slow": slows("kernel", 1.06)}, r"^kernel takes [4-8] % longer in B"),
    "fast function": ({}, {"slow": slows("update", 0.5)}, r"^update takes \d+ % less time in B"),
    "renamed": ({}, {"names": {"kernel": "stencil_avx"}}, r"kernel of A is renamed: it is stencil_avx in B"),
    "renamed caller": ({}, {"names": {"compute": "advance"}}, r"compute of A is renamed: it is advance in B"),
    "inlined": ({}, {"inlined": ("kernel",)}, r"kernel is inlined into compute in B"),
    "inlined caller": ({}, {"inlined": ("compute",)}, r"compute is inlined into step in B"),
    "inlined both": ({}, {"inlined": ("compute", "kernel")}, r"compute is inlined into step in B"),
    "not inlined any more": ({"inlined": ("update",)}, {}, r"update is inlined into step in A"),
    "twice the messages": ({}, {"messages": 2}, r"^B exchanges twice the messages of A"),
    "twice the bytes": ({}, {"bytes": 8192}, r"^B exchanges .*(twice|1\.9\d times) the bytes of A in as many messages"),
    "small messages": ({}, {"messages": 4, "bytes": 1024}, r"^B exchanges .* times the messages of A"),
    "group gone": ({}, {"writer": False}, r"group '.*' of A \(7\) is gone in B; only it calls checkpoint"),
    "group new": ({"reads": False}, {}, r"group '.*' of B \(0\) is new.* only it calls read_input"),
    "slow iterations": ({}, {"slow": slows("kernel", 2, steps=range(8, 13))},
                        r"^kernel takes .* in B in iterations 8-12 of 20"),
    "one slow iteration": ({}, {"slow": slows("update", 8, steps=[4])},
                           r"^update takes .* in B in iteration 4 of 20"),
    "one slow rank": ({}, {"slow": slows("kernel", 1.6, ranks=[5])}, r"^kernel takes .* in B on rank 5 alone"),
    "two slow ranks": ({}, {"slow": slows("kernel", 1.6, ranks=[2, 3])}, r"^kernel takes .* in B on ranks 2-3"),
    "slow rank in iterations": ({}, {"slow": slows("kernel", 2, ranks=[3], steps=range(10, 20))},
                                r"^kernel takes .* in B in iterations 10-19 of 20 on rank 3 alone"),
    "all slow": ({}, {"slow": lambda f, rank, step: 1.3 if not f.startswith("MPI") else 1},
                 r"^all that computes takes (29|30|31) % longer in B on all processes"),
    "slow network": ({}, {"wait": 600}, r"^the network holds B up"),
    "more ranks": ({}, {"ranks": 16}, r"^B has 16 ranks, A has 8"),
    "fewer ranks": ({}, {"ranks": 6}, r"^B has 6 ranks, A has 8"),
    "strong scaling": ({}, {"ranks": 16, "slow": scales(0.5)}, r"^B has 16 ranks, A has 8 \(strong scaling, 0\.9\d of ideal\)"),
    "strong scaling, one does not": ({}, {"ranks": 16, "slow": scales(0.5, "update")},
                                     r"^B has 16 ranks, A has 8 .*update takes as long .*, most others 50 % less time; that costs"),
    "fewer ranks, one does not": ({"ranks": 16}, {"ranks": 8, "slow": scales(2, "update")},
                                  r"^B has 8 ranks, A has 16 .*update takes as long .*, most others 2.0 times; that saves"),
    "weak scaling, one slower": ({}, {"ranks": 16, "slow": slows("update", 3)},
                                 r"^B has 16 ranks, A has 8 .*update takes [23].\d times as long .*most others as long"),
    "barriers in iterations": ({}, {"barriers": 3}, r"^step calls MPI_Barrier in B and not in A \(60 per process\)"),
    "more iterations": ({}, {"steps": 40}, r"^B has 40 iterations, A has 20; each takes as long as before"),
    "called more often": ({}, {"calls": 2}, r"^kernel is called 2.0 times as often by compute \(20 → 40"),
    "new function": ({}, {"more": "limiter"}, r"^limiter is new in B, called by step"),
    "function gone": ({"more": "limiter"}, {}, r"^limiter is not called in B; in A step calls it"),
    "Fortran": ({}, {"names": FORTRAN}, NOTHING),
    "C++ and clones": ({}, {"names": MANGLED}, NOTHING),
    "mangled and not": ({"names": DEMANGLED}, {"names": {"compute": MANGLED["compute"], "kernel": MANGLED["kernel"]}}, NOTHING),
    "Fortran and slow": ({}, {"names": FORTRAN, "slow": slows("update", 2)}, r"^update takes .* in B on all processes"),
    "renamed and slow": ({}, {"names": {"kernel": "kernel_v2"}, "slow": slows("kernel", 1.5)},
                         r"^kernel takes 1\.5 times as long in B \(as kernel_v2\) on all processes"),
    "four ranks, one slow": ({"ranks": 4}, {"ranks": 4, "slow": slows("kernel", 1.6, ranks=[1])},
                             r"^kernel takes .* in B on rank 1 alone"),
    "two ranks": ({"ranks": 2}, {"ranks": 2, "slow": slows("update", 2)}, r"^update takes .* in B"),
    "one rank": ({"ranks": 1}, {"ranks": 1, "slow": slows("kernel", 1.5)}, r"^kernel takes .* in B"),
    "one rank, nothing": ({"ranks": 1}, {"ranks": 1}, NOTHING),
}




class Costed(Program):
    """A simulated program with one change; it may have threads."""

    def __init__(self, folder, seed, ranks=8, threads=1, steps=20, noise=0.02, times=(("stencil", 6), ("update", 3)),
                 slow=None, messages=1, size=4000, sums=1, eos="predict", eos_time=1, allocate=30, output=5, network=1,
                 late=None, calls=1, parallel=0, files=None, byte_time=1):
        super().__init__(folder, ranks, threads)
        self.random, self.noise, self.slow = random.Random(seed), noise, slow or (lambda name, rank, step: 1)
        self.times, self.messages, self.size, self.sums, self.eos, self.eos_time = times, messages, size, sums, eos, eos_time
        self.allocate, self.output, self.network, self.late, self.calls = allocate, output, network, late, calls
        self.parallel_time, self.files, self.byte_time = parallel, files, byte_time
        self.run(steps, type(self).step, outside=type(self).end_run, before=type(self).begin_run)
        self.seconds = (max(self.now) - 1000) / 1e9

    def vary(self, name, rank, step, time):
        return time * self.slow(name, rank, step) * (1 + self.random.uniform(-1, 1) * self.noise)

    def begin_run(self):
        for rank in range(self.ranks):
            self.compute(rank, "allocate", self.vary("allocate", rank, None, self.allocate))
        if self.late:
            self.compute(0, *self.late)
        self.barrier()

    def end_run(self):
        for rank in range(self.ranks):
            self.compute(rank, "write_output", self.vary("write_output", rank, None, self.output))
        self.barrier()

    def step(self, step):
        for rank in range(self.ranks):
            for name, time in self.times:
                for _ in range(self.calls if name == "stencil" else 1):
                    self.compute(rank, name, self.vary(name, rank, step, time))
            self.enter(rank, self.eos)
            self.compute(rank, "eos", self.vary("eos", rank, step, self.eos_time))
            self.leave(rank, self.eos)
            for name in ("predict", "correct"):
                if name != self.eos:
                    self.compute(rank, name, 0.05)
            if self.parallel_time:
                self.parallel(rank, "kernel", [self.vary(f"kernel {t}", rank, step, self.parallel_time)
                                               for t in range(self.threads)])
            if self.files and rank == 0:
                self.compute(rank, "fwrite", self.files)
        for first in (0, 1):
            for rank in range(first, self.ranks - 1, 2):
                for _ in range(self.messages):
                    self.send(rank, rank + 1, self.size, LATENCY + int(self.byte_time * self.size))
        for _ in range(self.sums):
            self.allreduce()


def when(name, factor, ranks=None, steps=None):
    return slows(name, factor, ranks, steps)


def scaled(**factors):
    """Times of a step, some of them multiplied."""
    return tuple((name, time * factors.get(name, factors.get("rest", 1))) for name, time in (("stencil", 6), ("update", 3)))


HALF = {"times": scaled(rest=0.5), "eos_time": 0.5, "allocate": 15, "output": 2.5}
THREADS = {"ranks": 2, "threads": 4, "parallel": 10}
BIG = {"size": 400_000}

# By name: A, B, the first sentence, and B without its change where that is not A, or seconds; None: nothing has changed.
COSTS = {
    "nothing": ({}, {}, NOTHING, None),
    "noise only": ({"noise": 0.06}, {"noise": 0.06}, NOTHING, None),
    "one rank slower": ({}, {"slow": when("stencil", 1.5, [3])}, r"^stencil takes .* on rank 3 alone"),
    "two ranks slower": ({}, {"slow": when("stencil", 1.4, [2, 6])}, r"^stencil takes .* on ranks 2,6"),
    "half of the ranks slower": ({}, {"slow": when("update", 1.6, range(4))}, r"^update takes .* on ranks 0-3"),
    "a function slower": ({}, {"slow": when("update", 1.5)}, r"^update takes .* on all processes"),
    "a function faster": ({}, {"slow": when("stencil", 0.7)}, r"^stencil takes (29|30|31) % less time .* on all processes"),
    "slow iterations": ({"steps": 40}, {"steps": 40, "slow": when("stencil", 1.5, steps=range(20, 40))},
                        r"^stencil takes .* in iterations 20-39 of 40.*(119|12\d) ms → 18\d ms"),
    "slow iterations of one rank": ({}, {"slow": when("stencil", 2, [5], range(5, 10))},
                                    r"^stencil takes 2\.0 times as long in B in iterations 5-9 of 20 on rank 5 alone"),
    "one slow iteration": ({}, {"slow": when("update", 8, steps=[7])}, r"^update takes .* in iteration 7 of 20"),
    "more iterations": ({}, {"steps": 30}, r"^B has 30 iterations, A has 20; each takes as long as before"),
    "fewer iterations": ({}, {"steps": 12}, r"^B has 12 iterations, A has 20; each takes as long as before"),
    "more iterations that are longer": ({}, {"steps": 30, "slow": when("stencil", 1.5)},
                                        r"^B has 30 iterations, A has 20; each takes (2\d|3\d) % longer",
                                        {"slow": when("stencil", 1.5)}, {"steps": 30}),
    "strong scaling": ({}, {"ranks": 16, **HALF, "times": scaled(stencil=0.5)},
                       r"^B has 16 ranks, A has 8 \(strong scaling, 0\.\d\d of ideal\); update takes as long", {"ranks": 16, **HALF}),
    "strong scaling of all": ({}, {"ranks": 16, **HALF}, r"^B has 16 ranks, A has 8 \(strong scaling, 0\.9\d of ideal\); MPI_Init takes as long \(20\.0 ms each\)", 0.010),
    "weak scaling": ({}, {"ranks": 16, "slow": when("update", 2)},
                     r"^B has 16 ranks, A has 8 \(weak scaling, 0\.\d\d of ideal\); update takes 2\.0 times", {"ranks": 16}),
    "weak scaling of all": ({}, {"ranks": 16}, r"^B has 16 ranks, A has 8 \(weak scaling, (0\.9\d|1\.00) of ideal\)", None),
    "weak scaling of the network": ({}, {"ranks": 16, "network": 200},
                                    r"^B has 16 ranks, A has 8 \(weak scaling, .* the network takes longer", {"ranks": 16}),
    "fewer ranks": ({"ranks": 16, **HALF}, {"times": scaled(stencil=1, update=2)},
                    r"^B has 8 ranks, A has 16 \(strong scaling, .* update takes", {}),
    "more threads": (THREADS, {**THREADS, "threads": 8, "parallel": 5}, r"^B has 8 threads in each rank, A has 4 \(strong scaling, .*; stencil takes as long",
                     {**THREADS, "threads": 8, "parallel": 5, "times": scaled(stencil=0.5)}),
    "a slow thread": (THREADS, {**THREADS, "slow": when("kernel 2", 1.8, [1])}, r"^kernel takes .* on rank 1 thread 2 alone"),
    "more messages": (BIG, {"messages": 100, "size": 4000}, r"^B exchanges 100 times the messages of A.* as many bytes"),
    "more messages with less bytes": ({}, {"messages": 150, "size": 26}, r"^B exchanges 150 times the messages of A"),
    "larger messages": (BIG, {"size": 3_200_000}, r"^B exchanges .*8\.00 times the bytes of A in as many messages"),
    "more sums": ({}, {"sums": 200}, r"^MPI_Allreduce is called 200\.0 times as often by timestep"),
    "slow network": ({}, {"network": 60}, r"^the network holds B up .* with the same messages"),
    "fast network": ({"network": 60}, {}, r"^the network holds B up .* with the same messages"),
    "slow bandwidth": (BIG, {**BIG, "byte_time": 8}, r"^the network holds B up .* with the same messages"),
    "moved function": ({}, {"eos": "correct"}, r"^eos is called by correct in B, and no longer by predict", None),
    "work of another function": ({}, {"times": (("stencil", 4), ("update", 5))},
                                 r"^update takes .*(6\d % longer|1\.7 times as long).* stencil 3\d % less time", None),
    "work of other ranks": ({}, {"slow": lambda f, r, n: 1 if f != "stencil" else 0.6 if r < 4 else 1.4},
                            r"^stencil takes .* on ranks [04]-[37].* on ranks [04]-[37]"),
    "long start": ({}, {"allocate": 120}, r"^allocate takes 4\.0 times as long .* before the main loop"),
    "long start of one rank": ({"late": ("load_mesh", 20)}, {"late": ("load_mesh", 110)},
                               r"^load_mesh takes .* before the main loop"),
    "long end": ({}, {"output": 60}, r"^write_output takes .* behind the main loop"),
    "new function": ({}, {"times": (("stencil", 6), ("update", 3), ("limiter", 2))}, r"^limiter is new in B, called by timestep"),
    "function gone": ({"times": (("stencil", 6), ("update", 3), ("limiter", 2))}, {}, r"^limiter is not called in B; in A timestep calls it"),
    "called more often": ({}, {"calls": 2}, r"^stencil is called 2\.0 times as often by timestep \(20 → 40"),
    "all slower": ({}, {"slow": lambda f, r, n: 1.25}, r"^all that computes takes 25 % longer"),
    "now one rank, now another": ({"steps": 24}, {"steps": 24, "slow": lambda f, r, n: 2 if f == "stencil" and n is not None and n % 8 == r else 1},
                                  r"^stencil takes .* now on one process, now on another"),
    "longer files": ({"files": 1}, {"files": 6}, r"^fwrite takes .* on rank 0 alone"),
}
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6}


def read_cost(text):
    """Seconds that a sentence says; 0 where it says none."""
    found = re.search(r"that (costs|saves) ([\d.]+) (s|ms|us)\b", text)
    return (1 if found[1] == "costs" else -1) * float(found[2]) * UNITS[found[3]] if found else 0


def make_costed(folder, seed, name):
    """Writes A and B; what the change costs, and how long B takes, in seconds."""
    of_a, of_b, _, *without = COSTS[name]
    Costed(f"{folder}/a", seed, **of_a)
    seconds = Costed(f"{folder}/b", seed + 1, **of_b).seconds
    if without == [None]:
        return 0, seconds
    if without and isinstance(without[0], float):
        return without[0], seconds
    # Without the change, as B varies; or what it adds to another one.
    base = Costed(f"{folder}/without", seed + 1, **(of_a if not without else without[-1])).seconds
    if len(without) == 2:  # what more iterations of A cost
        return base - Costed(f"{folder}/without2", seed + 1, **of_a).seconds, seconds
    return seconds - base, seconds


def check_told(tracefold, folder, wanted, truth, seconds):
    """What is wrong in what is told of A and B, and of small traces of both."""
    for side in "ab":
        subprocess.run([tracefold, "reduce", f"{folder}/{side}/traces.otf2", "-o", f"{folder}/small-{side}", "-q"],
                       check=True, capture_output=True)
    wrong = []
    for kind in ("", "small-"):
        done = subprocess.run([tracefold, "compare", f"{folder}/{kind}a/traces.otf2", f"{folder}/{kind}b/traces.otf2"],
                              capture_output=True, text=True, env={**os.environ, "COLUMNS": "80"})
        lines = done.stdout.split("\n")
        count = next((k for k, line in enumerate(lines) if k and (line.startswith("also:") or not line)), 1)
        text = " ".join(line.strip() for line in lines[1:count])
        cost, problems = read_cost(text), []
        if not re.match(r"A takes .*, B .*: .*as long", lines[0]):
            problems.append("no run times")
        if not re.search(wanted, text):
            problems.append(f"not {wanted}")
        if count > 3 or any(len(line) > 80 for line in lines[:count]):
            problems.append("longer than two lines of 80 columns")
        if abs(cost - truth) > max(0.15 * abs(truth), 0.01 * seconds):
            problems.append(f"costs {cost:.4f} s instead of {truth:.4f} s")
        if problems or done.returncode:
            wrong.append(f"({kind or 'originals'}): {', '.join(problems)} {done.stderr[:300]}\n  {lines[0]}\n  {text}")
    return wrong


def check_case(tracefold, folder, seed, name):
    of_a, of_b, wanted = CASES[name]
    traces = [Plant(seed, **of_a).write(f"{folder}/a"), Plant(seed + 1, **of_b).write(f"{folder}/b")]
    small = f"{folder}/small"
    subprocess.run([tracefold, "reduce", traces[1], "-o", small, "-q"], check=True, capture_output=True)
    wrong = []
    for second in (traces[1], small + "/traces.otf2"):
        done = subprocess.run([tracefold, "compare", traces[0], second], capture_output=True, text=True)
        first = done.stdout.split("\n")
        is_headline = re.search(wanted, " ".join(first[1:4]) if wanted != NOTHING else first[1])
        if done.returncode != 0 or not is_headline:
            kind = "reduced" if second != traces[1] else "original"
            wrong.append(f"({kind}): status {done.returncode}, {done.stderr.strip()[:300]}\n  is     {' '.join(first[:4])}\n  wanted {wanted}")
    return wrong


TABLES = {"CASES": CASES, "COSTS": COSTS, "CHANGES": CHANGES, "KNOWN_WRONG": KNOWN_WRONG, "EQUAL": EQUAL}


def check(job):
    """What is wrong in what is told of a pair of a table."""
    tracefold, table, number, name = job
    with tempfile.TemporaryDirectory() as folder:
        if table == "CASES":
            return check_case(tracefold, folder, 2 * number + 1, name)
        if table == "COSTS":
            return check_told(tracefold, folder, COSTS[name][2], *make_costed(folder, 1000 + 2 * number, name))
        pair = TABLES[table][name]
        return check_told(tracefold, folder, pair.says, *pair.make(folder))


def main():
    tracefold, asked = sys.argv[1], sys.argv[2:]
    jobs = [(tracefold, table, number, name) for table, pairs in TABLES.items() for number, name in enumerate(pairs)
            if not asked or name in asked]
    failed = told = 0
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for (_, table, _, name), wrong in zip(jobs, pool.map(check, jobs)):
            if table == "KNOWN_WRONG":
                wrong = [] if wrong else ["is told rightly, and is to be taken from KNOWN_WRONG"]
            if table == "EQUAL":
                told += bool(wrong)
            else:
                failed += bool(wrong)
            for fault in wrong:
                print(f"{name} {fault}", flush=True)
    known = sum(table == "KNOWN_WRONG" for _, table, *_ in jobs)
    print(f"{len(jobs)} pairs, {known} of them in KNOWN_WRONG; {failed} are not as they should be, and of equal programs "
          f"{told} are told to differ, of which {ALLOWED} may be")
    return failed > 0 or told > ALLOWED


if __name__ == "__main__":
    sys.exit(main())
