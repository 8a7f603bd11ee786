"""A kind of program with a planted cause, and parts of such programs. Shares no code with tracefold."""

import random

from planted_checks import STEPS, noise, steps_with
from simulated_program import Program, StreamProgram


KINDS = []


class Kind:
    """A program, and what is to be told of it."""

    def __init__(self, build, kind, function, who, named, when, says, also, options):
        self.build, self.__name__, self.kind, self.options = build, build.__name__, kind, options
        self.gain, self.named = (kind, function, who), who if named is None else named
        self.function, self.when, self.says, self.also = function, when, says, also

    def make(self, folder, *sizes):
        program = (StreamProgram if "streams" in self.options else Program)(str(folder), **self.options)
        if self.kind == "network" and sizes == (0,):
            program.network = 0
        self.build(program, *sizes)
        return program


def planted(kind, function="", who=(), when="", named=None, says=(), also=None, **options):
    """A program is a function of a Program and the size of its cause: 1 or 0.

    `kind`: of the gain (docs/science.md, Playing a run); that of the finding, where it is not played (NOT_PLAYED);
    `even`, of which no loss is told, or `noise`, of which nobody is named. `named`: whom the headline names, where these
    are others than those of the gain. `also`: kind, function and ranks of a second cause, whose size is the last argument.
    """
    def register(build):
        KINDS.append(Kind(build, kind, function, list(who), named, when, says, also, options))
        return build
    return register


def every(p, name, times):
    for rank in range(p.ranks):
        p.compute(rank, name, times(rank))


def loop(p, times, more=None, steps=STEPS):
    p.run(steps, steps_with(times, more))


# -- What programs of several files share ---------------------------------------------------------


def in_noise(p, more, steps):
    """One per cent of noise, with and without the cause."""
    chosen = random.Random(9)
    times = [[15 * (1 + 0.01 * chosen.gauss(0, 1)) for _ in range(p.ranks)] for _ in range(steps)]
    loop(p, lambda r, n: times[n][r] + more(r, n), steps=steps)


def rows_and_columns(p):
    rows = [p.add_communicator(range(4 * row, 4 * row + 4)) for row in range(4)]
    return rows, [p.add_communicator(range(column, 16, 4)) for column in range(4)]


def own_loops(p, counts, time):
    """Each rank has so many iterations; no more than the first one have collective operations."""
    def before(p):
        for n in range(max(counts)):
            here = [rank for rank in range(p.ranks) if n < counts[rank]]
            for rank in here:
                p.enter(rank, "advance")
                p.compute(rank, "solve", time(rank, n))
                p.leave(rank, "advance")
        p.barrier()
    p.begin = [1000] * p.ranks
    p.run(0, None, before=before)
    p.end = [p.clock(rank) for rank in range(p.ranks)]


def overlap(p, transfer, compute, n):
    for rank in range(p.ranks):
        p.post(rank, (rank + 1) % p.ranks)
        p.begin_send(rank, (rank - 1) % p.ranks, 100_000, transfer)
    every(p, "interior", lambda r: compute + noise(r, n))
    for rank in range(p.ranks):
        p.wait_all(rank)
    every(p, "border", lambda r: 2)
    p.allreduce()


def of_streams(kernel, host=lambda rank, n: 1, name="axpy"):
    def step(p, n):
        for rank in range(p.ranks):
            p.launch(rank, name, kernel(rank, n))
            p.compute(rank, "prepare", host(rank, n))
            p.synchronise(rank)
        p.allreduce()
    return step
