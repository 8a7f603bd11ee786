#!/usr/bin/env python3
"""Loops of made programs of which only calls of MPI are recorded, or little more, against the loops that they have.

usage: mpi_loops.py TRACEFOLD [FOLDER]

As a tracer that sees MPI alone records them: no functions of the program, and a clock for each process that
begins where it likes. Molecules that ranks exchange dimension by dimension, with neighbours that are built again and
output every n-th step; stencils; sweeps over octants and angles in outer and inner iterations; solvers; and
programs without a loop. Of those with a loop, all but two must be right and not unsure; a program without one has
none that is not unsure. With FOLDER, the traces stay there.
"""
import collections
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import otf2_writer as otf2  # noqa: E402

MPI, COMPILER, USER, NONE = 4, 1, 0, otf2.UNDEFINED
OPERATIONS = {"MPI_Barrier": 0, "MPI_Bcast": 1, "MPI_Gather": 2, "MPI_Allgather": 6, "MPI_Allreduce": 9, "MPI_Reduce": 10,
              "MPI_Scan": 13, "MPI_Comm_split": 9}
LATENCY = 2000  # nanoseconds
RIGHT_BUT = 2


class Run:
    """Runs a program on all ranks: `program(rank)` yields what the rank does, one after the other."""

    def __init__(self, folder, ranks, seed, program):
        self.random = random.Random(seed)
        self.archive = otf2.Archive(folder)
        self.offset = [self.random.randrange(10**9) for _ in range(ranks)]
        self.now = [self.random.randrange(10**6) for _ in range(ranks)]
        self.regions = {}
        self.requests = [itertools.count() for _ in range(ranks)]
        self.sent = collections.defaultdict(collections.deque)  # by sender and receiver: when
        self.opened = [[] for _ in range(ranks)]  # by rank: sources of what is to be received, by request
        self.arrived = collections.defaultdict(dict)  # by number of the collective call: time of each rank
        self.calls = [0] * ranks
        self.is_sending = [False] * ranks
        self.ranks = ranks
        self.define()
        left = {rank: (program(rank), None) for rank in range(ranks)}
        while left:
            before = len(left), sum(self.now), sum(self.calls)
            for rank, (does, waits) in list(left.items()):
                while waits is None or self.perform(rank, *waits):
                    waits = next(does, ())
                    if not waits:
                        del left[rank]
                        break
                else:
                    left[rank] = does, waits
            assert not left or before != (len(left), sum(self.now), sum(self.calls)), "a deadlock"
        for rank in range(ranks):
            self.archive.define("Location", rank, self.archive.string(f"P#{rank}T#0"), 1, len(self.archive.events[rank]), rank)
        self.archive.close()

    def define(self):
        define, text = self.archive.define, self.archive.string
        define("Paradigm", MPI, text("MPI"), 0)
        define("SystemTreeNode", 0, text("machine"), text("machine"), NONE)
        for rank in range(self.ranks):
            define("LocationGroup", rank, text(f"P#{rank}"), 1, 0, NONE)
            self.archive.location(rank)
        everyone = otf2.array(list(range(self.ranks)))
        define("Group", 0, text("locations"), 4, MPI, 0, self.ranks, everyone)
        define("Group", 1, text("world"), 5, MPI, 0, self.ranks, everyone)
        define("Comm", 0, text("MPI_COMM_WORLD"), 1, NONE, 0)

    def event(self, rank, kind, *values):
        self.archive.event(rank, int(self.now[rank]) + self.offset[rank], kind, *values)

    def region(self, name):
        if name not in self.regions:
            number = self.regions[name] = len(self.regions)
            text = self.archive.string(name)
            self.archive.define("Region", number, text, text, 0, 1, USER, 0, 0, 0, 0)
        return self.regions[name]

    def enter(self, rank, name):
        self.event(rank, "Enter", self.region(name))
        self.now[rank] += self.random.randint(50, 150)

    def leave(self, rank, name):
        self.now[rank] += self.random.randint(50, 150)
        self.event(rank, "Leave", self.region(name))
        self.now[rank] += self.random.randint(100, 300)

    # -- What a rank does. False: it has to wait for another one. --------------------

    def perform(self, rank, what, *how):
        return getattr(self, "do_" + what)(rank, *how)

    def do_enter(self, rank, name):
        self.enter(rank, name)
        return True

    def do_leave(self, rank, name):
        self.leave(rank, name)
        return True

    def do_compute(self, rank, microseconds, name=None):
        if name:
            self.enter(rank, name)
        self.now[rank] += 1000 * microseconds * self.random.lognormvariate(0, 0.15)
        if name:
            self.leave(rank, name)
        return True

    def do_send(self, rank, to):
        self.enter(rank, "MPI_Send")
        self.event(rank, "MpiSend", to, 0, 1, 1000)
        self.sent[rank, to].append(self.now[rank])
        self.leave(rank, "MPI_Send")
        return True

    def do_isend(self, rank, to):
        request = next(self.requests[rank])
        self.enter(rank, "MPI_Isend")
        self.event(rank, "MpiIsend", to, 0, 1, 1000, request)
        self.sent[rank, to].append(self.now[rank])
        self.opened[rank].append((request, None))
        self.leave(rank, "MPI_Isend")
        return True

    def do_irecv(self, rank, source):
        request = next(self.requests[rank])
        self.enter(rank, "MPI_Irecv")
        self.event(rank, "MpiIrecvRequest", request)
        self.opened[rank].append((request, source))
        self.leave(rank, "MPI_Irecv")
        return True

    def have_come(self, rank, sources):
        return all(len(self.sent[source, rank]) >= times for source, times in collections.Counter(sources).items())

    def do_recv(self, rank, source):
        if not self.sent[source, rank]:
            return False
        self.enter(rank, "MPI_Recv")
        self.now[rank] = max(self.now[rank], self.sent[source, rank].popleft() + LATENCY)
        self.event(rank, "MpiRecv", source, 0, 1, 1000)
        self.leave(rank, "MPI_Recv")
        return True

    def do_sendrecv(self, rank, to, source):
        if not self.is_sending[rank]:
            self.is_sending[rank] = True
            self.enter(rank, "MPI_Sendrecv")
            self.event(rank, "MpiSend", to, 0, 1, 1000)
            self.sent[rank, to].append(self.now[rank])
            self.now[rank] += 1
        if not self.sent[source, rank]:
            return False
        self.is_sending[rank] = False
        self.now[rank] = max(self.now[rank], self.sent[source, rank].popleft() + LATENCY)
        self.event(rank, "MpiRecv", source, 0, 1, 1000)
        self.leave(rank, "MPI_Sendrecv")
        return True

    def do_wait(self, rank, name="MPI_Wait"):
        """MPI_Wait: for the request that was opened first; otherwise for all."""
        requests = self.opened[rank][:1] if name == "MPI_Wait" else self.opened[rank]
        sources = [source for _, source in requests if source is not None]
        if not self.have_come(rank, sources):
            return False
        self.enter(rank, name)
        for request, source in requests:
            if source is None:
                self.event(rank, "MpiIsendComplete", request)
                continue
            self.now[rank] = max(self.now[rank], self.sent[source, rank].popleft() + LATENCY)
            self.event(rank, "MpiIrecv", source, 0, 1, 1000, request)
        self.opened[rank] = self.opened[rank][len(requests):]
        self.leave(rank, name)
        return True

    def do_all(self, rank, name="MPI_Allreduce", root=NONE):
        arrived = self.arrived[self.calls[rank]]
        if rank not in arrived:
            arrived[rank] = self.now[rank]
            self.now[rank] += 1
        if len(arrived) < self.ranks:
            return False
        self.calls[rank] += 1
        self.now[rank] = arrived[rank]
        self.enter(rank, name)
        self.event(rank, "MpiCollectiveBegin")
        self.now[rank] = max(arrived.values()) + LATENCY
        self.event(rank, "MpiCollectiveEnd", OPERATIONS[name], 0, root, 8, 8)
        self.leave(rank, name)
        return True


