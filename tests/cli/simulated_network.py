"""Simulated programs on a network of which latency, bandwidth and links are known, and whose times vary at random.

Each function of each rank draws random numbers of its own, so that a run with a change and one without it have the same
ones in all that is not changed. Shares no code with tracefold.
"""

import contextlib
import math
import random

from simulated_program import ALLREDUCE, ALLTOALL, BARRIER, BCAST, GATHER, MS, REDUCE, Program, otf2

ALLTOALLV = 9
OPERATIONS = {"MPI_Barrier": BARRIER, "MPI_Bcast": BCAST, "MPI_Gather": GATHER, "MPI_Alltoall": ALLTOALL,
              "MPI_Alltoallv": ALLTOALLV, "MPI_Allreduce": ALLREDUCE, "MPI_Reduce": REDUCE}
OVERHEAD = 3000  # of a call, in ticks
JITTER = 0.1

# Deviates whose mean is zero.
DRAWS = {"uniform": lambda own: own.uniform(-1, 1), "gauss": lambda own: own.gauss(0, 0.5),
         "exponential": lambda own: 0.6 * (own.expovariate(1) - 1)}


class Unwritten(otf2.Archive):
    """Of a run of which only the time is asked."""

    def event(self, *values, **more):
        pass

    def close(self):
        pass


class Network(Program):
    """`folder`: none, where the run is not to be written. `latency`: in milliseconds; `byte_time`: in ticks."""

    def __init__(self, folder, seed, ranks=8, threads=1, noise=0.02, draw="uniform", latency=0.02, byte_time=1, overhead=OVERHEAD):
        super().__init__(folder or "", ranks, threads, per_node=4)
        if not folder:
            self.archive = Unwritten("")
        self.seed, self.noise, self.draw, self.draws = seed, noise, DRAWS[draw], {}
        self.latency, self.byte_time, self.overhead = latency, byte_time, overhead
        self.link = lambda sender, receiver: 1  # by which the time of a message is multiplied
        self.operations = 1  # by which the time of collective operations is

    def seconds(self):
        return (max(self.now) - 1000) / 1e9

    def find_truth(self):
        """Only the time of the run is asked."""

    def vary(self, key, rank, noise=None):
        if (key, rank) not in self.draws:
            self.draws[key, rank] = random.Random(f"{self.seed} {key} {rank}")
        own = self.draws[key, rank]
        return max(0.2, 1 + (self.noise if noise is None else noise) * self.draw(own))

    # -- Computation -------------------------------------------------------------------------------

    def work(self, rank, name, milliseconds, noise=None):
        self.compute(rank, name, milliseconds * self.vary(name, rank, noise))

    def every(self, name, milliseconds, ranks=None, noise=None):
        for rank in range(self.ranks) if ranks is None else ranks:
            self.work(rank, name, milliseconds(rank) if callable(milliseconds) else milliseconds, noise)

    def spend(self, key, milliseconds):
        """Time of the function that is open."""
        for rank in range(self.ranks):
            self.go_to(rank, self.clock(rank) + milliseconds * self.vary(key, rank) * MS)

    @contextlib.contextmanager
    def within(self, name, ranks=None):
        ranks = range(self.ranks) if ranks is None else ranks
        for rank in ranks:
            self.enter(rank, name)
        yield
        for rank in ranks:
            self.leave(rank, name)

    # -- Messages ----------------------------------------------------------------------------------

    def travel(self, sender, receiver, size):
        """Ticks that a message is on its way."""
        latency = self.latency * MS * self.vary(f"message to {receiver}", sender, JITTER)
        return int((latency + size * self.byte_time) * self.link(sender, receiver))

    def send_until(self, sender, receiver, size, end):
        self.enter(sender, "MPI_Send")
        self.event(sender, self.clock(sender), "MpiSend", receiver, 0, 1, size)
        self.go_to(sender, end)
        self.leave(sender, "MPI_Send")

    def put(self, sender, receiver, size=1000):
        """MPI_Send, of a message that is buffered."""
        end = self.clock(sender) + self.overhead
        self.sent[sender, receiver] = end, self.travel(sender, receiver, size), size
        self.send_until(sender, receiver, size, end)

    def get(self, receiver, sender):
        """MPI_Recv."""
        sent, latency, size = self.sent.pop((sender, receiver))
        end = max(self.clock(receiver), sent + latency) + self.overhead
        self.call(receiver, "MPI_Recv", end, sent, ("MpiRecv", sender, 0, 1, size))

    def rendezvous(self, sender, receiver, size):
        """Who comes first waits for the other one."""
        sent, posted = self.clock(sender), self.clock(receiver)
        end = max(sent, posted) + self.travel(sender, receiver, size) + self.overhead
        self.send_until(sender, receiver, size, end)
        self.call(receiver, "MPI_Recv", end, sent, ("MpiRecv", sender, 0, 1, size))

    def exchange(self, near, size, meanwhile=None):
        """With the neighbours of each rank, by requests, while something else is computed."""
        for rank in range(self.ranks):
            for other in near[rank]:
                self.post(rank, other)
        for rank in range(self.ranks):
            for other in near[rank]:
                self.begin_send(rank, other, size, self.travel(rank, other, size))
        if meanwhile:
            meanwhile()
        for rank in range(self.ranks):
            self.wait_all(rank)

    def operate(self, name="MPI_Allreduce", root=None, factor=1, communicator=0):
        """A collective operation; of more ranks it takes longer."""
        rounds = math.ceil(math.log2(len(self.members[communicator])))
        time = int(self.latency * MS * rounds * factor * self.operations * self.vary(name, communicator, JITTER))
        if name == "MPI_Bcast":
            self.bcast(root, time)
        elif root is not None:
            self.gather(root, name, OPERATIONS[name], time)
        else:
            self.together(name, OPERATIONS[name], time, communicator)


def line(ranks):
    """Neighbours of each rank."""
    return [[other for other in (rank - 1, rank + 1) if 0 <= other < ranks] for rank in range(ranks)]


def grid(columns, rows):
    near = []
    for rank in range(columns * rows):
        x, y = rank % columns, rank // columns
        places = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        near.append([b * columns + a for a, b in places if 0 <= a < columns and 0 <= b < rows])
    return near
