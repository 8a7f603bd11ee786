#!/usr/bin/env python3
"""Checks that `tracefold summary` names the cause of what is slow, in its first sentence.

usage: planted_causes.py TRACEFOLD [CAUSE…]

Makes traces with one planted cause each, whose truth is known: what ranks compute, how long they wait
for each other, and how long that takes on a network without latency. The first sentence has to name
the loss and whom it is of, and load balance, serialisation and transfer are those of the truth to
0.001; of a reduced trace to 1 %. How long a program takes on an ideal network is the time of a second
one, in which nothing has latency. Shares no code with tracefold.
"""

import html
import json
import pathlib
import re
import subprocess
import sys

from planted_checks import STEPS, check_causes, is_gain, noise, of_threads, reduce, steps_with, summarize
from simulated_program import ALLREDUCE, MS, Program, StreamProgram

def imbalance_of_one(folder, longer=8):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if r == 3 else 0)))
    p.slow_rank = 3
    return p, [r"load balance", r"\brank 3\b", r"solve"]


def imbalance_of_group(folder, longer=6):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if r in (1, 4, 6) else 0)))
    return p, [r"load balance", r"\branks 1, ?4, ?6|ranks 1,4,6|ranks 1, 4, 6", r"solve"]


def slow_node(folder, longer=6):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if r // 2 == 2 else 0)))
    return p, [r"load balance", r"node02", r"ranks 4-5|ranks 4, 5"]


def idle_node(folder):
    p = Program(folder, per_node=4)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) if r < 4 else 0.5))
    return p, [r"load balance", r"ranks 4-7", r"have little to compute", r"solve"]


def idle_half(folder):
    p = Program(folder, ranks=6)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) if r % 2 else 0.5))
    return p, [r"load balance", r"ranks 0,2,4", r"have little to compute", r"solve"]


def late_begin(folder, longer=300):
    """One rank begins the loop late, where the others wait for it."""
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n)), before=lambda p: p.compute(3, "load_mesh", longer))
    return p, [r"between MPI_Init and MPI_Finalize", r"rank 3\b", r"load_mesh"]


def imbalance_of_thread(folder, longer=6):
    p = Program(folder, ranks=4, threads=4)
    p.run(STEPS, of_threads(lambda r, n: [10 + longer if (r, t) == (2, 1) else 10 + noise(t, n) for t in range(4)]))
    return p, [r"rank 2 thread 1", r"kernel"]


def imbalance_of_same_thread(folder):
    p = Program(folder, ranks=4, threads=4)
    p.run(STEPS, of_threads(lambda r, n: [18 if t == 3 else 10 + noise(t, n) for t in range(4)]))
    return p, [r"OpenMP", r"thread 3"]


def idle_thread(folder):
    p = Program(folder, ranks=4, threads=4)
    p.run(STEPS, of_threads(lambda r, n: [None if (r, t) == (1, 2) else 10 + noise(t, n) for t in range(4)]))
    return p, [r"OpenMP", r"rank 1 thread 2", r"idle"]


def serial_part(folder):
    p = Program(folder, ranks=4, threads=4)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "assemble", 12)
            p.parallel(rank, "kernel", [4] * 4)
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"OpenMP", r"assemble", r"outside of parallel"]


def late_sender(folder, longer=10):
    """Rank 2 computes as long as others, but before it sends."""
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 5 + noise(rank, number))
        p.compute(2, "pack", longer)
        for rank in (5, 6):
            p.send(2, rank)
        for rank in range(p.ranks):
            if rank != 2:
                p.compute(rank, "finish", 10)
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"rank 2 alone is in pack", r"late sender", r"MPI_Recv"]


def late_sender_to_some(folder, longer=8):
    """Those that wait for it come last at the end of the iteration, all of them equally late."""
    p = Program(folder, ranks=12)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 5 + noise(rank, number))
        p.compute(6, "pack", longer)
        for rank in (1, 2, 3):
            p.send(6, rank)
        for rank in range(p.ranks):
            if rank != 6:
                p.compute(rank, "finish", 8 + noise(rank, number))
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"rank 6 alone is in pack", r"late sender", r"MPI_Recv"]


