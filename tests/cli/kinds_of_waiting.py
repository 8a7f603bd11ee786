"""Programs in which ranks wait: for each other, for the network, for files. See planted_kinds.py."""

from planted_checks import STEPS, exchange, noise, steps_with
from planted_kind import every, loop, overlap, own_loops, planted, rows_and_columns
from simulated_program import ALLREDUCE, BARRIER, MS, REDUCE


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
