#!/usr/bin/env python3
"""Checks what `tracefold summary` tells of programs with planted causes of many kinds, and of programs without any.

usage: planted_kinds.py TRACEFOLD [KIND…]

Of each program two runs are simulated, with the cause and without it. The headline, and the gain it is of, have to
name the cause: what kind of change, in which function, of which ranks, in which iterations; what is gained is the
difference of both runs, to 15 %. Of balanced and noisy programs nobody and nothing may be named. All of this of the
trace and of a reduced one. Shares no code with tracefold.

Programs of which something else is told stand in KNOWN_WRONG; one that is right is to be taken from there.
"""

import random
import re
import statistics
import sys

from planted_checks import (STEPS, check_causes, exchange, is_gain, noise, of_threads, reduce, steps_with,
                            summarize)
from simulated_program import ALLREDUCE, ALLTOALL, BARRIER, MS, REDUCE, Program, StreamProgram

BOUND = 0.15
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


# -- One rank, or some, that compute longer -------------------------------------------------


@planted("function", "solve", [1], ranks=2)
def one_of_two(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 6 * x * (r == 1))


@planted("function", "solve", [1], ranks=3)
def one_of_three(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 6 * x * (r == 1))


@planted("function", "solve", [57], ranks=100, per_node=10)
def one_of_hundred(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 5 * x * (r == 57), steps=8)


@planted("function", "solve", [7, 30, 55], ranks=64, per_node=8)
def three_of_64(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 5 * x * (r in (7, 30, 55)), steps=10)


@planted("function", "solve", [4, 5, 6, 7])
def half_of_ranks(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 5 * x * (r >= 4))


@planted("function", "solve", [8, 9, 10, 11], says=[r"node02"], ranks=24, per_node=4)
def node_of_six(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 4 * x * (r // 4 == 2), steps=12)


@planted("computation", "flux", [2, 3], says=[r"node01"])
def node_in_two_functions(p, x):
    def step(p, n):
        every(p, "flux", lambda r: 6 * (1 + 0.5 * x * (r // 2 == 1)) + noise(r, n))
        every(p, "eos", lambda r: 5 * (1 + 0.5 * x * (r // 2 == 1)))
        p.allreduce()
    p.run(STEPS, step)


@planted("computation", "f0", [2])
def one_in_ten_functions(p, x):
    def step(p, n):
        for k in range(10):
            every(p, f"f{k}", lambda r: (2.2 if k == 0 else 2) * (1 + 0.3 * x * (r == 2)))
        p.allreduce()
    p.run(STEPS, step)


@planted("computation", "f0", [2])
def one_in_ten_functions_with_barriers(p, x):
    def step(p, n):
        for k in range(10):
            every(p, f"f{k}", lambda r: (2.2 if k == 0 else 2) * (1 + 0.3 * x * (r == 2)))
            p.barrier()
    p.run(STEPS, step)


@planted("function", "solve", [5, 6, 7])
def gradient(p, x):
    """Rank 4 is longer than most as well, but less than those who are named."""
    loop(p, lambda r, n: 10 + (r if x or r < 5 else 3) + noise(r, n))


@planted("function", "solve", [1, 6])
def two_of_different_size(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + x * {1: 8, 6: 2.5}.get(r, 0))


@planted("function", "solve", [1])
def one_beside_a_small_one(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + {1: 8 * x, 6: 1.9}.get(r, 0))


@planted("function", "solve", [9], ranks=16)
def one_above_a_gradient(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + (8 * x if r == 9 else 0.12 * r), steps=12)


@planted("function", "solve", [2])
def one_in_bursts(p, x):
    is_slow = random.Random(4)
    loop(p, lambda r, n: 10 + noise(r, n) + 8 * x * (r == 2 and is_slow.random() < 0.5))


@planted("function", "kernel", [6])
def under_both_callers(p, x):
    def step(p, n):
        for caller in ("predict", "correct"):
            for rank in range(p.ranks):
                p.enter(rank, caller)
                p.compute(rank, "kernel", 5 + noise(rank, n) + 4 * x * (rank == 6))
                p.leave(rank, caller)
        p.allreduce()
    p.run(STEPS, step)


def of_callers(more):
    def step(p, n):
        for caller in ("predict", "correct"):
            for rank in range(p.ranks):
                p.enter(rank, caller)
                p.compute(rank, "kernel", 8 + noise(rank, n) + more(rank, caller))
                p.leave(rank, caller)
            p.barrier()
    return step


@planted("function", "kernel", [6], says=[r"called by correct"])
def longer_under_one_caller_and_shorter_under_another(p, x):
    p.run(STEPS, of_callers(lambda r, caller: x * {"predict": -4, "correct": 4}[caller] * (r == 6)))


@planted("computation", "kernel", [2, 5], says=[r"called by predict"], also=("function", "update", [2]))
def under_one_caller_beside_another_cause(p, x, y=None):
    y, x = (x, x) if y is None else (y, x)

    def step(p, n):
        of_callers(lambda r, caller: 5 * x * (r == 5 and caller == "predict"))(p, n)
        every(p, "update", lambda r: 4 + 3 * y * (r == 2))
        p.barrier()
    p.run(STEPS, step)


@planted("function", "solve", [3])
def longer_and_then_shorter(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n) + 6 * x * (r == 3))
        p.barrier()
        every(p, "update", lambda r: 10 + noise(r, n) - 6 * (r == 3))
        p.barrier()
    p.run(STEPS, step)


@planted("function", "kernel", [3])
def in_the_last_call_of_four(p, x):
    def step(p, n):
        for call in range(4):
            every(p, "kernel", lambda r: 5 + noise(r, n) + 8 * x * (r == 3 and call == 3))
            p.barrier()
    p.run(STEPS, step)


@planted("function", "kernel", [0, 2, 4, 6])
def another_rank_in_each_call(p, x):
    def step(p, n):
        for call in range(4):
            every(p, "kernel", lambda r: 5 + noise(r, n) + 4 * x * (r == 2 * call))
            p.barrier()
    p.run(STEPS, step)


@planted("function", "rhs", [3])
def stages_of_other_sizes(p, x):
    def step(p, n):
        for stage in range(4):
            every(p, "rhs", lambda r: (1 + 2 * stage) * (1 + 0.4 * x * (r == 3)))
            p.barrier()
    p.run(STEPS, step)


@planted("function", "spmv", [3])
def in_short_calls_behind_a_long_one(p, x):
    def step(p, n):
        every(p, "spmv", lambda r: 20)
        p.barrier()
        for _ in range(10):
            every(p, "spmv", lambda r: 1 + 0.5 * x * (r == 3))
            p.barrier()
    p.run(STEPS, step)


@planted("function", "tree", [2])
def deeper_recursion(p, x):
    def descend(rank, depth):
        p.enter(rank, "tree")
        p.go_to(rank, p.clock(rank) + MS)
        for _ in range(2 if depth else 0):
            descend(rank, depth - 1)
        p.leave(rank, "tree")

    def step(p, n):
        for rank in range(p.ranks):
            descend(rank, 4 if rank == 2 and x else 3)
        p.allreduce()
    p.run(10, step)


@planted("function", "substep", [4])
def more_substeps(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            for _ in range(5 + 4 * x * (rank == 4)):
                p.compute(rank, "substep", 2)
        p.allreduce()
    p.run(STEPS, step)


@planted("function", "solve", [3])
def only_halo_exchange(p, x):
    """No collective operations: a delay goes on from neighbour to neighbour."""
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n) + 5 * x * (r == 3))
        for rank in range(p.ranks):
            p.post(rank, (rank + 1) % p.ranks)
            p.post(rank, (rank - 1) % p.ranks)
        for rank in range(p.ranks):
            p.begin_send(rank, (rank + 1) % p.ranks)
            p.begin_send(rank, (rank - 1) % p.ranks)
        for rank in range(p.ranks):
            p.wait_all(rank)
    p.run(STEPS, step)


@planted("function", "solve", [3])
def no_communication(p, x):
    p.run(STEPS, lambda p, n: every(p, "solve", lambda r: 10 + noise(r, n) + 6 * x * (r == 3)))


@planted("function", "solve", [1, 3, 5, 7])
def odd_ranks(p, x):
    """Second domains of memory."""
    loop(p, lambda r, n: 10 + noise(r, n) + 4 * x * (r % 2))


@planted("function", "atmosphere", [0, 1, 2, 3])
def one_of_two_models(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, *(("atmosphere", 8 + 4 * x) if rank < 4 else ("ocean", 8 + noise(rank, n))))
        p.allreduce()
    p.run(STEPS, step)


@planted("function", "fft", [7])
def late_in_alltoall(p, x):
    def step(p, n):
        for _ in range(2):
            every(p, "fft", lambda r: 5 + noise(r, n) + 2 * x * (r == 7))
            p.together("MPI_Alltoall", ALLTOALL)
    p.run(STEPS, step)


# -- Operations that do not block, and one-sided ones -----------------------------------------------


@planted("function", "solve", [3])
def late_to_operation_that_does_not_block(p, x):
    """All compute something else meanwhile, which hides a part of the delay."""
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n) + 6 * x * (r == 3))
        request = p.begin_together()
        every(p, "meanwhile", lambda r: 2)
        p.end_together(request)
    p.run(STEPS, step)


@planted("function", "meanwhile", [2])
def slow_while_an_operation_is_under_way(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n))
        request = p.begin_together("MPI_Ibarrier")
        every(p, "meanwhile", lambda r: 4 + 5 * x * (r == 2))
        p.end_together(request, BARRIER)
    p.run(STEPS, step)


@planted("function", "solve", [5])
def late_to_fences(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n) + 5 * x * (r == 5))
        p.fence()
        every(p, "update", lambda r: 3)
        p.fence()
    p.run(STEPS, step)


# -- Two causes -------------------------------------------------------------------------------


@planted("computation", "solve", [3, 5], also=("function", "update", [5]))
def two_causes_on_two_ranks(p, x, y=None):
    y, x = (x, x) if y is None else (y, x)

    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n) + 6 * x * (r == 3))
        p.allreduce()
        every(p, "update", lambda r: 5 + 4 * y * (r == 5))
        p.allreduce()
    p.run(STEPS, step)