def wrap(name, body):
    """Inside of a call of this function; '': where it is not recorded."""
    if name:
        yield "enter", name
    yield from body
    if name:
        yield "leave", name


class Grid:
    """Ranks in a grid; each dimension is periodic or not."""

    def __init__(self, sizes, is_periodic):
        self.sizes, self.is_periodic = sizes, is_periodic
        self.ranks = 1
        for size in sizes:
            self.ranks *= size

    def place(self, rank):
        place = []
        for size in self.sizes:
            place.append(rank % size)
            rank //= size
        return place

    def neighbour(self, rank, dimension, way):
        """None beyond the border, and where the rank is its own neighbour."""
        size = self.sizes[dimension]
        place = self.place(rank)
        to = place[dimension] + way
        if size == 1 or (not 0 <= to < size and not self.is_periodic):
            return None
        place[dimension] = to % size
        number = 0
        for size, at in zip(reversed(self.sizes), reversed(place)):
            number = number * size + at
        return number

    def swaps(self, rank):
        """To whom and from whom, by dimension and direction."""
        for dimension in range(len(self.sizes)):
            for way in (-1, 1):
                yield self.neighbour(rank, dimension, way), self.neighbour(rank, dimension, -way)


def set_up(random, rank, broadcasts, sizes=(1, 3)):
    for _ in range(broadcasts):
        yield "compute", random.uniform(1, 20)
        name = random.choice(["MPI_Bcast"] * 4 + ["MPI_Allreduce", "MPI_Barrier"])
        for _ in range(random.randint(*sizes)):
            yield "all", name, 0 if name == "MPI_Bcast" else NONE