def chain_of_late_senders(folder):
    """Each computes when it has what the one before sends: a pipeline."""
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "sweep", 5)
            if rank + 1 < p.ranks:
                p.send(rank, rank + 1)
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"serialisation", r"one after the other", r"0 → 1 → 2"]


def late_receiver(folder, longer=10):
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 5 + noise(rank, number))
        p.compute(6, "unpack", longer)
        for rank in (0, 1):
            p.send_synchronously(rank, 6)
        for rank in range(p.ranks):
            if rank != 6:
                p.compute(rank, "finish", 10)
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"rank 6 alone is in unpack", r"late receiver", r"MPI_Ssend"]


def late_root(folder, longer=8):
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 5 + noise(rank, number))
        p.compute(1, "read_parameters", longer)
        p.bcast(1)
        for rank in range(p.ranks):
            if rank != 1:
                p.compute(rank, "finish", 8)
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"rank 1\b", r"MPI_Bcast", r"root"]


def late_root_that_computes_more(folder, longer=8):
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 5 + noise(rank, number))
        p.compute(1, "read_parameters", longer)
        p.bcast(1)
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"rank 1\b", r"MPI_Bcast", r"root", "read_parameters"]


def last_at_barrier(folder):
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 5 + noise(rank, number) + (6 if rank == 5 else 0))
        p.barrier()
        for rank in range(p.ranks):
            p.compute(rank, "finish", 8 - (6 if rank == 5 else 0))
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"rank 5\b", r"last", r"MPI_Barrier"]


def last_at_gather(folder, longer=9):
    """The root waits for one, and then all wait for the root."""
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 5 + noise(rank, number))
        p.compute(5, "statistics", longer)
        p.gather(0)
        for rank in range(p.ranks):
            if rank != 5:
                p.compute(rank, "finish", 9)
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"rank 5\b", r"last", r"MPI_Gather", r"statistics"]


def slow_iteration(folder, longer=90):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if n == 12 else 0)))
    return p, [r"iteration 12\b"]


def slow_iteration_of_one(folder, longer=90):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if n == 7 and r == 4 else 0)))
    return p, [r"iteration 7\b", r"rank 4\b"]


def another_slow_rank_in_each(folder, longer=8):
    """All compute as long in all."""
    p = Program(folder, ranks=10)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if r == n % 10 else 0)))
    return p, [r"solve is uneven, and the slowest rank changes again and again"]


def slower_iterations(folder):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + 0.6 * n))
    return p, [r"iterations become slower"]


def slower_from_one_on(folder, longer=4):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if n >= 9 else 0)))
    return p, [r"iterations become slower at iteration 9\b"]


def faster_iterations(folder):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + 0.6 * (STEPS - n)))
    return p, [r"iterations become faster, from"]


def slow_first_half(folder, longer=5):
    """Caches are warm from iteration 10 on."""
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if n < 10 else 0)))
    return p, [r"iterations become faster at iteration 10\b", r"from 15\.?\d* ms to 10"]


def warm_up(folder, longer=20):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if n < 3 else 0)))
    return p, [r"iterations become faster at iteration 3\b"]


