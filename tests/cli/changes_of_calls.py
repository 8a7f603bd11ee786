"""Pairs of simulated programs of many structures with one change each. See planted_changes.py.

A program is a function of a Network and of whether it has the change: 1 or 0. What is to be told is a regular
expression of the first sentence; what it costs is the time of B with the change, less that without it.
"""

from changed_program import KNOWN_WRONG, butterfly, change, halo, krylov, master, multigrid, pipeline, stencil, threaded
from simulated_network import Network, grid, line


# -- Collective operations ------------------------------------------------------------------------


@change(r"^MPI_Allreduce is new in B, called by timestep", latency=0.05)
def sums_are_new(p, x):
    stencil(p, sums=0, more=lambda p, n: p.operate(factor=13) if x else None)


@change(r"^timestep calls MPI_Barrier in A and not in B \(25 per process\); that saves", noise=0.3, ranks=16)
def barrier_is_gone(p, x):
    stencil(p, 25, sums=0, update=5, size=100, more=lambda p, n: None if x else p.operate("MPI_Barrier"))


@change(r"^dot calls MPI_Reduce and MPI_Bcast in B where it calls MPI_Allreduce in A; that costs", latency=0.08, ranks=16)
def sum_is_a_reduction_and_a_broadcast(p, x):
    def in_two(p):
        p.operate("MPI_Reduce", 0)
        p.operate("MPI_Bcast", 0)
    krylov(p, reduce=in_two if x else Network.operate)


@change(r"^dot is called 3\.0 times as often by cg \(72 → 216 per process\); that costs", latency=0.05)
def more_dot_products(p, x):
    krylov(p, dots=6 if x else 2)


@change(r"^transpose calls MPI_Alltoallv in B where it calls MPI_Alltoall in A; that costs")
def other_operation_that_is_longer(p, x):
    def more(p, n):
        with p.within("transpose"):
            p.every("pack", 0.3)
            p.operate("MPI_Alltoallv" if x else "MPI_Alltoall", factor=40 if x else 15)
    stencil(p, kernel=5, more=more)


@change(r"^get_parameters is new in B, called by timestep, with read_parameters on rank 0 alone: .*; that costs")
def broadcast_behind_work_of_the_root(p, x):
    def more(p, n):
        if x:
            with p.within("get_parameters"):
                p.work(0, "read_parameters", 3)
                p.operate("MPI_Bcast", 0)
    stencil(p, more=more)