def finish(random, rank, reductions):
    for _ in range(reductions):
        yield "compute", random.uniform(1, 5)
        yield "all", random.choice(["MPI_Allreduce", "MPI_Allreduce", "MPI_Reduce", "MPI_Barrier"])


class Molecules:
    """As in molecular dynamics: forward and reverse exchange, borders that are built again, output."""

    def __init__(self, seed, sizes, is_periodic, steps, output=10, rebuild=10, reverse=True, checks=False, broadcasts=40,
                 reductions=20, around="", outputs=3, first_output=True):
        self.seed, self.grid, self.steps, self.output, self.rebuild = seed, Grid(sizes, is_periodic), steps, output, rebuild
        self.reverse, self.checks, self.broadcasts, self.reductions = reverse, checks, broadcasts, reductions
        self.around, self.outputs, self.first_output = around, outputs, first_output
        self.ranks, self.truth = self.grid.ranks, steps

    def swap(self, rank, is_back=False):
        swaps = list(self.grid.swaps(rank))
        for to, source in reversed(swaps) if is_back else swaps:
            if is_back:
                to, source = source, to
            if source is not None:
                yield "irecv", source
            if to is not None:
                yield "send", to
            if source is not None:
                yield ("wait",)

    def borders(self, rank):
        for _ in range(2):
            for to, source in self.grid.swaps(rank):
                if to is not None:
                    yield "send", to
                if source is not None:
                    yield "recv", source
        yield from self.swap(rank)

    def tell(self):
        for _ in range(self.outputs):
            yield ("all",)

    def run(self, rank):
        shared = random.Random(self.seed)  # the same on all ranks
        yield from set_up(shared, rank, self.broadcasts)
        yield from self.borders(rank)
        yield "compute", 200
        if self.first_output:
            if self.reverse:
                yield from self.swap(rank, True)
            yield from self.tell()
        for step in range(1, self.steps + 1):
            if self.checks:
                yield ("all",)
            if self.rebuild and step % self.rebuild == 0:
                yield from self.borders(rank)
                yield "compute", 300
            else:
                yield from self.swap(rank)
            yield "compute", 200
            if self.reverse:
                yield from self.swap(rank, True)
            if step % self.output == 0:
                yield from self.tell()
        yield from finish(shared, rank, self.reductions)

    def program(self, rank):
        return wrap(self.around, self.run(rank))


