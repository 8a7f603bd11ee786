#!/usr/bin/env python3
"""Makes pairs of traces with one planted change each, and checks that `compare` says it first.

usage: planted_changes.py TRACEFOLD [CASE...]

The program is made up: ranks in a row compute in steps, exchange messages with their neighbours and reduce. Times
vary at random by some percent, in other ways in each trace, so that every pair differs by noise as well. Waiting
follows from the computation, as it does in real programs. A reduced trace has to give the same first line.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import otf2_writer as otf2  # noqa: E402

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
    "slow network": ({}, {"wait": 600}, r"^MPI_Allreduce takes .* in B"),
    "more ranks": ({}, {"ranks": 16}, r"^B has 16 ranks, A has 8"),
    "fewer ranks": ({}, {"ranks": 6}, r"^B has 6 ranks, A has 8"),
    "strong scaling": ({}, {"ranks": 16, "slow": scales(0.5)}, r"^B has 16 ranks, A has 8; each group has a partner(?!;)"),
    "strong scaling, one does not": ({}, {"ranks": 16, "slow": scales(0.5, "update")},
                                     r"^B has 16 ranks, A has 8; .*update takes .*, and most functions 50 % less time"),
    "fewer ranks, one does not": ({"ranks": 16}, {"ranks": 8, "slow": scales(2, "update")},
                                  r"^B has 8 ranks, A has 16; .*update takes .*, and most functions 2.0 times as long"),
    "weak scaling, one slower": ({}, {"ranks": 16, "slow": slows("update", 3)},
                                 r"^B has 16 ranks, A has 8; .*update takes [23].\d times as long .*most functions as long"),
    "barriers in iterations": ({}, {"barriers": 3}, r"^step calls MPI_Barrier in B and not in A \(60 per process\)"),
    "more iterations": ({}, {"steps": 40}, r"^step is called 2.0 times as often by solve \(20 → 40"),
    "called more often": ({}, {"calls": 2}, r"^kernel is called 2.0 times as often by compute \(20 → 40"),
    "new function": ({}, {"more": "limiter"}, r"^limiter is new in B, called by step"),
    "function gone": ({"more": "limiter"}, {}, r"^limiter is not called in B, called by step"),
    "Fortran": ({}, {"names": FORTRAN}, NOTHING),
    "C++ and clones": ({}, {"names": MANGLED}, NOTHING),
    "mangled and not": ({"names": DEMANGLED}, {"names": {"compute": MANGLED["compute"], "kernel": MANGLED["kernel"]}}, NOTHING),
    "Fortran and slow": ({}, {"names": FORTRAN, "slow": slows("update", 2)}, r"^update takes .* in B on all processes"),
    "renamed and slow": ({}, {"names": {"kernel": "kernel_v2"}, "slow": slows("kernel", 1.5)}, r"^kernel takes .* in B"),
    "four ranks, one slow": ({"ranks": 4}, {"ranks": 4, "slow": slows("kernel", 1.6, ranks=[1])},
                             r"^kernel takes .* in B on rank 1 alone"),
    "two ranks": ({"ranks": 2}, {"ranks": 2, "slow": slows("update", 2)}, r"^update takes .* in B"),
    "one rank": ({"ranks": 1}, {"ranks": 1, "slow": slows("kernel", 1.5)}, r"^kernel takes .* in B"),
    "one rank, nothing": ({"ranks": 1}, {"ranks": 1}, NOTHING),
}


def main():
    tracefold, names = sys.argv[1], sys.argv[2:] or list(CASES)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(names):
            of_a, of_b, wanted = CASES[name]
            here = pathlib.Path(folder) / str(number)
            traces = [Plant(2 * number + 1, **of_a).write(str(here / "a")), Plant(2 * number + 2, **of_b).write(str(here / "b"))]
            small = str(here / "small")
            subprocess.run([tracefold, "reduce", traces[1], "-o", small, "-q"], check=True, capture_output=True)
            for second in (traces[1], small + "/traces.otf2"):
                done = subprocess.run([tracefold, "compare", traces[0], second], capture_output=True, text=True)
                first = done.stdout.split("\n")
                is_headline = re.search(wanted, " ".join(first[1:4]) if wanted != NOTHING else first[1])
                if done.returncode != 0 or not is_headline:
                    failed += 1
                    kind = "reduced" if second != traces[1] else "original"
                    print(f"{name} ({kind}): status {done.returncode}, {done.stderr.strip()[:300]}\n  is     {' '.join(first[:4])}\n  wanted {wanted}")
    print(f"{len(names) - failed} of {len(names)} cases" if failed <= len(names) else f"{failed} failures")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