def waits_for_kernel(folder):
    """Of two kernels one takes long, and hosts do little else than wait."""
    p = StreamProgram(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.launch(rank, "axpy", 1)
            p.launch(rank, "stencil", 8)
            p.compute(rank, "prepare", 1)
            p.synchronise(rank)
        p.allreduce()
    p.run(STEPS, step)
    p.only_original = [r"kernel stencil on 4 streams"]
    return p, [r"accelerators", r"cudaStreamSynchronize"]


def waits_for_kernel_of_one_stream(folder):
    p = StreamProgram(folder, ranks=1, streams=3)

    def step(p, number):
        for stream in range(3):
            p.launch(0, "dot" if stream == 1 else "axpy", 9 if stream == 1 else 2, stream)
        p.synchronise(0, "cudaDeviceSynchronize", 1)
        p.compute(0, "prepare", 1)
        p.allreduce()
    p.run(STEPS, step)
    p.only_original = [r"kernel dot on CUDA\[0:8\]"]
    return p, [r"accelerator", r"cudaDeviceSynchronize"]


def slow_kernel_of_one_rank(folder):
    """The others wait for a rank that waits for its accelerator."""
    p = StreamProgram(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.launch(rank, "stencil", 12 if rank == 2 else 6)
            p.compute(rank, "prepare", 4)
            p.synchronise(rank)
        p.allreduce()
    p.run(STEPS, step)
    p.only_original = [r"kernel stencil on CUDA\[0:7\] of rank 2"]
    return p, [r"load balance", r"rank 2\b", r"cudaStreamSynchronize"]


def train(kernel, host=lambda rank: 1):
    """A step computes on all accelerators and adds up gradients there; hosts only wait."""
    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "load_batch", host(rank))
            for stream in range(p.streams):
                p.launch(rank, "gemm", kernel(rank), stream)
        for stream in range(p.streams):
            p.meet_on_streams("ncclDevKernel_AllReduce_Sum_f16_RING_LL", 1, stream)
        for rank in range(p.ranks):
            for stream in range(p.streams):
                p.synchronise(rank, stream=stream)
    return step


def slow_accelerator_before_collective(folder, kernel=9):
    """Collective operations on accelerators: who comes last to them makes all others wait there."""
    p = StreamProgram(folder, ranks=8)
    p.run(STEPS, train(lambda rank: kernel if rank == 5 else 5))
    return p, [r"accelerators wait for rank 5\b", r"ncclDevKernel_AllReduce", r"3[67] % less", r"kernel gemm: 180 ms on rank 5"]


def slow_accelerators_of_one_rank(folder, kernel=9):
    """Each rank has four streams, which meet those of other ranks."""
    p = StreamProgram(folder, ranks=4, streams=4)
    p.run(STEPS, train(lambda rank: kernel if rank == 1 else 5))
    return p, [r"accelerators wait for rank 1\b", r"3[67] % less", r"kernel gemm: 180 ms on rank 1"]


def slow_host_before_collective(folder, host=6):
    p = StreamProgram(folder, ranks=8)
    p.run(STEPS, train(lambda rank: 5, lambda rank: host if rank == 2 else 1))
    return p, [r"accelerators wait for rank 2\b", r"ncclDevKernel_AllReduce", r"4[12] % less", r"load_batch, called by timestep: 12[01] ms on rank 2"]


def hidden_wait_in_copy(folder):
    """A copy that waits for the kernel before it."""
    p = StreamProgram(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.launch(rank, "stencil", 6)
            p.synchronise(rank, "cudaMemcpy")
            p.compute(rank, "prepare", 1)
        p.allreduce()
    p.run(STEPS, step)
    p.only_original = [r"accelerator", r"cudaMemcpy", r"kernel stencil on 4 streams"]
    return p, []


def idle_streams(folder):
    """Hosts do the work, and streams little."""
    p = StreamProgram(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.launch(rank, "axpy", 0.5)
            p.compute(rank, "assemble", 10)
            p.synchronise(rank)
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"accelerator", r"streams compute only (4|5)\.\d %", r"assemble"]


def serial_io(folder, longer=12):
    p = Program(folder)

    def write(p, number):
        p.compute(0, "fwrite", longer)
        p.barrier()
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n), write))
    return p, [r"I/O", r"rank 0\b", r"alone", r"fwrite"]


def slow_io_of_node(folder):
    p = Program(folder)

    def write(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "fwrite", (14 if rank // 2 == 2 else 2) + noise(rank, number))
    p.run(STEPS, steps_with(lambda r, n: 8 + noise(r, n), write))
    return p, [r"I/O", r"node02", r"ranks 4-5", r"fwrite"]


def serial_mpi_io(folder, longer=12):
    p = Program(folder)

    def write(p, number):
        begin = p.clock(0)
        p.compute(0, "MPI_File_write", longer)
        p.mpi[0] += p.clock(0) - begin
        p.file[0] += p.clock(0) - begin
        p.barrier()
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n), write))
    return p, [r"I/O", r"rank 0\b", r"alone", r"MPI_File_write"]