class Stencil(Molecules):
    """All neighbours at once, a reduction in each step or every n-th one."""

    def __init__(self, *arguments, style="all", reduction=1, checkpoint=0, **more):
        super().__init__(*arguments, **more)
        self.style, self.reduction, self.checkpoint = style, reduction, checkpoint

    def exchange(self, rank):
        swaps = [swap for swap in self.grid.swaps(rank)]
        if self.style == "sendrecv":
            for to, source in swaps:
                if to is not None and source is not None:
                    yield "sendrecv", to, source
                elif to is not None:
                    yield "send", to
                elif source is not None:
                    yield "recv", source
            return
        for _, source in swaps:
            if source is not None:
                yield "irecv", source
        for to, _ in swaps:
            if to is not None:
                yield "isend", to
        if self.style == "all":
            yield "wait", "MPI_Waitall"
        else:
            for swap in swaps:
                for other in swap:
                    if other is not None:
                        yield ("wait",)

    def run(self, rank):
        shared = random.Random(self.seed)
        yield from set_up(shared, rank, self.broadcasts)
        for step in range(1, self.steps + 1):
            yield from self.exchange(rank)
            yield "compute", 300
            if step % self.reduction == 0:
                yield ("all",)
            if self.checkpoint and step % self.checkpoint == 0:
                yield "all", "MPI_Gather", 0
                yield ("compute", 2000) if rank == 0 else ("compute", 1)
                yield "all", "MPI_Barrier"
        yield from finish(shared, rank, self.reductions)


class Solver(Stencil):
    """Conjugate gradients: one exchange and two reductions."""

    def run(self, rank):
        shared = random.Random(self.seed)
        yield from set_up(shared, rank, self.broadcasts)
        yield from self.exchange(rank)
        yield ("all",)
        for _ in range(self.steps):
            yield from self.exchange(rank)
            yield "compute", 100
            yield ("all",)
            yield "compute", 40
            yield ("all",)
        yield from finish(shared, rank, self.reductions)


class Sweeps(Molecules):
    """Outer iterations of inner ones, each of which sweeps through a plane of ranks from its four corners."""

    def __init__(self, seed, sizes, outer, inner, chunks=2, groups=1, functions=False, is_over=False, **more):
        super().__init__(seed, sizes, False, outer, **more)
        self.inner, self.chunks, self.groups, self.functions, self.is_over = inner, chunks, groups, functions, is_over

    def wrap(self, name, body):
        return wrap(name if self.functions else "", body)

    def sweep(self, rank):
        for up, down, chunk, _ in itertools.product((1, -1), (1, -1), range(2 * self.chunks), range(self.groups)):
            for dimension, way in ((0, up), (1, down)):
                source = self.grid.neighbour(rank, dimension, -way)
                if source is not None:
                    yield "recv", source
            yield ("compute", 60, "dim3_sweep") if self.functions else ("compute", 60)
            for dimension, way in ((0, up), (1, down)):
                to = self.grid.neighbour(rank, dimension, way)
                if to is not None:
                    yield "isend", to
            yield "wait", "MPI_Waitall"

    def iterate(self, rank, times):
        for _ in range(times):
            yield from self.wrap("inner_src", iter([("compute", 20)]))
            yield from self.wrap("sweep", self.sweep(rank))
            yield from self.wrap("inner_conv", iter([("compute", 10), ("all",)]))

    def pass_through(self, rank, times):
        yield from self.wrap("outer_src", iter([("compute", 80)]))
        yield from self.wrap("inner", self.iterate(rank, times))
        yield from self.wrap("outer_conv", iter([("compute", 20), ("all",), ("all", "MPI_Allreduce")]))

    def run(self, rank):
        shared = random.Random(self.seed)
        yield from self.wrap("setup", set_up(shared, rank, self.broadcasts))
        yield from self.wrap("translv", itertools.chain.from_iterable(
            self.wrap("outer", self.pass_through(rank, self.inner[step % len(self.inner)])) for step in range(self.steps)))
        yield from self.wrap("output", finish(shared, rank, self.reductions))