@planted("computation", "solve", [3, 5])
def two_causes_at_the_same_time(p, x):
    """Without one of them the other one is left: only both together gain."""
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n) + 8 * x * (r == 3))
        every(p, "update", lambda r: 5 + 7 * x * (r == 5))
        p.allreduce()
    p.run(STEPS, step)


@planted("computation", "flux", [4, 5, 7])
def node_and_another_rank(p, x):
    def step(p, n):
        every(p, "flux", lambda r: 8 + noise(r, n) + 4 * x * (r in (4, 5)))
        every(p, "limit", lambda r: 2 + 3 * x * (r == 7))
        p.allreduce()
    p.run(STEPS, step)


@planted("function", "pressure", [0, 1, 2, 3], also=("function", "velocity", [4, 5, 6, 7]))
def opposite_phases(p, x, y=1):
    def step(p, n):
        every(p, "pressure", lambda r: 10 + 5 * x * (r < 4))
        p.barrier()
        every(p, "velocity", lambda r: 10 + 4.5 * y * (r >= 4))
        p.barrier()
    p.run(STEPS, step)


@planted("computation", "a")
def another_rank_in_each_of_five_functions(p, x):
    def step(p, n):
        for k, name in enumerate("abcde"):
            every(p, name, lambda r: 4 + noise(r, n) + (2.5 if k == 0 else 2) * x * (r == k))
            p.barrier()
    p.run(STEPS, step)


@planted("function", "solve", [3], also=("network", "", []))
def slow_rank_and_slow_network(p, x, y=1):
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n) + 5 * x * (r == 3))
        p.together("MPI_Allreduce", ALLREDUCE, latency=4 * MS * y)
    p.run(STEPS, step)


@planted("function", "solve", [3], also=("files", "fwrite", []))
def slow_rank_and_serial_file(p, x, y=1):
    def write(p, n):
        p.barrier()
        p.compute(0, "fwrite", 4 * y)
        p.barrier()
    loop(p, lambda r, n: 10 + noise(r, n) + 6 * x * (r == 3), write)


# -- When ---------------------------------------------------------------------------------------


@planted("function", "solve")
def random_last_rank(p, x):
    chosen = random.Random(2)
    last = [chosen.randrange(p.ranks) for _ in range(STEPS)]
    loop(p, lambda r, n: 10 + noise(r, n) + 8 * x * (r == last[n]))


@planted("function", "solve", ranks=32, says=[r"slowest rank changes"])
def interrupts(p, x):
    chosen = random.Random(4)
    loop(p, lambda r, n: 10 + 3 * x * (chosen.random() < 0.03))