@change(r"^MPI_Allreduce takes \d+ % less time in B on .*; that saves", ranks=16)
def sums_of_rows(p, x):
    """Rows take turns in being slow."""
    rows = [p.add_communicator(range(row, row + 4)) for row in range(0, 16, 4)]

    def more(p, n):
        for row in rows if x else [0]:
            p.operate(communicator=row)
    stencil(p, 24, sums=0, near=[[]] * 16, more=more, slow=lambda rank, step: 1.5 if step % 4 == rank // 4 else 1)


# -- Network --------------------------------------------------------------------------------------


@change(r"^messages between rank 3 and rank 4 take longer in B: the network holds it up for")
def slow_link(p, x):
    p.link = lambda *ends: 200 if x and {*ends} == {3, 4} else 1
    stencil(p)


@change(r"^messages from and to rank 5 take longer in B: the network holds it up for", ranks=16)
def slow_messages_of_a_rank(p, x):
    p.link = lambda *ends: 150 if x and 5 in ends else 1
    stencil(p, near=grid(4, 4), exchange=Network.exchange)


@change(r"^messages from and to ranks 3-4,7-8 take longer in B: the network holds it up for", ranks=16)
def slow_messages_of_a_node(p, x):
    p.link = lambda *ends: 100 if x and len({end // 4 == 1 for end in ends}) > 1 else 1
    stencil(p)


@change(r"^messages between rank 2 and rank 6 take longer in B")
def slow_link_of_a_butterfly(p, x):
    p.link = lambda *ends: 30 if x and {*ends} == {2, 6} else 1
    butterfly(p)


@change(r"^the network holds B up for .*, with the same messages, mostly in MPI_Allreduce; that costs", ranks=16)
def longer_latency(p, x):
    p.latency *= 15 if x else 1
    stencil(p, kernel=3, update=1, near=grid(4, 4), size=200, exchange=Network.exchange)


@change(r"^the network holds B up for .*, with the same messages, mostly in MPI_Recv; that costs")
def slow_bandwidth(p, x):
    p.byte_time *= 5 if x else 1
    butterfly(p, size=500_000)


@change(r"^the network holds B up for .*, with the same messages, mostly in MPI_Allreduce; that costs", ranks=16)
def slow_operations_alone(p, x):
    p.operations = 15 if x else 1
    krylov(p)


# -- Messages -------------------------------------------------------------------------------------


def one_by_one(p, near, size):
    """Along the line to the right, and back."""
    for to_the_right in (True, False):
        for rank in range(p.ranks - 1):
            p.rendezvous(*((rank, rank + 1) if to_the_right else (rank + 1, rank)), size)


def requested(p, near, size):
    """Received at once, and what is sent is waited for."""
    for rank in range(p.ranks):
        for other in near[rank]:
            p.begin_send(rank, other, size, p.travel(rank, other, size))
    for rank in range(p.ranks):
        for other in near[rank]:
            p.get(rank, other)
        p.wait_all(rank)


@change(r"^halo calls MPI_Isend and MPI_Waitall in B where it calls MPI_Send in A; that saves", ranks=12, latency=0.15)
def sent_by_requests(p, x):
    stencil(p, size=100_000, exchange=requested if x else one_by_one)


def overlap(p, near, is_lost):
    def step(p, n):
        p.exchange(near, 300_000, None if is_lost else lambda: p.every("interior", 6))
        if is_lost:
            p.every("interior", 6)
        p.every("border", 1.5)
        p.operate()
    p.run(20, step)


@change(r"^the network holds B up for 6\d.* ms, A for .*, with the same messages, mostly in MPI_Waitall; that costs",
        ranks=16, byte_time=10)
def overlap_is_lost(p, x):
    overlap(p, grid(4, 4), x)


@change(r"^the network holds B up for .*, A for 6\d.* ms, with the same messages, mostly in MPI_Waitall; that saves", byte_time=10)
def overlap_is_new(p, x):
    overlap(p, line(8), not x)


@change(r"^B exchanges 3\.\d+ times the bytes of A in as many messages .*, called by halo on rank 3 alone; that costs", byte_time=3)
def larger_messages_of_a_rank(p, x):
    stencil(p, size=lambda rank: 800_000 if x and rank == 3 else 40_000)


@change(r"^B exchanges 8\.00 times the messages of A .* with as many bytes, most of them in MPI_Send", ranks=16, overhead=30_000)
def messages_in_parts(p, x):
    butterfly(p, 8, parts=8 if x else 1)


@change(r"^B exchanges 11 times the messages of A .*, called by distribute; that costs", overhead=10_000)
def messages_of_a_rank_to_all(p, x):
    def more(p, n):
        with p.within("distribute"):
            for rank in range(1, p.ranks):
                for _ in range(30 if x else 1):
                    p.put(0, rank, 50)
                    p.get(rank, 0)
    stencil(p, 10, kernel=4, more=more)


# -- Other functions ------------------------------------------------------------------------------


@change(r"^timestep calls update_velocity and update_pressure in B where it calls update_all in A: .*; that costs", ranks=12)
def function_in_two(p, x):
    def more(p, n):
        for name, time in (("update_velocity", 3.6), ("update_pressure", 2.4)) if x else (("update_all", 4),):
            p.every(name, time)
    stencil(p, update=1, more=more)


@change(r"^timestep calls sweep_xy in B where it calls sweep_x and sweep_y in A: .*; that saves", ranks=16)
def two_functions_in_one(p, x):
    def more(p, n):
        for name, time in (("sweep_xy", 4),) if x else (("sweep_x", 3), ("sweep_y", 3)):
            p.every(name, time)
    stencil(p, kernel=4, near=grid(4, 4), more=more)


@change(r"^sort_quick (\(sort_bubble in B\) )?takes 2\.0 times as long in B( \(as sort_bubble\))? on all processes: .*; that costs")
def other_function_that_is_longer(p, x):
    stencil(p, kernel=4, more=lambda p, n: p.every("sort_bubble" if x else "sort_quick", 8 if x else 4))


@change(r"^timed_flux is new in B, between timestep and flux: .*; that costs", ranks=12)
def wrapper_with_time_of_its_own(p, x):
    def more(p, n):
        if not x:
            return p.every("flux", 5)
        with p.within("timed_flux"):
            p.spend("timed_flux", 1)
            p.every("flux", 5)
    stencil(p, kernel=5, more=more)


def inlining(p, x, time):
    def more(p, n):
        with p.within("advect"):
            p.spend("advect", 2)
            if x:
                p.spend("flux", time)
            else:
                p.every("flux", 4)
    stencil(p, kernel=5, more=more)


@change(r"^advect, with flux that is inlined in B, takes 20 % less time in B on all processes: .*; that saves")
def inlined_and_faster(p, x):
    inlining(p, x, 2.8)


@change(r"^advect, with flux that is inlined in B, takes 3[234] % less time in B on all processes: .*; that saves",
        into=KNOWN_WRONG)
def inlined_and_much_faster(p, x):
    """That it is not called is told, as if nobody did its work."""
    inlining(p, x, 2)


@change(r"^build_tables is called by main in B, and no longer by timestep \(20 → 1 per process\); that saves")
def hoisted_out_of_the_loop(p, x):
    def step(p, n):
        if not x:
            p.every("build_tables", 3)
        p.every("stencil", 8)
        halo(p, line(p.ranks), 4000)
        p.operate()
    p.run(20, step, before=lambda p: p.every("build_tables", 3) if x else None)


@change(r"^limiter is called by timestep in B, and no longer by reconstruct")
def called_by_the_caller_of_its_caller(p, x):
    def more(p, n):
        with p.within("reconstruct"):
            p.spend("reconstruct", 1)
            if not x:
                p.every("limiter", 2)
        if x:
            p.every("limiter", 2)
    stencil(p, more=more)


@change(r"^statistics is called on rank 7 alone in B, on rank 0 alone in A: ")
def on_another_rank(p, x):
    stencil(p, more=lambda p, n: p.work(7 if x else 0, "statistics", 4))


@change(r"^limiter takes 1\.6 times as long in B where correct calls it, on all processes: ")
def slow_on_one_call_path(p, x):
    def more(p, n):
        for name in ("predict", "correct"):
            with p.within(name):
                p.every("limiter", 4 if x and name == "correct" else 2.5)
    stencil(p, kernel=4, more=more)


@change(r"^spmv, precondition and dot are called 1\.67 times as often by cg \(36 → 60 per process\); that costs")
def more_inner_iterations(p, x):
    krylov(p, inner=5 if x else 3)


@change(r"^smooth.* called 1\.33 times as often by vcycle \(45 → 60 per process\); that costs")
def one_level_deeper(p, x):
    multigrid(p, 4 if x else 3)


# -- Files ----------------------------------------------------------------------------------------


@change(r"^fwrite is called on ranks 0,8 in B, on all processes in A: .*; that costs", ranks=16)
def files_by_aggregators(p, x):
    stencil(p, kernel=5, more=lambda p, n: p.every("fwrite", 5, (0, 8)) if x else p.every("fwrite", 2))


@change(r"^fwrite is called on all processes in B, on rank 0 alone in A: .*; that saves")
def files_by_all(p, x):
    stencil(p, kernel=5, more=lambda p, n: p.every("fwrite", 1) if x else p.work(0, "fwrite", 8))


@change(r"^output calls (MPI_Gather and )?fwrite \(on rank 0 alone\) in B where it calls MPI_File_write_all in A: .*; that costs")
def files_by_one(p, x):
    def more(p, n):
        with p.within("output"):
            if x:
                p.operate("MPI_Gather", 0)
                p.work(0, "fwrite", 6)
            else:
                p.every("MPI_File_write_all", 1)
    stencil(p, kernel=5, more=more)


@change(r"^checkpoint is called 2\.0 times as often by timestep \(4 → 8 per process\); that costs", ranks=12)
def files_more_often(p, x):
    def more(p, n):
        if n % (5 if x else 10) == 4:
            with p.within("checkpoint"):
                p.every("fwrite", 12)
    stencil(p, 40, kernel=5, more=more)


# -- When -----------------------------------------------------------------------------------------


@change(r"^stencil takes ((49|50|51) % longer|1\.5 times as long) in B on all processes, more so with each iteration: ")
def longer_with_each_iteration(p, x):
    stencil(p, 30, slow=lambda rank, step: 1 + x * step / 29)


@change(r"^stencil takes ((49|50|51) % longer|1\.5 times as long) in B on rank 5 alone, more so with each iteration: ", ranks=12)
def longer_with_each_iteration_on_a_rank(p, x):
    stencil(p, 30, slow=lambda rank, step: 1 + x * step / 29 * (rank == 5))


@change(r"^stencil takes 1\.8 times as long in B in iterations 3-31:4 of 32 on all processes: ")
def every_fourth_iteration(p, x):
    stencil(p, 32, slow=lambda rank, step: 1.8 if x and step % 4 == 3 else 1)


@change(r"^MPI_Init takes 4\.5 times as long in B on all processes: .*; that costs .* before the main loop")
def longer_init(p, x):
    p.init = 90 if x else 20
    stencil(p)


@change(r"^postprocess is new in B, called by main, with histogram: .*; that costs .* behind the main loop")
def new_phase_at_the_end(p, x):
    def end(p):
        if x:
            with p.within("postprocess"):
                p.every("histogram", 40)
                p.operate("MPI_Reduce", 0)
    stencil(p, end=end)


@change(r"^B has 30 iterations, A has 20; each takes 2\d % longer", told=((1, 0), (0, 0)), ranks=12)
def more_iterations_and_a_slow_rank(p, x, y):
    stencil(p, 30 if x else 20, slow=lambda rank, step: 1.4 if y and rank == 3 else 1)


# -- Who ------------------------------------------------------------------------------------------


@change(r"^all that computes takes (39|40|41) % longer in B on ranks 8-11: ", ranks=16)
def slow_node(p, x):
    factors = [1.4 if x and rank // 4 == 2 else 1 for rank in range(p.ranks)]
    stencil(p, update=lambda rank: 3 * factors[rank], near=grid(4, 4), slow=lambda rank, step: factors[rank])


@change(r"^kernel takes (29|30|31) % longer in B on all threads of rank 3: ", ranks=6, threads=3)
def slow_threads_of_a_rank(p, x):
    threaded(p, lambda rank, thread: 10.4 if x and rank == 3 else 8)


@change(r"^kernel takes (39|40|41) % longer in B on ranks 0-3: .*, and 1[234] % less time on ranks 0-3 thread 1-3: ",
        ranks=4, threads=4)
def uneven_threads(p, x):
    threaded(p, lambda rank, thread: 8 * (1 + x * (0.4 if thread == 0 else -0.4 / 3)))


@change(r"^stencil takes 3[678] % less time in B on ranks 12-15: .*, and 2[456] % longer on ranks 0-11: .*; that saves", ranks=16)
def evened_out(p, x):
    stencil(p, near=grid(4, 4), slow=lambda rank, step: 1 if x else 1.6 if rank >= 12 else 0.8)


@change(r"^filter takes 1\.8 times as long in B on rank 3 alone: ", ranks=6)
def slow_stage(p, x):
    pipeline(p, stage=lambda rank: 7.2 if x and rank == 3 else 4)


@change(r"^schedule takes (8\.9|9\.[01]) times as long in B on rank 0 alone: ", ranks=9)
def master_that_is_hidden_in_part(p, x):
    master(p, schedule=0.9 if x else 0.1)


@change(r"^work_on_task takes (39|40|41) % longer in B on all processes that call it: ", ranks=9)
def longer_tasks(p, x):
    master(p, task=lambda worker: 6 * (1 + 0.4 * x) * (1 + worker / 16))


# -- More ranks -----------------------------------------------------------------------------------


def shared(p, ranks_of_a, x, **more):
    """The work is that of A; with the change, something does not get less."""
    share = ranks_of_a / p.ranks
    p.init = 20 * share
    stencil(p, kernel=16 * share, update=6 * share, setup=10 * share, write=4 * share, **more)


@change(r"^B has 16 ranks, A has 8 \(strong scaling, .*; stencil takes 4\d % less time \(.* on rank 3\); that costs",
        a={"ranks": 8}, b={"ranks": 16})
def scaling_with_an_uneven_rank(p, x):
    shared(p, 8, x, slow=lambda rank, step: 1.8 if x and rank == 3 else 1)


@change(r"^B has 16 ranks, A has 4 \(strong scaling, .*; refine takes as long \(.*; that costs", a={"ranks": 4}, b={"ranks": 16})
def scaling_with_a_serial_part(p, x):
    def more(p, n):
        p.work(0, "refine", 2 if x else 2 * 4 / p.ranks)
        p.operate("MPI_Bcast", 0)
    shared(p, 4, x, more=more)


@change(r"^B has 17 ranks, A has 5 \(strong scaling, .*; schedule takes as long \(.*; that costs", a={"ranks": 5}, b={"ranks": 17})
def strong_scaling_of_a_master(p, x):
    p.init = 20 * 5 / p.ranks
    master(p, 160, lambda worker: 5, 1.1 if x or p.ranks == 5 else 1.1 / 4, p.init / 2)


@change(r"^B has 17 ranks, A has 5 \(weak scaling, .*; schedule takes 4\.0 times as long \(.*; that costs",
        a={"ranks": 5}, b={"ranks": 17}, into=KNOWN_WRONG)
def weak_scaling_of_a_master(p, x):
    """Iterations of the master are as long as before, and taken for those of the workers."""
    master(p, 20 * (p.ranks - 1), lambda worker: 5, 0.5 if x or p.ranks == 5 else 0.125, ends=False)


# -- What else is told wrongly --------------------------------------------------------------------


@change(r"^smooth takes 2\.5 times as long in B .*(vcycle|level)", into=KNOWN_WRONG)
def one_level_of_a_recursion(p, x):
    """All levels are told together."""
    multigrid(p, smooth=lambda level: 7.5 if x and level == 1 else 3)


@change(r"^(work_on_task|schedule).* 2\.0 times as often |^B has 60 iterations, A has 30; .*; that costs",
        ranks=9, into=KNOWN_WRONG)
def twice_the_tasks_of_half_the_length(p, x):
    """Rounds of tasks are taken for iterations, of which twice as many cost as much as they took."""
    master(p, 480 if x else 240, lambda worker: 3 if x else 6, 0.4)