class NoLoop(Molecules):
    """Phases that follow each other, in no order that repeats."""

    def __init__(self, seed, sizes, phases, **more):
        super().__init__(seed, sizes, True, 0, **more)
        self.phases = phases

    def run(self, rank):
        shared = random.Random(self.seed)
        yield from set_up(shared, rank, self.broadcasts)
        pairs = [shared.sample(range(self.ranks), self.ranks) for _ in range(self.phases)]
        for order in pairs:
            at = order.index(rank)
            what = shared.choice(["ring", "all", "pairs", "gather", "wait"])
            yield "compute", shared.uniform(10, 500)
            for _ in range(shared.randint(1, 3)):
                if what == "ring":
                    yield "sendrecv", order[(at + 1) % self.ranks], order[at - 1]
                elif what == "pairs":
                    if at ^ 1 < self.ranks:
                        yield "irecv", order[at ^ 1]
                        yield "isend", order[at ^ 1]
                        yield "wait", "MPI_Waitall"
                elif what == "wait":
                    yield "irecv", order[at - 1]
                    yield "send", order[(at + 1) % self.ranks]
                    yield ("wait",)
                else:
                    yield "all", shared.choice(list(OPERATIONS))
        yield from finish(shared, rank, self.reductions)


def programs():
    """By name. Numbers of steps, of output and of set-up are as people choose them."""
    yield "molecules 4x1x1", Molecules(1, (4, 1, 1), True, 30)
    yield "molecules 2x2x1", Molecules(2, (2, 2, 1), True, 30, rebuild=20, around="Working")
    yield "molecules 2x2x2", Molecules(3, (2, 2, 2), True, 10, rebuild=0, broadcasts=80)
    yield "molecules 3x2x1, borders", Molecules(4, (3, 2, 1), False, 50, output=10, rebuild=10)
    yield "molecules 2x1x1", Molecules(5, (2, 1, 1), True, 30, output=5, rebuild=7, outputs=1)
    yield "molecules 3x3, no way back", Molecules(6, (3, 3), False, 100, output=25, rebuild=20, reverse=False)
    yield "molecules, checks", Molecules(7, (2, 2, 1), True, 40, checks=True, rebuild=12, around="Working")
    yield "molecules, much set-up", Molecules(8, (2, 2, 2), True, 30, broadcasts=300, reductions=60)
    yield "molecules, output at end", Molecules(9, (3, 1, 1), True, 20, output=20, rebuild=0, first_output=False)
    yield "molecules, every step", Molecules(10, (4, 2), True, 25, output=1, rebuild=5, first_output=False)
    yield "molecules 10 steps", Molecules(11, (2, 2, 1), True, 10, output=10, rebuild=20, outputs=6, around="Working")
    yield "molecules 100 steps", Molecules(12, (2, 2, 1), True, 100, output=50, rebuild=11, outputs=6)
    yield "molecules, rebuilt each 6", Molecules(13, (2, 3, 1), False, 45, output=15, rebuild=6)
    yield "molecules, output each 4", Molecules(14, (4, 1), True, 40, output=4, rebuild=0, outputs=2)
    yield "molecules 30 of 10", Molecules(15, (4, 1, 1), True, 30, output=10, rebuild=0, outputs=4, reverse=False)
    yield "molecules 3x3x3", Molecules(16, (3, 3, 3), False, 12, output=4, rebuild=6)
    yield "stencil", Stencil(20, (4, 2), False, 50, output=1)
    yield "stencil, sendrecv", Stencil(21, (3, 3), True, 40, style="sendrecv", reduction=10)
    yield "stencil, each waited for", Stencil(22, (2, 2, 2), False, 20, style="each", reduction=5)
    yield "stencil, checkpoint", Stencil(23, (4, 2), True, 60, checkpoint=10, around="Working")
    yield "stencil, no reduction", Stencil(24, (6, 1), False, 35, reduction=100)
    yield "stencil, checkpoint only", Stencil(25, (3, 2), False, 48, reduction=100, checkpoint=12)
    yield "stencil, a row", Stencil(26, (5, 1), False, 64, style="sendrecv", reduction=8, around="Working")
    yield "solver", Solver(30, (4, 2), False, 50)
    yield "solver, a row", Solver(31, (6, 1), False, 25, style="sendrecv")
    yield "solver, few", Solver(32, (2, 2), True, 12, style="each", around="Working")
    yield "sweeps 2x2", Sweeps(40, (2, 2), 3, [4])
    yield "sweeps 4x2", Sweeps(41, (4, 2), 3, [5, 4, 3], broadcasts=60)
    yield "sweeps 4x4", Sweeps(42, (4, 4), 3, [5, 5, 3], chunks=1)
    yield "sweeps of 5", Sweeps(43, (3, 2), 5, [3], chunks=1, around="Working")
    yield "sweeps of 8", Sweeps(44, (2, 2), 8, [2, 3], chunks=3)
    yield "sweeps with functions", Sweeps(45, (2, 2), 3, [5, 4, 3], functions=True, around="main")
    yield "sweeps with functions 4x4", Sweeps(46, (4, 4), 3, [5, 5, 2], chunks=1, functions=True, around="main")
    yield "sweeps with functions, groups", Sweeps(47, (4, 2), 3, [4], groups=3, chunks=1, functions=True, around="main")
    yield "sweeps with functions of 6", Sweeps(48, (2, 2), 6, [5, 5, 4, 4, 3, 3], functions=True, around="main")
    yield "sweeps with groups", Sweeps(49, (4, 2), 4, [4], groups=3, chunks=1)
    yield "no loop 4", NoLoop(50, (4, 1), 60)
    yield "no loop 6", NoLoop(51, (6, 1), 200, around="Working")
    yield "no loop 8", NoLoop(52, (8, 1), 25, broadcasts=200, reductions=100)
    yield "no loop 5", NoLoop(53, (5, 1), 400, broadcasts=5)