def serial_io_behind_the_loop(folder):
    """More is lost there than in the loop."""
    p = Program(folder)

    def write(p):
        p.compute(0, "fwrite", 150)
        p.barrier()
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n)), write)
    return p, [r"between MPI_Init and MPI_Finalize", r"I/O", r"rank 0\b", r"alone", r"fwrite"]


def small_messages(folder):
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 2)
        for _ in range(40):
            sent = [p.clock(rank) for rank in range(p.ranks)]
            for rank in range(p.ranks):
                right = (rank + 1) % p.ranks
                p.call(rank, "MPI_Send", sent[rank] + MS // 20 * p.network, 0, ("MpiSend", right, 0, 1, 8))
            for rank in range(p.ranks):
                left = (rank - 1) % p.ranks
                p.call(rank, "MPI_Recv", p.clock(rank) + MS // 20 * p.network, sent[left], ("MpiRecv", left, 0, 1, 8))
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"transfer", r"small messages", r"MPI_(Send|Recv)"]


def slow_collective(folder):
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 4)
        p.together("MPI_Allreduce", ALLREDUCE, latency=8 * MS)
    p.run(STEPS, step)
    return p, [r"transfer", r"MPI_Allreduce"]


def every_eighth_iteration(folder, longer=6):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 2 + noise(r, n), lambda p, n: [p.compute(r, "regrid", longer) for r in range(p.ranks)]
                            if n % 6 == 5 else None))
    return p, [r"every 6th iteration", r"regrid"]


def some_iterations_of_one(folder, longer=8):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 3 + noise(r, n) + (longer if r == 4 and 10 <= n < 13 else 0)))
    return p, [r"load balance", r"rank 4\b", r"for solve in iterations 10-12"]


def slow_link(folder):
    """Between ranks 3 and 4."""
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 3)
        for rank in range(p.ranks - 1):
            for ends in ((rank, rank + 1), (rank + 1, rank)):
                p.send(*ends, size=100_000, latency=MS if rank == 3 else MS // 100)
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"transfer", r"messages between rank 3 and rank 4"]


def slow_under_one_caller(folder, longer=8):
    """Of two callers of one function, with a barrier between."""
    p = Program(folder)

    def step(p, number):
        for caller in ("predict", "correct"):
            for rank in range(p.ranks):
                p.enter(rank, caller)
                p.compute(rank, "flux", 5 + noise(rank, number) + (longer if rank == 6 and caller == "correct" else 0))
                p.leave(rank, caller)
            p.barrier()
    p.run(STEPS, step)
    return p, [r"load balance", r"rank 6 takes .* for flux", r"called by correct"]


def growing_messages(folder):
    """Iterations become slower, and no computation does."""
    p = Program(folder)

    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", 5)
        for rank in range(0, p.ranks, 2):
            p.send(rank, rank + 1, size=50_000 * (number + 1), latency=MS // 4 * (number + 1))
        p.allreduce()
    p.run(STEPS, step)
    return p, [r"transfer"]


def one_late_twice(folder, longer=30):
    """Two more are a bit late: what is gained is of the one who is named."""
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n) + (longer if r == 3 else 3 if r == 6 else 0)))
    return p, [r"load balance", r"rank 3 takes"]


def random_times(folder):
    """One per cent of noise: nobody and nothing is told."""
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 30 + (hash((r, n, 7)) % 100) * 0.003))
    return p, [r"no loss is"]


def long_start(folder):
    """All allocate for longer than the loop takes."""
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 10 + noise(r, n)),
          before=lambda p: [p.compute(rank, "allocate", 400) for rank in range(p.ranks)])
    return p, [r"6[67] % of the time is before the main loop; 6[67] % is in allocate"]


def balanced(folder):
    p = Program(folder)
    p.run(STEPS, steps_with(lambda r, n: 30))
    return p, [r"no loss is"]


