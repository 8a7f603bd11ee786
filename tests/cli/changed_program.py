"""A program with a change, and programs that changes are made of. Shares no code with tracefold."""

import heapq

from simulated_network import Network, grid, line

CHANGES, KNOWN_WRONG = {}, {}


class Change:
    """`told`: sizes with which the program has the change that is told, and without it."""

    def __init__(self, name, build, says, a, b, told):
        self.name, self.build, self.says, self.options, self.told = name, build, says, {"a": a, "b": b}, told

    def run(self, side, sizes, folder=None):
        program = Network(folder and f"{folder}/{side}", f"{self.name} {side}", **self.options[side])
        self.build(program, *sizes)
        return program.seconds()

    def make(self, folder):
        """Writes A and B; what the change costs, and how long B takes, in seconds."""
        count = len(self.told[0])
        self.run("a", (0,) * count, folder)
        seconds = self.run("b", (1,) * count, folder)
        changed, unchanged = (seconds if all(sizes) else self.run("b", sizes) for sizes in self.told)
        return changed - unchanged, seconds


def change(says, a=None, b=None, told=((1,), (0,)), into=CHANGES, **options):
    """`a`, `b`: options of one of both runs."""
    def register(build):
        name = build.__name__.replace("_", " ")
        assert name not in CHANGES.keys() | KNOWN_WRONG.keys()
        into[name] = Change(name, build, says, {**options, **(a or {})}, {**options, **(b or {})}, told)
        return build
    return register


# -- Programs -------------------------------------------------------------------------------------


def halo(p, near, size):
    """With the neighbours of each rank; `size`: or that of a rank."""
    for rank in range(p.ranks):
        for other in near[rank]:
            p.put(rank, other, size(rank) if callable(size) else size)
    for rank in range(p.ranks):
        for other in near[rank]:
            p.get(rank, other)


def stencil(p, steps=20, kernel=8, update=3, near=None, size=4000, exchange=halo, sums=1, setup=15, write=5, more=None,
            slow=lambda rank, step: 1, end=None):
    def step(p, n):
        p.every("stencil", lambda rank: kernel * slow(rank, n))
        with p.within("halo"):
            exchange(p, near or line(p.ranks), size)
        p.every("update", update)
        if more:
            more(p, n)
        for _ in range(sums):
            p.operate()

    def begin(p):
        p.every("setup", setup)
        p.operate("MPI_Barrier")

    def write_output(p):
        if end:
            end(p)
        p.every("write_output", write)
        p.operate("MPI_Barrier")
    p.run(steps, step, before=begin, outside=write_output)


def krylov(p, steps=12, inner=3, dots=2, reduce=Network.operate):
    near = grid(4, p.ranks // 4)

    def step(p, n):
        p.every("residual", 1.5)
        with p.within("cg"):
            for _ in range(inner):
                with p.within("spmv"):
                    p.exchange(near, 4000, lambda: p.every("multiply", 2))
                p.every("precondition", 0.8)
                for _ in range(dots):
                    with p.within("dot"):
                        p.every("dot_local", 0.05)
                        reduce(p)
    p.run(steps, step, before=lambda p: p.every("assemble", 20))


def butterfly(p, steps=12, size=100_000, parts=1):
    def step(p, n):
        distance = 1
        while distance < p.ranks:
            p.every("fft_local", 2)
            with p.within("transpose"):
                for _ in range(parts):
                    halo(p, [[rank ^ distance] for rank in range(p.ranks)], size // parts)
            distance *= 2
        p.operate()
    p.run(steps, step)


def pipeline(p, items=30, stage=lambda rank: 4):
    """Each rank takes items from the one before."""
    def work(p):
        p.every("load_weights", 10)
        p.operate("MPI_Barrier")
        for _ in range(items):
            for rank in range(p.ranks):
                with p.within("process_item", [rank]):
                    if rank:
                        p.get(rank, rank - 1)
                    else:
                        p.work(rank, "read_frame", 0.8)
                    p.work(rank, "filter", stage(rank))
                    if rank + 1 < p.ranks:
                        p.put(rank, rank + 1, 20_000)
        p.operate("MPI_Barrier")
    p.run(0, None, before=work)


def master(p, tasks=140, task=lambda worker: 6, schedule=0.1, setup=10, ends=True):
    """Rank 0 gives a task to whoever is free; `ends`: and tells when there is none."""
    ready = []

    def give(worker):
        p.work(0, "schedule", schedule)
        p.put(0, worker, 500)
        p.get(worker, 0)
        p.work(worker, "work_on_task", task(worker))
        heapq.heappush(ready, (p.clock(worker), worker))
        p.put(worker, 0, 2000)

    def work(p):
        workers = range(1, p.ranks)
        p.every("setup", setup)
        p.operate("MPI_Bcast", 0)
        with p.within("master", [0]), p.within("worker", workers):
            for worker in workers:
                give(worker)
            for number in range(tasks):
                _, worker = heapq.heappop(ready)
                p.get(0, worker)
                p.work(0, "collect", 0.05)
                if number < tasks - len(workers):
                    give(worker)
                elif ends:
                    p.put(0, worker, 8)
                    p.get(worker, 0)
        p.operate("MPI_Barrier")
    p.run(0, None, before=work)


def multigrid(p, levels=3, smooth=lambda level: 3):
    near = grid(p.ranks // 2, 2)

    def cycle(level):
        with p.within("vcycle"):
            p.every("smooth", smooth(level))
            p.exchange(near, 8000 >> level)
            if level + 1 < levels:
                p.every("restrict", 0.8 / 2**level)
                cycle(level + 1)
                p.every("prolong", 0.8 / 2**level)
            else:
                p.every("coarse_solve", 1)
                p.operate()
    p.run(15, lambda p, n: cycle(0))


def threaded(p, kernel, steps=20):
    def step(p, n):
        p.every("assemble", 1)
        for rank in range(p.ranks):
            p.parallel(rank, "kernel", [kernel(rank, thread) * p.vary(f"thread {thread}", rank) for thread in range(p.threads)])
        p.operate()
    p.run(steps, step)
