"""Simulated programs: what they record, as archives of OTF2, and what is true of them.

Ranks compute, send messages, and meet in collective operations; threads and streams work beside them. Shares no code with
tracefold.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import otf2_writer as otf2  # noqa: E402

UNKNOWN, COMPILER, OPENMP, MPI, CUDA = 0, 2, 3, 4, 5
NONE = otf2.UNDEFINED
BARRIER, BCAST, GATHER, ALLTOALL, ALLREDUCE, REDUCE = 0, 1, 2, 8, 11, 12
MS = 1_000_000  # ticks
LATENCY = MS // 200


class Program:
    """Ranks whose clocks go on as they compute and communicate, and what they did in all steps."""

    network = 1  # by which times of messages and operations are multiplied
    init = 20  # milliseconds of MPI_Init

    def __init__(self, folder, ranks=8, threads=1, per_node=2, tick=1):
        """`tick`: what the clock that is recorded counts."""
        self.archive, self.ranks, self.threads, self.per_node = otf2.Archive(folder), ranks, threads, per_node
        self.tick = tick
        self.regions, self.now = {}, [1000] * (ranks * threads)
        self.begin, self.end = [None] * ranks, [0] * ranks
        self.mpi, self.waited, self.file, self.written = ([0] * ranks for _ in range(4))
        define, text = self.archive.define, self.archive.string
        define("Paradigm", MPI, text("MPI"), 0)
        define("SystemTreeNode", 0, text("cluster"), text("machine"), NONE)
        for node in range((ranks + per_node - 1) // per_node):
            define("SystemTreeNode", 1 + node, text(f"node{node:02}"), text("node"), 0)
        for rank in range(ranks):
            define("LocationGroup", rank, text(f"MPI Rank {rank}"), 1, 1 + rank // per_node, NONE)
        for location in range(ranks * threads):
            self.archive.location(location)
        masters = [rank * threads for rank in range(ranks)]
        define("Group", 0, text("locations"), 4, MPI, 0, ranks, otf2.array(masters))
        define("Group", 1, text("world"), 5, MPI, 0, ranks, otf2.array(list(range(ranks))))
        define("Comm", 0, text("MPI_COMM_WORLD"), 1, NONE, 0)
        self.members = [list(range(ranks))]  # by communicator
        self.requests, self.begun, self.has_window = 0, {}, False
        self.sent, self.posted, self.sending = ({} for _ in range(3))  # messages that do not block

    def region(self, name):
        if name not in self.regions:
            number = self.regions[name] = len(self.regions)
            paradigm = MPI if name.startswith("MPI_") else OPENMP if name.startswith("!$omp") else COMPILER
            role = 27 if name == "fwrite" else 0  # OTF2_REGION_ROLE_FILE_IO
            self.archive.define("Region", number, self.archive.string(name), self.archive.string(name), 0, role,
                                paradigm, 0, 0, 0, 0)
        return self.regions[name]

    def event(self, rank, time, kind, *values, thread=0):
        self.archive.event(rank * self.threads + thread, int(time) // self.tick * self.tick, kind, *values)

    def clock(self, rank):
        return self.now[rank * self.threads]

    def enter(self, rank, name):
        self.event(rank, self.clock(rank), "Enter", self.region(name))

    def leave(self, rank, name):
        self.event(rank, self.clock(rank), "Leave", self.region(name))

    def go_to(self, rank, time):
        self.now[rank * self.threads] = int(time)

    def compute(self, rank, name, milliseconds):
        self.enter(rank, name)
        begin = self.clock(rank)
        self.go_to(rank, begin + milliseconds * MS)
        self.leave(rank, name)
        if name == "fwrite":
            self.written[rank] += self.clock(rank) - begin

    # -- MPI: each call knows when it begins, waits until, and ends -------------------

    def call(self, rank, name, end, until, *records):
        begin = self.clock(rank)
        self.enter(rank, name)
        for record in records[:-1]:
            self.event(rank, begin, *record)
        self.event(rank, end, *records[-1])
        self.go_to(rank, end)
        self.leave(rank, name)
        self.mpi[rank] += end - begin
        self.waited[rank] += min(max(until - begin, 0), end - begin)

    def add_communicator(self, ranks):
        number = len(self.members)
        self.members.append(list(ranks))
        name = self.archive.string(f"part {number}")
        self.archive.define("Group", 1 + number, name, 5, MPI, 0, len(ranks), otf2.array(list(ranks)))
        self.archive.define("Comm", number, name, 1 + number, 0, 0)
        return number

    def together(self, name, operation, latency=LATENCY, communicator=0):
        latency *= self.network
        last = max(self.clock(rank) for rank in self.members[communicator])
        for rank in self.members[communicator]:
            self.call(rank, name, last + latency, last, ("MpiCollectiveBegin",),
                      ("MpiCollectiveEnd", operation, communicator, NONE, 8, 8))

    def barrier(self):
        self.together("MPI_Barrier", BARRIER)

    def allreduce(self):
        self.together("MPI_Allreduce", ALLREDUCE)

    def begin_together(self, name="MPI_Iallreduce"):
        """An operation that does not block, of all ranks."""
        self.requests += 1
        self.begun[self.requests] = max(self.clock(rank) for rank in range(self.ranks))
        for rank in range(self.ranks):
            self.call(rank, name, self.clock(rank) + LATENCY // 10, 0, ("NonBlockingCollectiveRequest", self.requests))
        return self.requests

    def end_together(self, request, operation=ALLREDUCE, name="MPI_Wait"):
        last = self.begun.pop(request)
        for rank in range(self.ranks):
            end = max(self.clock(rank) + LATENCY // 10, last + LATENCY * self.network)
            self.call(rank, name, end, last,
                      ("NonBlockingCollectiveComplete", operation, 0, NONE, 8, 8, request))

    def fence(self):
        """MPI_Win_fence of all ranks."""
        if not self.has_window:
            self.archive.define("RmaWin", 0, self.archive.string("window"), 0, 0)
            self.has_window = True
        last = max(self.clock(rank) for rank in range(self.ranks))
        for rank in range(self.ranks):
            self.call(rank, "MPI_Win_fence", last + LATENCY * self.network, last, ("RmaCollectiveBegin",),
                      ("RmaCollectiveEnd", BARRIER, 3, 0, NONE, 0, 0))

    def bcast(self, root, latency=LATENCY):
        begun, latency = self.clock(root), latency * self.network
        for rank in range(self.ranks):
            until = begun if rank != root else 0
            self.call(rank, "MPI_Bcast", max(self.clock(rank), begun) + latency, until, ("MpiCollectiveBegin",),
                      ("MpiCollectiveEnd", BCAST, 0, root, 8, 8))

    def gather(self, root, name="MPI_Gather", operation=GATHER, latency=LATENCY):
        """Only the root waits, for the last of all."""
        last, latency = max(self.clock(rank) for rank in range(self.ranks)), latency * self.network
        for rank in range(self.ranks):
            begun, until = self.clock(rank), last if rank == root else 0
            self.call(rank, name, max(begun, until) + latency, until, ("MpiCollectiveBegin",),
                      ("MpiCollectiveEnd", operation, 0, root, 8, 8))

    def send(self, sender, receiver, size=1000, latency=LATENCY):
        """Buffered: only the receiver waits."""
        sent, latency = self.clock(sender), latency * self.network
        self.call(sender, "MPI_Send", sent + latency, 0, ("MpiSend", receiver, 0, 1, size))
        self.call(receiver, "MPI_Recv", max(sent, self.clock(receiver)) + latency, sent, ("MpiRecv", sender, 0, 1, size))

    def send_synchronously(self, sender, receiver, size=1000):
        """Who comes first waits for the other one."""
        sent, posted = self.clock(sender), self.clock(receiver)
        end = max(sent, posted) + LATENCY * self.network
        self.call(sender, "MPI_Ssend", end, posted, ("MpiSend", receiver, 0, 1, size))
        self.call(receiver, "MPI_Recv", end, sent, ("MpiRecv", sender, 0, 1, size))

    def post(self, rank, sender):
        """MPI_Irecv."""
        self.requests += 1
        self.posted.setdefault(rank, []).append((sender, self.requests))
        self.call(rank, "MPI_Irecv", self.clock(rank) + LATENCY // 10, 0, ("MpiIrecvRequest", self.requests))

    def begin_send(self, rank, receiver, size=1000, latency=LATENCY):
        """MPI_Isend, of a message that is on its way for so long, whatever its ends do."""
        self.requests += 1
        self.sending.setdefault(rank, []).append(self.requests)
        self.sent[rank, receiver] = self.clock(rank), latency * self.network, size
        self.call(rank, "MPI_Isend", self.clock(rank) + LATENCY // 10, 0, ("MpiIsend", receiver, 0, 1, size, self.requests))

    def wait_all(self, rank, name="MPI_Waitall"):
        """Until all that was posted is there; all of it has to be under way."""
        begin, end, until, records = self.clock(rank), self.clock(rank), 0, []
        for request in self.sending.pop(rank, []):
            records.append(("MpiIsendComplete", request))
        for sender, request in self.posted.pop(rank, []):
            sent, latency, size = self.sent.pop((sender, rank))
            end, until = max(end, sent + latency), max(until, sent)
            records.append(("MpiIrecv", sender, 0, 1, size, request))
        end += LATENCY // 10
        self.enter(rank, name)
        for record in records:
            self.event(rank, end, *record)
        self.go_to(rank, end)
        self.leave(rank, name)
        self.mpi[rank] += end - begin
        self.waited[rank] += min(max(until - begin, 0), end - begin)

    # -- threads ---------------------------------------------------------------------

    def parallel(self, rank, name, milliseconds):
        """Each thread computes so long, and waits for the others; none: it is not there."""
        begin = self.clock(rank)
        end = begin + int(max(time or 0 for time in milliseconds) * MS) + LATENCY
        for thread, time in enumerate(milliseconds):
            if time is None:
                continue
            done = begin + int(time * MS)
            self.record(rank, thread, ("!$omp parallel @solve.c:10", begin, end, (
                (name, begin, done, ()), ("!$omp implicit barrier @solve.c:20", done, end, ()))))
        self.go_to(rank, end)

    def record(self, rank, thread, call):
        """A call of a thread: name, begin, end, and calls in it."""
        name, begin, end, calls = call
        self.event(rank, begin, "Enter", self.region(name), thread=thread)
        for one in calls:
            self.record(rank, thread, one)
        self.event(rank, end, "Leave", self.region(name), thread=thread)

    # -- the program -----------------------------------------------------------------

    def run(self, steps, step, outside=None, before=None):
        """Main loop: step(program, number), between calls of `timestep` of all ranks."""
        for rank in range(self.ranks):
            self.enter(rank, "main")
            self.enter(rank, "MPI_Init")
            self.go_to(rank, self.clock(rank) + self.init * MS)
            self.leave(rank, "MPI_Init")
            self.compute(rank, "read_input", 1)
        if before:
            before(self)
        self.mpi, self.waited = [0] * self.ranks, [0] * self.ranks
        for number in range(steps):
            for rank in range(self.ranks):
                if self.begin[rank] is None:
                    self.begin[rank] = self.clock(rank)
                self.enter(rank, "timestep")
            step(self, number)
            for rank in range(self.ranks):
                self.leave(rank, "timestep")
                self.end[rank] = self.clock(rank)
        self.truth = self.find_truth()
        if outside:
            outside(self)
        for rank in range(self.ranks):
            self.enter(rank, "MPI_Finalize")
            self.go_to(rank, self.clock(rank) + MS)
            self.leave(rank, "MPI_Finalize")
            self.leave(rank, "main")
        self.define_locations()
        self.archive.close()

    def define_locations(self):
        for location, events in self.archive.events.items():
            self.archive.define("Location", location, self.archive.string(f"thread {location % self.threads}"), 1,
                                len(events), location // self.threads)

    def runtime(self):
        return max(self.end) - min(self.begin)

    def find_truth(self):
        runtime = self.runtime()
        useful = [self.end[r] - self.begin[r] - self.mpi[r] - self.written[r] for r in range(self.ranks)]
        io = [self.file[r] + self.written[r] for r in range(self.ranks)]
        busy = [useful[r] + io[r] for r in range(self.ranks)]
        truth = {"load_balance": sum(busy) / self.ranks / max(busy), "communication": max(busy) / runtime,
                 "parallel": sum(useful) / self.ranks / runtime}
        return truth | ({"io": sum(useful) / sum(busy)} if sum(io) else {})

    def add_ideal(self, ideal):
        """`ideal`: the same program on a network without latency."""
        self.truth["transfer"] = ideal.runtime() / self.runtime()
        self.truth["serialisation"] = self.truth["communication"] / self.truth["transfer"]


class StreamProgram(Program):
    """Each rank has a stream of an accelerator, or several, on which kernels run one behind the other."""

    def __init__(self, folder, ranks=4, streams=1):
        super().__init__(folder, ranks)
        self.streams, self.free, self.copies = streams, {}, 0
        for stream in range(ranks * streams):
            self.archive.location(ranks + stream)
            self.free[ranks + stream] = 0
        define, text, members = self.archive.define, self.archive.string, ranks * streams
        define("Paradigm", CUDA, text("CUDA"), 5)
        define("Group", 1000, text("streams"), 4, CUDA, 0, members, otf2.array(list(self.free)))
        define("Group", 1001, text("device"), 5, CUDA, 0, members, otf2.array(list(range(members))))
        define("Comm", 1000, text("device"), 1001, NONE, 0)
        define("RmaWin", 0, text("device"), 1000, 0)

    def define_locations(self):
        for rank in range(self.ranks):
            self.archive.define("Location", rank, self.archive.string("thread"), 1, len(self.archive.events[rank]), rank)
        for stream in self.free:
            number = stream - self.ranks
            self.archive.define("Location", stream, self.archive.string(f"CUDA[0:{7 + number % self.streams}]"), 2,
                                len(self.archive.events[stream]), number // self.streams)

    def launch(self, rank, kernel, milliseconds, stream=0):
        self.compute(rank, "cudaLaunchKernel", 0.01)
        location = self.ranks + rank * self.streams + stream
        begin = max(self.clock(rank), self.free[location])
        self.free[location] = end = int(begin + milliseconds * MS)
        self.archive.event(location, begin, "Enter", self.region(kernel))
        self.archive.event(location, end, "Leave", self.region(kernel))

    def copy(self, rank, milliseconds, stream=0, size=1000):
        """From the host, as Score-P records it: an operation on a window, outside of calls."""
        location = self.ranks + rank * self.streams + stream
        begin = max(self.clock(rank), self.free[location])
        self.free[location] = end = int(begin + milliseconds * MS)
        self.copies += 1
        self.archive.event(location, begin, "RmaGet", 0, 0, size, self.copies)
        self.archive.event(location, end, "RmaOpCompleteBlocking", 0, self.copies)

    def meet_on_streams(self, name, milliseconds, stream=0):
        """A collective operation on such a stream of all ranks, that is over so long after the last one begins it."""
        begins = []
        for rank in range(self.ranks):
            self.compute(rank, "cudaLaunchKernel", 0.01)
            begins.append(max(self.clock(rank), self.free[self.ranks + rank * self.streams + stream]))
        end = int(max(begins) + milliseconds * MS)
        for rank, begin in enumerate(begins):
            location = self.ranks + rank * self.streams + stream
            self.archive.event(location, begin, "Enter", self.region(name))
            self.archive.event(location, end, "Leave", self.region(name))
            self.free[location] = end

    def synchronise(self, rank, name="cudaStreamSynchronize", stream=0):
        location = self.ranks + rank * self.streams + stream
        self.enter(rank, name)
        self.go_to(rank, max(self.clock(rank), self.free[location]) + LATENCY)
        self.leave(rank, name)