def vote(groups):
    """The largest loop that most processes agree on: its number of iterations and its certainty."""
    votes = collections.Counter()
    certainties = {}
    for group in groups:
        loop = max(group["loops"], key=lambda l: l["share"], default={"iterations": 0, "certainty": "none"})
        votes[loop["iterations"]] += group["processes"] - len(group["differing"])
        certainties.setdefault(loop["iterations"], loop["certainty"])
    iterations = votes.most_common(1)[0][0]
    return iterations, certainties[iterations]


def main():
    tracefold = sys.argv[1]
    wrong, invented, of = [], [], 0
    with tempfile.TemporaryDirectory() as own:
        for number, (name, program) in enumerate(programs()):
            folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else own) / f"{number:02}"
            folder.mkdir(parents=True)
            Run(str(folder), program.ranks, program.seed, program.program)
            found = subprocess.run([tracefold, "iterations", folder / "traces.otf2", "--loops", "--format", "json", "-q"], check=True,
                                   capture_output=True)
            iterations, certainty = vote(json.loads(found.stdout)["groups"])
            told = 0 if certainty in ("unsure", "none") else iterations
            print(f"{number:02} {name:32} {program.truth:4} {iterations:4} {certainty}{'' if told == program.truth else '  <--'}")
            of += 1
            if told != program.truth:
                (wrong if program.truth else invented).append(name)

    print(f"{of - len(wrong) - len(invented)} of {of} right")
    return len(wrong) > RIGHT_BUT or bool(invented)


sys.exit(main())