CAUSES = [imbalance_of_one, imbalance_of_group, slow_node, idle_node, idle_half, late_begin, late_sender_to_some,
          last_at_gather, slow_io_of_node, imbalance_of_thread, imbalance_of_same_thread, idle_thread,
          serial_part, late_sender, chain_of_late_senders, late_receiver, late_root, late_root_that_computes_more,
          last_at_barrier, slow_iteration, slow_iteration_of_one, another_slow_rank_in_each, slower_iterations, slower_from_one_on, faster_iterations,
          slow_first_half, warm_up, waits_for_kernel, waits_for_kernel_of_one_stream, slow_kernel_of_one_rank,
          hidden_wait_in_copy, idle_streams,
          slow_accelerator_before_collective, slow_accelerators_of_one_rank, slow_host_before_collective, serial_io, serial_mpi_io,
          serial_io_behind_the_loop,
          small_messages, slow_collective, slow_link, every_eighth_iteration, some_iterations_of_one,
          slow_under_one_caller, growing_messages, one_late_twice, long_start, balanced, random_times]


# What the run gains most from: the kind of change, where, and who has to change.
GAINS = {imbalance_of_one: ("function", "solve", [3]), imbalance_of_group: ("function", "solve", [1, 4, 6]),
         slow_node: ("function", "solve", [4, 5]), slow_iteration_of_one: ("function", "solve", [4]),
         another_slow_rank_in_each: ("function", "solve", []), late_sender: ("function", "pack", [2]),
         late_sender_to_some: ("function", "pack", [6]), late_receiver: ("function", "unpack", [6]),
         late_root: ("function", "read_parameters", [1]), late_root_that_computes_more: ("function", "read_parameters", [1]),
         last_at_gather: ("function", "statistics", [5]),
         slow_iteration: ("iterations", "solve", []), slower_from_one_on: ("iterations", "solve", []),
         slow_first_half: ("iterations", "solve", []), warm_up: ("iterations", "solve", []),
         every_eighth_iteration: ("iterations", "regrid", []), some_iterations_of_one: ("function", "solve", [4]),
         imbalance_of_thread: ("function", "!$omp parallel @solve.c:10", [2]), serial_io: ("files", "fwrite", []), serial_mpi_io: ("files", "MPI_File_write", []),
         slow_collective: ("network", "", []), small_messages: ("network", "", []),
         slow_under_one_caller: ("function", "flux", [6]), one_late_twice: ("function", "solve", [3]),
         growing_messages: ("network", "", []),
         slow_link: ("network", "", [3, 4]), balanced: None, random_times: None}


def check_figures(truth, run, bound, what):
    faults = []
    for name, value in truth.items():
        found = run["efficiencies"][name]
        if found is None or abs(found - value) > bound * (value if bound > 0.001 else 1):
            faults.append(f"{what}: {name} is {found}, and should be {value:.4f}")
    return faults


def check_page(tracefold, trace, wanted):
    """The page of a report begins with the headline, which leads to a view that is there, and has its lines."""
    page = trace.parent / "report.html"
    checked = [sys.executable, str(pathlib.Path(__file__).with_name("report_check.py")), tracefold, str(page), str(trace)]
    for command in ([tracefold, "report", "-q", str(trace), "-o", str(page)], checked):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            return [f"report: {done.stderr.strip()}"]
    finding = re.search(r'<p class="finding"><a href="#(?:view=|waits)[^"]*">(.*?)</a>', page.read_text())
    if not finding:
        return ["report: the first sentence leads to no view"]
    parts = re.findall(r'<header id="headline".*?</header>|<p class="waiting">.*?</p>', page.read_text(), re.S)
    sentence = html.unescape(re.sub("<[^>]*>", "", " ".join(parts))).replace("\u00a0", " ")
    return [f"report: does not say '{words}': {sentence}" for words in wanted if not re.search(words, sentence, re.I)]


