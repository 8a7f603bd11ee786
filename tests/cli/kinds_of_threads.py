"""Programs with threads and accelerators. See planted_kinds.py."""

import random

from planted_checks import STEPS, noise, of_threads
from planted_kind import of_streams, planted
from simulated_program import MS


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