@planted("function", "solve")
def moving_hot_spot(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 8 * x * (r == n * p.ranks // STEPS))


@planted("function", "solve", [1, 5])
def two_that_take_turns(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 6 * x * (r == (1 if n % 2 else 5)))


@planted("function", "solve", [2, 5])
def another_rank_in_each_half(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 6 * x * (r == (2 if n < 10 else 5)))


@planted("function", "solve")
def halves_that_take_turns(p, x):
    loop(p, lambda r, n: (10 if (r < 4) == (n % 2 == 0) else 0.2) if x else 5.1)


@planted("function", "solve", [3], "10-19")
def one_in_second_half(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 6 * x * (r == 3 and n >= 10))


@planted("function", "solve", [5], "0-2")
def one_warms_up(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 20 * x * (n < 3 and r == 5))


@planted("function", "solve", [1], "0")
def first_iteration_of_one(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 60 * x * (n == 0 and r == 1))


@planted("function", "solve", [6], "19")
def last_iteration_of_one(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 60 * x * (n == 19 and r == 6))


@planted("function", "analyse", [2], "3-19:4")
def each_fourth_of_one(p, x):
    def more(p, n):
        if n % 4 == 3 and x:
            p.compute(2, "analyse", 20)
    loop(p, lambda r, n: 10 + noise(r, n), more)


@planted("function", "solve", [4, 5, 6, 7], "2-20:3", ranks=12, per_node=4, says=[r"node01"])
def each_third_of_a_node(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 6 * x * (r // 4 == 1 and n % 3 == 2), steps=21)


@planted("function", "solve", [4])
def three_iterations_of_one(p, x):
    loop(p, lambda r, n: 5 + noise(r, n) + 10 * x * (r == 4 and n in (4, 6, 8)))


@planted("function", "solve", [3])
def two_far_iterations_of_one(p, x):
    loop(p, lambda r, n: 5 + noise(r, n) + 40 * x * (r == 3 and n in (5, 14)))


@planted("function", "solve", [2])
def each_third_of_one_in_first_half(p, x):
    loop(p, lambda r, n: 5 + noise(r, n) + 15 * x * (n % 3 == 0 and n < 20 and r == 2), steps=40)


@planted("function", "solve", [6])
def growing_of_one(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 0.8 * n * x * (r == 6))


@planted("function", "refine", [3], says=[r"alone"])
def growing_function_of_one_alone(p, x):
    def more(p, n):
        p.compute(3, "refine", 0.1 + 0.8 * n * x)
    loop(p, lambda r, n: 10 + noise(r, n), more)


@planted("function", "solve", [3])
def shrinking_of_one(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 0.6 * (STEPS - n) * x * (r == 3))


@planted("function", "solve", [4, 5, 6, 7], ranks=16)
def growing_of_four(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 0.5 * n * x * (r in (4, 5, 6, 7)))


@planted("function", "hydro", [3], "1-19:2")
def one_in_one_of_two_phases(p, x):
    def step(p, n):
        every(p, "hydro" if n % 2 else "gravity",
              lambda r: (10 if n % 2 else 6) + noise(r, n) + 5 * x * (n % 2 and r == 3))
        exchange(p)
        p.allreduce()
    p.run(STEPS, step)


@planted("function", "solve", [1], "2", ranks=2)
def one_iteration_of_one_of_two(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 30 * x * (n == 2 and r == 1), steps=4)


@planted("function", "solve", [0], "8", ranks=3)
def one_iteration_of_one_of_three(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 60 * x * (n == 8 and r == 0))


@planted("function", "solve", [1, 3, 4], "4")
def one_iteration_of_three_of_eight(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 60 * x * (n == 4 and r in (1, 3, 4)))


@planted("function", "solve", [0, 2, 6, 7], "10-19")
def half_of_ranks_in_second_half(p, x):
    loop(p, lambda r, n: 5 + noise(r, n) / 10 + 4 * x * (n >= 10 and r in (0, 2, 6, 7)))


def in_noise(p, more, steps):
    """One per cent of noise, with and without the cause."""
    chosen = random.Random(9)
    times = [[15 * (1 + 0.01 * chosen.gauss(0, 1)) for _ in range(p.ranks)] for _ in range(steps)]
    loop(p, lambda r, n: times[n][r] + more(r, n), steps=steps)


@planted("function", "solve", [4], "22")
def one_iteration_of_one_in_a_long_run(p, x):
    """It costs 4.5 % of the run."""
    in_noise(p, lambda r, n: 22 * x * (n == 22 and r == 4), 30)


@planted("function", "solve", [4], "4-19:5", ranks=16)
def each_fifth_of_one_in_noise(p, x):
    in_noise(p, lambda r, n: 4.2 * x * (n % 5 == 4 and r == 4), 20)


@planted("function", "solve", [11], "0", ranks=16)
def first_iteration_of_one_in_a_long_run(p, x):
    """It costs 3 % of the run."""
    in_noise(p, lambda r, n: 27 * x * (n == 0 and r == 11), 60)


@planted("function", "solve", [0, 3], "7", ranks=6)
def one_iteration_of_two_in_a_long_run(p, x):
    in_noise(p, lambda r, n: (20 + 4 * (r == 3)) * x * (n == 7 and r in (0, 3)), 40)


@planted("function", "solve", [5], "2-23:3")
def each_third_of_one_in_noise(p, x):
    in_noise(p, lambda r, n: 3 * x * (n % 3 == 2 and r == 5), 24)


@planted("function", "solve", [1, 12], "3-27:6", ranks=16)
def each_sixth_of_two_in_noise(p, x):
    in_noise(p, lambda r, n: 8 * x * (n % 6 == 3 and r in (1, 12)), 30)


@planted("iterations", "solve", when="0")
def first_iteration(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 60 * x * (n == 0))


@planted("iterations", "solve", when="19")
def last_iteration(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 60 * x * (n == 19))


@planted("iterations", "solve", when="0-16:4")
def each_fourth_iteration(p, x):
    loop(p, lambda r, n: 5 + noise(r, n) + 15 * x * (n % 4 == 0))


@planted("iterations", "compress", when="4-19:5")
def each_fifth_iteration_in_a_function(p, x):
    def more(p, n):
        if n % 5 == 4 and x:
            every(p, "compress", lambda r: 20 + noise(r, n))
    loop(p, lambda r, n: 5 + noise(r, n), more)


@planted("iterations", "solve")
def two_iterations_of_forty(p, x):
    loop(p, lambda r, n: 5 + noise(r, n) + 40 * x * (n in (5, 14)), steps=40)


@planted("iterations", "solve", says=[r"3 iterations"])
def three_of_other_sizes(p, x):
    loop(p, lambda r, n: 5 + noise(r, n) + x * {5: 20, 17: 30, 40: 40}.get(n, 0), steps=60)


@planted("iterations", "analyse", when="12-19", says=[r"slower at iteration 12\b"])
def another_function_from_one_on(p, x):
    def more(p, n):
        if n >= 12 and x:
            every(p, "analyse", lambda r: 4)
    loop(p, lambda r, n: 5 + noise(r, n), more)


@planted("iterations", "assemble", says=[r"become slower"])
def growing_function_that_is_not_the_largest(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n))
        every(p, "assemble", lambda r: 1 + 0.5 * n * x)
        p.allreduce()
    p.run(STEPS, step)


@planted("iterations", "assemble", says=[r"become slower"], ranks=5)
def growing_function_in_noise(p, x):
    chosen = random.Random(6)

    def step(p, n):
        every(p, "solve", lambda r: 12 + chosen.gauss(0, 0.1))
        every(p, "assemble", lambda r: 2 + 0.3 * n * x)
        p.allreduce()
    p.run(30, step)


@planted("iterations", "assemble", says=[r"become slower"], ranks=12)
def function_that_grows_ever_faster(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 8 + noise(r, n))
        every(p, "assemble", lambda r: 1.08 ** (n * x))
        p.allreduce()
    p.run(40, step)


@planted("iterations", "relax", says=[r"become faster"])
def shrinking_function_that_is_not_the_largest(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n))
        every(p, "relax", lambda r: 1 + 0.4 * (15 - n) * x)
        p.allreduce()
    p.run(16, step)


# -- Short loops ----------------------------------------------------------------------------------


@planted("function", "solve", [3])
def one_iteration(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 8 * x * (r == 3), steps=1)


@planted("function", "solve", [3])
def two_iterations(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 8 * x * (r == 3), steps=2)


@planted("function", "solve", [5])
def three_iterations(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 3 * x * (r == 5), steps=3)


@planted("function", "solve", [5])
def five_iterations(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 3 * x * (r == 5), steps=5)


@planted("iterations", "solve", when="0")
def first_of_five_iterations(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 20 * x * (n == 0), steps=5)


@planted("iterations", "solve", when="0")
def first_of_four_iterations(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 20 * x * (n == 0), steps=4)


@planted("iterations", "solve", when="3-5")
def second_half_of_six_iterations(p, x):
    loop(p, lambda r, n: 20 + noise(r, n) + 10 * x * (n >= 3), steps=6)


@planted("iterations", "solve", when="4-9:5")
def two_of_ten_iterations(p, x):
    loop(p, lambda r, n: 20 + noise(r, n) + 20 * x * (n % 5 == 4), steps=10)


@planted("iterations", "solve", when="3", ranks=5)
def last_of_four_iterations(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 4 * x * (n == 3), steps=4)


@planted("iterations", "solve", when="0", ranks=16)
def first_of_three_iterations_in_noise(p, x):
    in_noise(p, lambda r, n: 12 * x * (n == 0), 3)


@planted("iterations", "analyse", when="2", ranks=2)
def third_of_four_iterations_in_a_function(p, x):
    loop(p, lambda r, n: 10 + noise(r, n), lambda p, n: every(p, "analyse", lambda r: 8 * x * (n == 2)), steps=4)


@planted("iterations", "solve", when="2-3", says=[r"slower at iteration 2\b"], ranks=4)
def second_half_of_four_iterations(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 5 * x * (n >= 2), steps=4)


@planted("iterations", "solve", when="0-2", says=[r"faster at iteration 3\b"], ranks=16)
def first_three_of_seven_iterations_in_noise(p, x):
    in_noise(p, lambda r, n: 8 * x * (n < 3), 7)


@planted("iterations", "solve", when="2-5:3")
def two_of_six_iterations(p, x):
    loop(p, lambda r, n: 10 + noise(r, n) + 6 * x * (n % 3 == 2), steps=6)


@planted("iterations", "solve", when="0-4:4", ranks=12)
def two_of_eight_iterations_in_noise(p, x):
    in_noise(p, lambda r, n: 9 * x * (n % 4 == 0), 8)


# -- Ranks that have less to do -------------------------------------------------------------------


@planted("spread", "solve", [0])
def one_does_nothing(p, x):
    loop(p, lambda r, n: (10 if r else 0.1) + noise(r, n) if x else 8.76 + noise(r, n))


@planted("spread", "solve", [0], ranks=2)
def one_of_two_does_nothing(p, x):
    loop(p, lambda r, n: (16 if r else 0.5) if x else 8.25)


@planted("spread", "solve", [3, 4, 5, 6, 7])
def most_do_nothing(p, x):
    loop(p, lambda r, n: (16 if r < 3 else 0.5) if x else 50.5 / 8)


@planted("function", "solve", [1])
def one_does_it_all(p, x):
    loop(p, lambda r, n: 16 if x and r == 1 else 0.5)


@planted("less", "solve", [0, 1, 2], says=[r"have less to compute"])
def three_have_less(p, x):
    loop(p, lambda r, n: (15 if r >= 3 else 10) + noise(r, n) if x else 13.125 + noise(r, n))


# -- Ranks that wait for one another --------------------------------------------------------------


@planted("function", "pack", [2], says=[r"alone"])
def late_sender_in_waitall(p, x):
    """Long computation before the others wait."""
    def step(p, n):
        for rank in range(p.ranks):
            p.post(rank, (rank - 1) % p.ranks)
        every(p, "interior", lambda r: 10 + noise(r, n))
        p.compute(2, "pack", 7 * x)
        for rank in range(p.ranks):
            p.begin_send(rank, (rank + 1) % p.ranks)
        for rank in range(p.ranks):
            p.wait_all(rank)
        p.allreduce()
    p.run(STEPS, step)


@planted("function", "interior", [4])
def late_sender_in_wait_that_computes_more(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.post(rank, (rank - 1) % p.ranks)
        every(p, "interior", lambda r: 10 + noise(r, n) + 6 * x * (r == 4))
        for rank in range(p.ranks):
            p.begin_send(rank, (rank + 1) % p.ranks)
        for rank in range(p.ranks):
            p.wait_all(rank, "MPI_Wait")
    p.run(STEPS, step)


@planted("function", "merge", [0], says=[r"alone"])
def serial_part_of_one_rank(p, x):
    """All wait for the root, which gathers, computes and sends to all."""
    def more(p, n):
        p.gather(0)
        p.compute(0, "merge", 6 * x)
        p.bcast(0)
    loop(p, lambda r, n: 10 + noise(r, n), more)


@planted("function", "statistics", [5], says=[r"alone"])
def late_member_of_reduce(p, x):
    """The root waits for it, and then all wait for the root."""
    def step(p, n):
        every(p, "solve", lambda r: 5 + noise(r, n))
        p.compute(5, "statistics", 9 * x)
        p.gather(0, "MPI_Reduce", REDUCE)
        every(p, "finish", lambda r: 0.5 if r == 5 else 9)
        p.bcast(0)
    p.run(STEPS, step)


@planted("function", "read_input", [3], says=[r"MPI_Bcast", r"root"])
def late_root_of_bcast(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 5 + noise(r, n))
        p.compute(3, "read_input", 7 * x)
        p.bcast(3)
        every(p, "finish", lambda r: 0.5 if r == 3 else 7)
        p.allreduce()
    p.run(STEPS, step)


def rows_and_columns(p):
    rows = [p.add_communicator(range(4 * row, 4 * row + 4)) for row in range(4)]
    return rows, [p.add_communicator(range(column, 16, 4)) for column in range(4)]


@planted("function", "solve", [6], ranks=16, per_node=4)
def late_in_its_row_and_column(p, x):
    rows, columns = rows_and_columns(p)

    def step(p, n):
        for communicators in (rows, columns):
            every(p, "solve", lambda r: 5 + noise(r, n) + 3 * x * (r == 6))
            for communicator in communicators:
                p.together("MPI_Allreduce", ALLREDUCE, communicator=communicator)
    p.run(STEPS, step)


@planted("function", "solve", [9], ranks=16, per_node=4)
def late_in_rows_that_never_meet(p, x):
    rows, _ = rows_and_columns(p)

    def step(p, n):
        every(p, "solve", lambda r: 8 + noise(r, n) + 4 * x * (r == 9))
        for communicator in rows:
            p.together("MPI_Allreduce", ALLREDUCE, communicator=communicator)
    p.run(STEPS, step)


@planted("function", "transpose", [4, 5, 6, 7], ranks=16, per_node=4)
def slow_row(p, x):
    rows, columns = rows_and_columns(p)

    def step(p, n):
        every(p, "fft", lambda r: 6 + noise(r, n))
        for communicator in rows:
            p.together("MPI_Allreduce", ALLREDUCE, communicator=communicator)
        every(p, "transpose", lambda r: 4 + 3 * x * (r // 4 == 1))
        for communicator in columns:
            p.together("MPI_Allreduce", ALLREDUCE, communicator=communicator)
    p.run(STEPS, step)


@planted("function", "work", [5])
def slow_worker(p, x):
    def step(p, n):
        for rank in range(1, p.ranks):
            p.send(0, rank)
        every(p, "work", lambda r: (8 + noise(r, n) + 5 * x * (r == 5)) * (r > 0))
        for rank in range(1, p.ranks):
            p.send(rank, 0)
    p.run(STEPS, step)


@planted("function", "schedule", [0], says=[r"alone"])
def slow_master(p, x):
    """It thinks about each piece of work, and workers wait."""
    def step(p, n):
        for _ in range(3):
            for rank in range(1, p.ranks):
                p.compute(0, "schedule", 2 * x)
                p.send(0, rank)
            every(p, "work", lambda r: 4 if r else 0)
            for rank in range(1, p.ranks):
                p.send(rank, 0)
    p.run(STEPS, step)


@planted("order", "MPI_Recv", range(12), says=[r"one after the other", r"0 → 1 → 2"], ranks=12)
def long_pipeline(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, "sweep", 5)
            if rank + 1 < p.ranks and x:
                p.send(rank, rank + 1)
        p.allreduce()
    p.run(STEPS, step)


@planted("order", "MPI_Recv", range(8), says=[r"one after the other", r"0 → 1 → 2"])
def pipeline_of_other_functions(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, f"stage{rank}", 5)
            if rank + 1 < p.ranks and x:
                p.send(rank, rank + 1)
        p.allreduce()
    p.run(STEPS, step)


@planted("order", "MPI_Recv", [0, 1, 2], ranks=3)
def pipeline_of_three(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, "sweep", 5)
            if rank + 1 < p.ranks and x:
                p.send(rank, rank + 1)
        p.allreduce()
    p.run(STEPS, step)


@planted("order", "MPI_Recv", named=[0, 1], ranks=2)
def turns_of_two(p, x):
    def step(p, n):
        p.compute(0, "work", 5)
        if x:
            p.send(0, 1)
        p.compute(1, "work", 5)
        p.send(1, 0)
    p.run(STEPS, step)


@planted("order", "MPI_Recv", who=range(8), also=("function", "sweep", [4]))
def pipeline_with_a_slow_stage(p, x, y=1):
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, "sweep", 5 + 4 * y * (rank == 4))
            if rank + 1 < p.ranks and x:
                p.send(rank, rank + 1)
        p.allreduce()
    p.run(STEPS, step)


@planted("order", "MPI_Recv", range(8))
def sweep_to_and_fro(p, x):
    def step(p, n):
        for way in (1, -1):
            for rank in range(p.ranks)[::way]:
                p.compute(rank, "sweep", 3)
                if 0 <= rank + way < p.ranks and x:
                    p.send(rank, rank + way)
        p.allreduce()
    p.run(STEPS, step)


@planted("order", "MPI_Recv", range(5), ranks=5)
def sweep_of_five_to_and_fro_of_other_times(p, x):
    def step(p, n):
        for way, time in ((1, 4), (-1, 6)):
            for rank in range(p.ranks)[::way]:
                p.compute(rank, "forward" if way > 0 else "backward", time)
                if 0 <= rank + way < p.ranks and x:
                    p.send(rank, rank + way)
        p.allreduce()
    p.run(12, step)


@planted("order", "MPI_Recv", range(15, -1, -1), says=[r"15 → 14 → 13"], ranks=16)
def sweep_fro_and_to(p, x):
    def step(p, n):
        every(p, "prepare", lambda r: 5 + noise(r, n))
        for way in (-1, 1):
            for rank in range(p.ranks)[::way]:
                p.compute(rank, "sweep", 2)
                if 0 <= rank + way < p.ranks and x:
                    p.send(rank, rank + way)
        p.allreduce()
    p.run(10, step)


def wavefront(p, time, x):
    """From the first corner of a square of 16 ranks to the last one."""
    for diagonal in range(7):
        for rank in range(16):
            row, column = divmod(rank, 4)
            if row + column == diagonal:
                p.compute(rank, "sweep", time(rank))
                for other, is_there in ((rank + 4, row < 3), (rank + 1, column < 3)):
                    if is_there and x:
                        p.send(rank, other)
    p.allreduce()


@planted("order", "MPI_Recv", [0, 1, 2, 3, 7, 11, 15], ranks=16, per_node=4)
def sweep_in_two_dimensions(p, x):
    p.run(STEPS, lambda p, n: wavefront(p, lambda r: 4, x))


@planted("function", "sweep", [5], ranks=16, per_node=4, also=("order", "MPI_Recv", [0, 1, 2, 3, 7, 11, 15]))
def slow_rank_in_a_wavefront(p, x, y=1):
    p.run(STEPS, lambda p, n: wavefront(p, lambda r: 1 + noise(r, n) + 12 * x * (r == 5), y))


# -- Outside of the loop, and loops of other lengths --------------------------------------------


@planted("function", "setup", [2], says=[r"between MPI_Init and MPI_Finalize"])
def late_start(p, x):
    loop_with(p, before=lambda p: (every(p, "setup", lambda r: 20 + 300 * x * (r == 2)), p.barrier()))


@planted("function", "load", [3], says=[r"between MPI_Init and MPI_Finalize", r"alone"])
def short_late_start(p, x):
    loop_with(p, before=lambda p: p.compute(3, "load", 100 * x))


@planted("function", "postprocess", [2], says=[r"between MPI_Init and MPI_Finalize", r"alone"])
def late_end(p, x):
    def outside(p):
        p.compute(2, "postprocess", 300 * x)
        p.barrier()
    loop_with(p, outside=outside)


@planted("function", "read_mesh", [0], says=[r"between MPI_Init and MPI_Finalize", r"alone"])
def serial_start(p, x):
    def before(p):
        p.compute(0, "read_mesh", 200 * x)
        p.bcast(0)
        every(p, "part_mesh", lambda r: 5)
        p.barrier()
    loop_with(p, before=before)


def loop_with(p, **parts):
    """The run counts from its first event."""
    p.run(STEPS, steps_with(lambda r, n: 5 + noise(r, n)), **parts)
    p.begin, p.end = [1000] * p.ranks, [p.clock(rank) for rank in range(p.ranks)]


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


@planted("function", "solve", [5])
def more_iterations_of_one(p, x):
    own_loops(p, [40 if rank == 5 and x else 20 for rank in range(p.ranks)], lambda r, n: 5 + noise(r, n))


@planted("function", "solve", [2, 3])
def more_iterations_of_a_node(p, x):
    own_loops(p, [30 if rank // 2 == 1 and x else 18 + rank % 3 for rank in range(p.ranks)], lambda r, n: 5 + noise(r, n))


@planted("function", "fft", [6], also=("function", "solve", [2]))
def another_rank_in_a_second_loop(p, x, y=1):
    def outside(p):
        for n in range(STEPS):
            for rank in range(p.ranks):
                p.enter(rank, "post")
                p.compute(rank, "fft", 10 + noise(rank, n) + 8 * x * (rank == 6))
            p.allreduce()
            for rank in range(p.ranks):
                p.leave(rank, "post")
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + 6 * y * (r == 2)), outside)
    p.begin, p.end = [1000] * p.ranks, [p.clock(rank) for rank in range(p.ranks)]


# -- Files ----------------------------------------------------------------------------------------


@planted("files", "fwrite", named=[0, 4], says=[r"I/O"])
def aggregators(p, x):
    def write(p, n):
        for rank in (0, 4):
            p.compute(rank, "fwrite", 6 * x)
        p.barrier()
    loop(p, lambda r, n: 10 + noise(r, n), write)


@planted("files", "fwrite", says=[r"I/O"])
def all_write(p, x):
    loop(p, lambda r, n: 8 + noise(r, n), lambda p, n: every(p, "fwrite", lambda r: 4 * x))


@planted("files", "fwrite", when="4-19:5", says=[r"I/O"])
def checkpoints(p, x):
    def write(p, n):
        if n % 5 == 4:
            every(p, "fwrite", lambda r: 20 * x + noise(r, n))
    loop(p, lambda r, n: 5 + noise(r, n), write)


@planted("files", "fwrite", when="4-19:5", named=[0], says=[r"I/O", r"alone"])
def one_writes_each_fifth(p, x):
    def write(p, n):
        if n % 5 == 4:
            p.barrier()
            p.compute(0, "fwrite", 25 * x)
    loop(p, lambda r, n: 5 + noise(r, n), write)


@planted("files", "fwrite", says=[r"I/O"])
def three_checkpoints(p, x):
    def write(p, n):
        if n in (3, 5, 7):
            every(p, "fwrite", lambda r: 30 * x)
    loop(p, lambda r, n: 5 + noise(r, n), write, steps=30)


@planted("files", "fwrite", when="19", says=[r"I/O"])
def last_iteration_writes(p, x):
    def write(p, n):
        if n == 19:
            every(p, "fwrite", lambda r: 80 * x + noise(r, n))
    loop(p, lambda r, n: 10 + noise(r, n), write)


@planted("files", "fwrite", named=[2], says=[r"I/O"])
def one_writes_longer(p, x):
    """Without files all are gained, not only its part."""
    def write(p, n):
        every(p, "fwrite", lambda r: (3 + 10 * (r == 2)) * x)
        p.barrier()
    loop(p, lambda r, n: 10 + noise(r, n), write)


# -- The network ----------------------------------------------------------------------------------


@planted("network", says=[r"MPI_Allreduce"])
def many_small_collectives(p, x):
    def step(p, n):
        for _ in range(30):
            every(p, "dot", lambda r: 0.05)
            p.together("MPI_Allreduce", ALLREDUCE, latency=MS // 10 * x)
    p.run(STEPS, step)


@planted("network", says=[r"MPI_Allreduce"])
def growing_collectives(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 5 + noise(r, n))
        p.together("MPI_Allreduce", ALLREDUCE, latency=x * MS // 4 * (1 + n))
    p.run(STEPS, step)


@planted("network", says=[r"MPI_Allreduce"])
def slow_collectives_in_second_half(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n))
        p.together("MPI_Allreduce", ALLREDUCE, latency=x * (MS // 4 + (5 * MS if n >= 10 else 0)))
    p.run(STEPS, step)


@planted("network", says=[r"MPI_Allreduce"])
def nothing_but_collectives(p, x):
    p.run(STEPS, lambda p, n: (every(p, "step", lambda r: 0.001), p.together("MPI_Allreduce", ALLREDUCE, latency=MS * x)))


@planted("network", says=[r"MPI_(Send|Recv)"])
def messages_that_grow(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 10 + noise(r, n))
        for rank in range(0, p.ranks, 2):
            p.send(rank, rank + 1, size=50_000 * (1 + n), latency=MS // 4 * (1 + n) * x)
        p.allreduce()
    p.run(STEPS, step)


@planted("network", who=[4], says=[r"from and to rank 4"])
def one_with_more_messages(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 6 + noise(r, n))
        exchange(p)
        for rank in (0, 1, 2, 6, 7):
            p.send(rank, 4, size=100_000, latency=MS * x)
            p.send(4, rank, size=100_000, latency=MS * x)
        p.allreduce()
    p.run(STEPS, step)


@planted("network", who=[2, 3], says=[r"between rank 2 and rank 3"])
def slow_messages_of_one_pair_alone(p, x):
    """Nobody else sends any."""
    def step(p, n):
        every(p, "solve", lambda r: 8 + noise(r, n))
        p.send(2, 3, size=100_000, latency=3 * MS * x)
        p.send(3, 2, size=100_000, latency=3 * MS * x)
        p.allreduce()
    p.run(STEPS, step)


@planted("network", who=[5, 6], says=[r"between rank 5 and rank 6"])
def slow_messages_of_one_pair_beside_a_ring(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 8 + noise(r, n))
        for rank in range(p.ranks):
            p.post(rank, (rank - 1) % p.ranks)
            p.begin_send(rank, (rank + 1) % p.ranks)
        for rank in range(p.ranks):
            p.wait_all(rank)
        p.send(5, 6, size=100_000, latency=3 * MS * x)
        p.send(6, 5, size=100_000, latency=3 * MS * x)
        p.allreduce()
    p.run(STEPS, step)


@planted("network", who=[3, 4], says=[r"between rank 3 and rank 4"])
def slow_link_one_way(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 3)
        for rank in range(7):
            p.send(rank, rank + 1, size=100_000, latency=x * (2 * MS if rank == 3 else MS // 100))
        p.allreduce()
    p.run(STEPS, step)


@planted("network", who=[2, 3, 4, 5])
def slow_link_of_two_nodes(p, x):
    """Each rank of node 1 and each one of node 2."""
    def step(p, n):
        every(p, "solve", lambda r: 3)
        for rank, other in ((0, 1), (6, 7), (1, 2), (5, 6), (0, 7), (2, 4), (3, 5), (2, 5), (3, 4)):
            latency = 2 * MS if rank in (2, 3) and other in (4, 5) else MS // 100
            p.send(rank, other, size=100_000, latency=latency * x)
            p.send(other, rank, size=100_000, latency=latency * x)
        p.allreduce()
    p.run(STEPS, step)


@planted("network", says=[r"MPI_Bcast"])
def slow_bcast(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 5 + noise(r, n))
        for _ in range(200):
            p.bcast(2)
        p.allreduce()
    p.run(STEPS, step)


def overlap(p, transfer, compute, n):
    for rank in range(p.ranks):
        p.post(rank, (rank + 1) % p.ranks)
        p.begin_send(rank, (rank - 1) % p.ranks, 100_000, transfer)
    every(p, "interior", lambda r: compute + noise(r, n))
    for rank in range(p.ranks):
        p.wait_all(rank)
    every(p, "border", lambda r: 2)
    p.allreduce()


@planted("network", says=[r"MPI_Waitall"])
def transfer_longer_than_what_hides_it(p, x):
    p.run(STEPS, lambda p, n: overlap(p, 12 * MS * x, 6, n))


@planted("network", says=[r"MPI_(Send|Recv)"], ranks=2)
def slow_messages_of_two(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 5)
        p.send(0, 1, size=1_000_000, latency=3 * MS * x)
        p.send(1, 0, size=1_000_000, latency=3 * MS * x)
    p.run(STEPS, step)


# -- Threads --------------------------------------------------------------------------------------


@planted("function", "kernel", [2], ranks=4, threads=4)
def all_threads_of_one_rank(p, x):
    p.run(STEPS, of_threads(lambda r, n: [10 + noise(t, n) + 10 * x * (r == 2) for t in range(4)]))


@planted("thread", "kernel", says=[r"rank 5 thread 3"], ranks=8, threads=8)
def one_thread_of_one_rank(p, x):
    p.run(STEPS, of_threads(lambda r, n: [10 + noise(t, n) + 6 * x * ((r, t) == (5, 3)) for t in range(8)]))


@planted("thread", "kernel", says=[r"rank 5 threads? 4-7"], ranks=8, threads=8)
def half_of_the_threads_of_one_rank(p, x):
    p.run(STEPS, of_threads(lambda r, n: [10 + noise(t, n) + 6 * x * (r == 5 and t >= 4) for t in range(8)]))


@planted("openmp", "kernel", says=[r"OpenMP", r"thread 3 of each rank"], ranks=4, threads=4)
def same_thread_of_each_rank(p, x):
    p.run(STEPS, of_threads(lambda r, n: [10 + noise(t, n) + 8 * x * (t == 3) for t in range(4)]))


@planted("openmp", "kernel", says=[r"OpenMP", r"now one, now another"], ranks=4, threads=4)
def another_thread_in_each_iteration(p, x):
    """All threads compute as long in all."""
    p.run(STEPS, of_threads(lambda r, n: [10 + (8 * (t == (n + r) % 4) if x else 2) for t in range(4)]))


@planted("openmp", "kernel", says=[r"OpenMP", r"now one, now another"], ranks=1, threads=8)
def random_thread_of_one_rank(p, x):
    chosen = random.Random(3)
    slow = [chosen.randrange(8) for _ in range(STEPS)]
    p.run(STEPS, of_threads(lambda r, n: [10 + (12 * (t == slow[n]) if x else 1.5) for t in range(8)]))


@planted("openmp", "kernel", says=[r"OpenMP", r"main thread of rank 0 computes"], ranks=1, threads=8)
def master_of_one_rank(p, x):
    p.run(STEPS, of_threads(lambda r, n: [10 + noise(t, n) + 9 * x * (t == 0) for t in range(8)]))


@planted("openmp", "kernel", says=[r"OpenMP"], ranks=4, threads=8)
def static_schedule_of_uneven_work(p, x):
    p.run(STEPS, of_threads(lambda r, n: [6 + 1.5 * (t if x else 3.5) for t in range(8)]))


@planted("function", "assemble", [5], ranks=8, threads=4)
def serial_part_on_one_rank(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, "assemble", 1 + 6 * x * (rank == 5))
            p.parallel(rank, "kernel", [10 + noise(t, n) for t in range(p.threads)])
        p.allreduce()
    p.run(STEPS, step)


@planted("openmp", "assemble", says=[r"OpenMP", r"outside of parallel"], ranks=1, threads=8)
def serial_part_without_mpi(p, x):
    def step(p, n):
        p.compute(0, "assemble", 3 if x else 3 / 8)
        p.parallel(0, "kernel", [10 + noise(t, n) for t in range(8)])
    p.run(STEPS, step)


@planted("openmp", says=[r"OpenMP", r"threads 2, 3"], ranks=2, threads=4)
def two_idle_threads(p, x):
    p.run(STEPS, of_threads(lambda r, n: [10 if t < 2 else 0.1 for t in range(4)] if x else [5.05] * 4))


@planted("openmp", says=[r"!\$omp critical"], ranks=2, threads=4)
def locks(p, x):
    """Each thread is in the critical region for 2 ms, one after the other."""
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, "prepare", 0.2)
            begin = p.clock(rank)
            own = [begin + (2 + 2 * t * x) * MS for t in range(4)]
            end = max(own) + 2 * MS
            for t in range(4):
                p.record(rank, t, ("!$omp parallel @solve.c:10", begin, end, (
                    ("kernel", begin, begin + 2 * MS, ()),
                    ("!$omp critical @solve.c:15", begin + 2 * MS, own[t] + 2 * MS,
                     (("update", own[t], own[t] + 2 * MS, ()),)),
                    ("!$omp implicit barrier @solve.c:20", own[t] + 2 * MS, end, ()))))
            p.go_to(rank, end)
        p.allreduce()
    p.run(STEPS, step)


@planted("iterations", "kernel", when="7", ranks=4, threads=4)
def slow_iteration_of_threads(p, x):
    p.run(STEPS, of_threads(lambda r, n: [10 + noise(t, n) + 60 * x * (n == 7) for t in range(4)]))


# -- Accelerators ---------------------------------------------------------------------------------


def of_streams(kernel, host=lambda rank, n: 1, name="axpy"):
    def step(p, n):
        for rank in range(p.ranks):
            p.launch(rank, name, kernel(rank, n))
            p.compute(rank, "prepare", host(rank, n))
            p.synchronise(rank)
        p.allreduce()
    return step


@planted("function", "cudaStreamSynchronize", [3], streams=1, ranks=8)
def slow_kernel_on_one_rank(p, x):
    p.run(STEPS, of_streams(lambda r, n: 6 + 5 * x * (r == 3)))


@planted("function", "prepare", [2], streams=1, ranks=8)
def slow_host_beside_kernels(p, x):
    """Of which some are hidden behind what the host computes."""
    p.run(STEPS, of_streams(lambda r, n: 4, lambda r, n: 5 + 6 * x * (r == 2)))


@planted("accelerator", "cudaMemcpy", says=[r"cudaMemcpy"], streams=1, ranks=4)
def copies(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, "cudaMemcpy", 6 * x)
        of_streams(lambda r, n: 1)(p, n)
    p.run(STEPS, step)


@planted("accelerator", "load_batch", streams=2, ranks=4,
         says=[r"idle: the 4 accelerators do nothing for 8\d % .* in 99\.\d % of that their hosts are in load_batch, called by timestep"])
def idle_while_hosts_read(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, "load_batch", 6 * x)
            p.launch(rank, "axpy", 1)
            p.launch(rank, "dot", 1, stream=1)
            p.synchronise(rank)
    p.run(STEPS, step)


@planted("accelerator", "assemble", streams=1, ranks=4,
         says=[r"idle: the 4 accelerators do nothing for 8\d % .* their hosts are in assemble, called by timestep"])
def idle_while_hosts_compute(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, "assemble", 6 * x)
        of_streams(lambda r, n: 1, lambda r, n: 0.1)(p, n)
    p.run(STEPS, step)


@planted("accelerator", "cudaMemcpy", streams=1, ranks=4,
         says=[r"copies: 8\d % of the time of the 4 accelerators, none of that while kernels run"])
def copies_behind_kernels(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            if x:
                p.copy(rank, 6)
                p.synchronise(rank, "cudaMemcpy")
        of_streams(lambda r, n: 1)(p, n)
    p.run(STEPS, step)


@planted("even", streams=2, ranks=4, says=[r"copies: 50 % of the time of the 4 accelerators, 100 % of that while kernels run"])
def copies_beside_kernels(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            p.launch(rank, "axpy", 6)
            p.copy(rank, 3, stream=1)
            p.compute(rank, "prepare", 6)
            p.synchronise(rank)
        p.allreduce()
    p.run(STEPS, step)


@planted("function", "host_solve", [3], says=[r"alone"], streams=1, ranks=4)
def one_computes_on_its_host(p, x):
    def step(p, n):
        for rank in range(p.ranks):
            if rank == 3:
                p.compute(rank, "host_solve", 5 + 7 * x)
            else:
                p.launch(rank, "axpy", 5)
                p.synchronise(rank)
            p.compute(rank, "prepare", 1)
        p.allreduce()
    p.run(STEPS, step)


@planted("iterations", "cudaStreamSynchronize", when="11", streams=1, ranks=4)
def slow_iteration_of_kernels(p, x):
    p.run(STEPS, of_streams(lambda r, n: 6 + 60 * x * (n == 11)))


# -- Without a cause ------------------------------------------------------------------------------


def noisy(p, x, share, steps=STEPS, seed=3, draw=lambda chosen: chosen.gauss(0, 1)):
    """Without the noise all compute as long as the median does, in each iteration."""
    chosen = random.Random(seed)
    times = [[10 * max(1 + share * draw(chosen), 0.2) for _ in range(p.ranks)] for _ in range(steps)]
    loop(p, lambda r, n: times[n][r] if x else statistics.median(times[n]), steps=steps)


@planted("even")
def noise_of_a_hundredth(p, x):
    noisy(p, x, 0.003)


@planted("noise", "solve")
def noise_of_3_percent(p, x):
    noisy(p, x, 0.03)


@planted("noise", "solve")
def noise_of_10_percent(p, x):
    noisy(p, x, 0.1)


@planted("noise", "solve")
def noise_of_30_percent(p, x):
    noisy(p, x, 0.3)


@planted("noise", "solve", ranks=2)
def noise_of_two(p, x):
    noisy(p, x, 0.1)


@planted("noise", "solve", ranks=4)
def large_noise_of_four(p, x):
    noisy(p, x, 0.3)


@planted("noise", "solve", ranks=100, per_node=10)
def noise_of_hundred(p, x):
    noisy(p, x, 0.1, 8)


@planted("noise", "solve", ranks=16)
def noise_with_a_long_tail(p, x):
    noisy(p, x, 0.2, draw=lambda chosen: chosen.expovariate(1))


@planted("noise", "solve")
def noise_with_a_longer_tail(p, x):
    noisy(p, x, 0.1, draw=lambda chosen: chosen.paretovariate(1.5) - 1)


@planted("noise", "solve")
def noise_in_one_iteration(p, x):
    noisy(p, x, 0.1, 1)


@planted("noise", "solve", ranks=16)
def noise_of_16_in_one_iteration(p, x):
    noisy(p, x, 0.1, 1, 14)


@planted("noise", "solve")
def noise_in_two_iterations(p, x):
    noisy(p, x, 0.1, 2, 5)


@planted("noise", "solve")
def noise_in_two_iterations_with_one_rank_above(p, x):
    noisy(p, x, 0.1, 2, 14)


@planted("noise", "solve", ranks=16)
def noise_of_16_in_two_iterations(p, x):
    noisy(p, x, 0.1, 2, 6)


@planted("noise", "solve")
def noise_in_three_iterations(p, x):
    noisy(p, x, 0.05, 3, 5)


@planted("noise", "solve", ranks=16)
def noise_in_five_iterations(p, x):
    noisy(p, x, 0.1, 5, 7)


@planted("noise", "solve", ranks=16)
def noise_of_2_percent_in_three_iterations(p, x):
    noisy(p, x, 0.02, 3, 2)


@planted("noise", "solve", ranks=4)
def noise_of_four_in_four_iterations(p, x):
    noisy(p, x, 0.1, 4, 4)


@planted("noise", "solve", ranks=16)
def noise_of_16_in_ten_iterations(p, x):
    noisy(p, x, 0.02, 10, 3)


@planted("noise", "solve", ranks=4)
def noise_with_a_longer_tail_in_six_iterations(p, x):
    noisy(p, x, 0.1, 6, 5, lambda chosen: chosen.paretovariate(1.5) - 1)


@planted("noise", "solve", ranks=16)
def noise_with_a_long_tail_in_three_iterations(p, x):
    noisy(p, x, 0.2, 3, 3, lambda chosen: chosen.expovariate(1))


@planted("noise", "solve", ranks=16)
def noise_with_a_longer_tail_in_ten_iterations(p, x):
    noisy(p, x, 0.1, 10, 3, lambda chosen: chosen.paretovariate(1.5) - 1)


@planted("noise", "solve")
def noise_of_other_numbers_of_iterations(p, x):
    chosen = random.Random(3)
    times = [[10 * (1 + 0.1 * chosen.gauss(0, 1)) for _ in range(21 if rank == 0 else 20)] for rank in range(p.ranks)]
    median = sorted(map(sum, times))[p.ranks // 2 - 1]
    own_loops(p, [len(own) if x else 20 for own in times], lambda r, n: times[r][n] if x else median / 20)


@planted("even", ranks=2)
def even_pair(p, x):
    loop(p, lambda r, n: 10 + noise(r, n))


@planted("even", ranks=100, per_node=10)
def even_hundred(p, x):
    loop(p, lambda r, n: 10 + noise(r, n), steps=8)


@planted("even")
def even_with_two_kinds_of_iterations(p, x):
    def more(p, n):
        if n % 2:
            every(p, "radiation", lambda r: 10)
    loop(p, lambda r, n: 5 + noise(r, n), more)


@planted("even")
def even_phases_of_two_halves(p, x):
    """Another function, and as long."""
    p.run(STEPS, lambda p, n: (every(p, "relax" if n < 10 else "solve", lambda r: 10 + noise(r, n)), p.allreduce()))


@planted("even")
def even_with_hidden_transfer(p, x):
    p.run(STEPS, lambda p, n: overlap(p, 6 * MS, 12, n))


@planted("even", ranks=16, per_node=4)
def even_rows_and_columns(p, x):
    rows, columns = rows_and_columns(p)

    def step(p, n):
        for communicators in (rows, columns):
            every(p, "fft", lambda r: 6 + noise(r, n) / 2)
            for communicator in communicators:
                p.together("MPI_Allreduce", ALLREDUCE, communicator=communicator)
    p.run(STEPS, step)


@planted("even", ranks=4, threads=4)
def even_threads(p, x):
    p.run(STEPS, of_threads(lambda r, n: [20 + noise(t, n) for t in range(4)]))


@planted("even", streams=1, ranks=4)
def even_streams(p, x):
    """Kernels are hidden behind what hosts compute."""
    p.run(STEPS, of_streams(lambda r, n: 8 + noise(r, n), lambda r, n: 10 + noise(r, n)))


# -- Coupled programs, slow ends of many messages, and several kinds of long iterations -------------


def coupled(p, longer):
    """Two halves that do different things at the same time."""
    half = p.ranks // 2

    def step(p, n):
        for rank in range(p.ranks):
            p.compute(rank, "flux" if rank < half else "chemistry", 10 + noise(rank, n) + longer(rank))
        exchange(p)
        p.allreduce()
    p.run(STEPS, step)


@planted("even")
def even_coupled_halves(p, x):
    coupled(p, lambda r: 0)


@planted("function", "chemistry", [6])
def one_of_a_coupled_half(p, x):
    coupled(p, lambda r: 5 * x * (r == 6))


@planted("network", who=[5], says=[r"MPI_Waitall"], ranks=12)
def slow_ends_of_one_in_a_ring(p, x):
    def step(p, n):
        every(p, "solve", lambda r: 5 + noise(r, n))
        sides = [(rank, (rank + side) % p.ranks) for rank in range(p.ranks) for side in (1, -1)]
        for rank, other in sides:
            p.post(rank, other)
        for rank, other in sides:
            p.begin_send(rank, other, latency=3 * MS * x if 5 in (rank, other) else MS // 200)
        for rank in range(p.ranks):
            p.wait_all(rank)
        p.allreduce()
    p.run(STEPS, step)


@planted("function", "solve", [5], ranks=12, tick=MS // 50)
def calls_that_end_in_one_tick(p, x):
    """Messages take a quarter of a tick: those of all ranks seem to wait for each other."""
    def step(p, n):
        every(p, "solve", lambda r: 2 + 2 * x * (r == 5) + ((r * 7 + n * 3) % 11) * 0.01)
        sides = [(rank, (rank + side) % p.ranks) for rank in range(p.ranks) for side in (1, -1)]
        for rank, other in sides:
            p.post(rank, other)
        for rank, other in sides:
            p.begin_send(rank, other)
        for rank in range(p.ranks):
            p.wait_all(rank)
        p.allreduce()
    p.run(STEPS, step)


@planted("iterations", "restart", when="4-39:5")
def every_fifth_and_a_slow_first_one(p, x):
    def more(p, n):
        every(p, "restart", lambda r: 8 * x * (n % 5 == 4))
        every(p, "regrid", lambda r: 12 * (n == 0))
    loop(p, lambda r, n: 10 + noise(r, n), more, steps=40)


@planted("iterations", "refine")
def long_iterations_in_no_order(p, x):
    long = random.Random(7).sample(range(40), 7)
    loop(p, lambda r, n: 10 + noise(r, n), lambda p, n: every(p, "refine", lambda r: 10 * x * (n in long)), steps=40)


@planted("openmp", "kernel", says=[r"OpenMP", r"threads 2, 3 of each rank"], ranks=4, threads=4)
def two_threads_of_each_rank(p, x):
    p.run(STEPS, of_threads(lambda r, n: [10 + noise(t, n) + 6 * x * (t > 1) for t in range(4)]))


# -- What is checked --------------------------------------------------------------------------------

# What is told of these is wrong, and how. They are run: one that is right is to be taken from here.
KNOWN_WRONG = {
    "no_communication": "no amount",
}

# The loss of the finding.
NOT_PLAYED = {"openmp": "openmp", "accelerator": "accelerator", "thread": "load_balance", "less": "load_balance"}


def check_told(kind, run, gained, also_gained):
    """What is wrong in a summary, where the cause gains so many seconds."""
    finding, gains, text = run["finding"], run["gains"], "\n".join(run["headline"])
    faults = [f"does not say '{words}'" for words in kind.says if not re.search(words, text)]
    if kind.kind in ("even", "noise"):
        faults += check_nothing_invented(kind, run, gained)
        return faults
    if kind.kind in NOT_PLAYED:
        if finding["loss"] != NOT_PLAYED[kind.kind]:
            faults.append(f"the loss is {finding['loss']}")
    else:
        right = [gain for gain in gains if is_gain(gain, kind.gain, gained, BOUND) and gain["iterations"] == kind.when]
        if not right:
            faults.append(f"no gain is {kind.gain} in '{kind.when}' of {gained:.4f} s")
    costs = finding.get("cost_s")
    if kind.kind == "accelerator":  # a share of the time, and no more
        costs = finding["share"] * run["runtime_s"]
    if costs is None:
        faults.append("no amount is told")
    elif abs(costs - gained) > BOUND * gained:
        faults.append(f"costs {costs:.4f} s, and should {gained:.4f} s")
    if kind.kind not in ("thread", "openmp") and finding["who"] != [f"rank {rank}" for rank in kind.named]:
        faults.append(f"names {finding['who']}, not {kind.named}")
    if kind.function and kind.function not in text:
        faults.append(f"does not say {kind.function}")
    if kind.also and not any(is_gain(gain, kind.also, also_gained, BOUND) for gain in gains):
        faults.append(f"no gain is {kind.also} of {also_gained:.4f} s")
    return faults


def check_nothing_invented(kind, run, gained):
    faults, text = [], "\n".join(run["headline"])
    named = re.search(r"\branks? \d|\bthread \d|iterations? \d|become|every \d|node\d", text)
    if named or run["finding"]["who"] or any(gain["who"] or gain["iterations"] for gain in run["gains"]):
        faults.append(f"names {named and named[0]}, {run['gains']}")
    if kind.kind == "even":
        return faults + ([] if "no loss is" in text and not run["gains"] else ["a loss is told"])
    for gain in run["gains"]:
        # Some iterations are longer than others by chance, and may be so, as long as none of them is named.
        if gain["kind"] not in ("function", "computation", "iterations"):
            faults.append(f"tells a gain by {gain['kind']}")
        elif gain["kind"] != "iterations" and abs(gain["seconds"] - gained) > BOUND * gained:
            faults.append(f"gains {gain['seconds']:.4f} s, and should {gained:.4f} s")
    return faults


def check(tracefold, kind, folder):
    trace = folder / "trace" / "traces.otf2"
    program = kind.make(folder / "trace", 1)
    gained = (program.runtime() - kind.make(folder / "without", 0).runtime()) / 1e9
    also_gained = 0
    if kind.also:
        also_gained = (program.runtime() - kind.make(folder / "without_also", 1, 0).runtime()) / 1e9
    if fault := reduce(tracefold, trace, folder / "reduced"):
        return [fault], ""
    faults, said = [], []
    for what, archive in (("trace", trace), ("reduced", folder / "reduced" / "traces.otf2")):
        run, fault = summarize(tracefold, archive)
        if not run:
            return faults + [fault], ""
        told = check_told(kind, run, gained, also_gained)
        said.append("\n".join(run["headline"]))
        faults += [f"{what}: {fault}" for fault in told]
        if told:
            faults.append(f"{what}: gains {[{k: v for k, v in gain.items() if k != 'share'} for gain in run['gains']]}")
    if faults and said[1] != said[0]:
        faults.append("reduced: " + said[1])
    return faults, said[0]


def main():
    tracefold, names = sys.argv[1], sys.argv[2:]
    assert KNOWN_WRONG.keys() <= {kind.__name__ for kind in KINDS}
    chosen = [kind for kind in KINDS if not names or kind.__name__ in names]
    wrong = [kind for kind in chosen if kind.__name__ in KNOWN_WRONG]
    right = [kind for kind in chosen if kind not in wrong]
    bad = check_causes(right, lambda kind, folder: check(tracefold, kind, folder))
    mended = len(wrong) - check_causes(wrong, lambda kind, folder: check(tracefold, kind, folder), "known")
    print(f"{len(chosen)} programs: {len(right) - bad} right, {bad} wrong, {len(wrong)} in KNOWN_WRONG, "
          f"of which {mended} are right")
    return 1 if bad or mended else 0


if __name__ == "__main__":
    sys.exit(main())
