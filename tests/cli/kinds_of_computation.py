"""Programs with ranks or iterations that compute longer than others. See planted_kinds.py."""

import random

from planted_checks import STEPS, exchange, noise, of_threads
from planted_kind import every, in_noise, loop, planted
from simulated_program import ALLREDUCE, ALLTOALL, MS


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