def check_choices(tracefold, trace, rank):
    """The one that computes most has a row, though all take the same time in all."""
    faults = []
    for options in ([], ["--representative", "slowest"], ["--to", "4"]):
        done = subprocess.run([tracefold, "reduce", str(trace), "-q", "--dry-run", "--json", *options], check=True,
                              capture_output=True, text=True)
        kept = [one["rank"] for one in json.loads(done.stdout)["representatives"]]
        if rank not in kept:
            faults.append(f"{' '.join(options)} keeps ranks {kept}")
    return faults


def check_gains(program, cause, run, what):
    """The largest gain is what a second program takes less that does not have the cause."""
    if cause not in GAINS:
        return []
    if not GAINS[cause]:
        return [f"{what}: gains {run['gains']}"] if run["gains"] else []
    gained = program.gained / 1e9
    if run["gains"] and is_gain(run["gains"][0], GAINS[cause], gained, 0.05):
        return []
    return [f"{what}: gains {run['gains']}, not {gained:.3f} s"]


def check_what_if(tracefold, cause, program, folder, reduced):
    """What the run takes with the cause balanced is what a second program takes that does not have it."""
    if not GAINS.get(cause) or GAINS[cause][0] not in ("function", "network") or cause is one_late_twice:
        return []  # of whom the gain is of one only
    kind, function, _ = GAINS[cause]
    change = f"balance:{function}" if kind == "function" else "network:ideal"
    faults = []
    for trace in (folder / "trace", reduced):
        done = subprocess.run([tracefold, "summary", str(trace / "traces.otf2"), "--json", "-q", "--what-if", change], capture_output=True, text=True)
        takes = json.loads(done.stdout)["runs"][0]["what_if_s"] if done.returncode == 0 else None
        wanted = (program.runtime() - program.gained) / 1e9
        if takes is None or abs(takes - wanted) > 0.05 * program.gained / 1e9:
            faults.append(f"{trace.name}: {change} takes {takes}, not {wanted:.3f} s {done.stderr}")
    return faults


def make(cause, folder):
    """The program, and what has to be said of it."""
    program, wanted = cause(str(folder / "trace"))
    Program.network = 0
    ideal = cause(str(folder / "ideal"))[0]
    program.add_ideal(ideal)
    Program.network = 1
    if GAINS.get(cause):
        without = ideal if GAINS[cause][0] == "network" else cause(str(folder / "without"), 0)[0]
        program.gained = program.runtime() - without.runtime()
    return program, wanted


def check(tracefold, cause, folder):
    program, wanted = make(cause, folder)
    run, fault = summarize(tracefold, folder / "trace" / "traces.otf2")
    if not run:
        return [fault], ""
    first = "\n".join(run["headline"])
    # What only the original tells.
    more = getattr(program, "only_original", [])
    faults = [f"does not say '{words}'" for words in wanted + more if not re.search(words, first)]
    if cause is long_start:
        program.truth = {}  # which is of the loop
    elif run["scope"] != "loop" or run["iterations"] != STEPS:
        faults.append(f"is of {run['scope']} with {run['iterations']} iterations")
    faults += check_figures(program.truth, run, 0.001, "trace") + check_gains(program, cause, run, "trace")
    faults += check_page(tracefold, folder / "trace" / "traces.otf2", wanted)
    if hasattr(program, "slow_rank"):
        faults += check_choices(tracefold, folder / "trace" / "traces.otf2", program.slow_rank)

    reduced = folder / "reduced"
    if fault := reduce(tracefold, folder / "trace" / "traces.otf2", reduced):
        return faults + [fault], first
    run, fault = summarize(tracefold, reduced / "traces.otf2")
    if not run:
        return faults + [fault], first
    second = "\n".join(run["headline"])
    faults += [f"reduced: does not say '{words}': {second}" for words in wanted if not re.search(words, second)]
    faults += check_gains(program, cause, run, "reduced") + check_what_if(tracefold, cause, program, folder, reduced)
    return faults + check_figures(program.truth, run, 0.01, "reduced"), first


def main():
    tracefold, names = sys.argv[1], sys.argv[2:]
    bad = check_causes([cause for cause in CAUSES if not names or cause.__name__ in names],
                       lambda cause, folder: check(tracefold, cause, folder))
    print(f"{bad} causes are not named" if bad else "all causes are named")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
