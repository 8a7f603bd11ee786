"""Balanced and noisy programs. See planted_kinds.py."""

import random
import statistics

from planted_checks import STEPS, noise, of_threads
from planted_kind import every, loop, of_streams, overlap, own_loops, planted, rows_and_columns
from simulated_program import ALLREDUCE, MS


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
