#!/usr/bin/env python3
"""Makes a legal trace of a program that uses windows and files: make_records_trace.py FOLDER [RANKS [STEPS [ODDITY…]]]

Even ranks write what odd ones read, rank 0 looks after the files. All records that OTF2 has of
windows and files come in it: windows of all and of some ranks, collectives on them, puts, gets and
atomics with each kind of completion (in the same call, in a later one, tested, remote), epochs of
locks, of groups and of all; a file that all share, with calls of POSIX inside of those of MPI, a file
of each rank's own, a handle that was there before the program began, duplicates, operations that do
not block, and one that is cancelled.

Oddities: no_completion (a put and a write never complete), unknown_window, far_remote (a put to a
rank that its window does not have), unknown_handle (a write to a handle that is not defined).
"""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import otf2_writer as otf2  # noqa: E402

MPI, POSIX = 4, 1
NONE = otf2.UNDEFINED
COMM_LOCATIONS, COMM_GROUP = 4, 5
BARRIER, CREATE_HANDLE, DESTROY_HANDLE = 0, 17, 18
PROCESS_LEVEL = 1
NON_BLOCKING, COLLECTIVE = 1, 2
WORLD, EVEN = 0, 1
WHOLE, PART = 0, 1  # windows
READ, WRITE, FLUSH = 0, 1, 2


class Program:
    def __init__(self, folder, ranks, steps, oddities):
        self.archive, self.ranks, self.steps, self.oddities = otf2.Archive(folder), ranks, steps, oddities
        self.regions, self.now, self.match = {}, [1000] * ranks, [100] * ranks

    def text(self, text):
        return self.archive.string(text)

    def define(self):
        define, text = self.archive.define, self.text
        define("Paradigm", MPI, text("MPI"), 0)
        define("SystemTreeNode", 0, text("machine"), text("machine"), NONE)
        define("SystemTreeNode", 1, text("node 0"), text("node"), 0)
        for rank in range(self.ranks):
            define("LocationGroup", rank, text(f"MPI Rank {rank}"), 1, 1, NONE)
            self.archive.location(rank)

        def group(number, kind, members):
            define("Group", number, text(f"group {number}"), kind, MPI, 0, len(members), otf2.array(members))
        everybody, even = list(range(self.ranks)), list(range(0, self.ranks, 2))
        group(0, COMM_LOCATIONS, everybody)
        group(1, COMM_GROUP, everybody)
        group(2, COMM_GROUP, even)
        define("Comm", WORLD, text("MPI_COMM_WORLD"), 1, NONE, 0)
        define("Comm", EVEN, text("even"), 2, WORLD, 0)
        define("RmaWin", WHOLE, text("window of all"), WORLD, 0)
        define("RmaWin", PART, text("window of some"), EVEN, 0)

        for number, name in enumerate(("POSIX", "MPI-IO")):
            define("IoParadigm", number, text(name), text(name + " I/O"), number, 0, 0, None, None, None)
        define("IoRegularFile", 0, text("/scratch/shared.dat"), 0)
        define("IoHandle", 0, text("shared"), 0, 1, 0, WORLD, NONE)
        define("IoHandle", 1, text("stdout"), NONE, 0, 1, NONE, NONE)
        define("IoPreCreatedHandleState", 1, WRITE, 0)
        for rank in range(self.ranks):  # the shared file by POSIX, an own one, a duplicate, an own output
            file, handle = 1 + rank, 2 + 3 * rank
            define("IoRegularFile", file, text(f"/tmp/own.{rank}"), 1)
            define("IoHandle", handle, text("posix"), 0, 0, 0, NONE, 0)
            define("IoHandle", handle + 1, text(f"own {rank}"), file, 0, 0, NONE, NONE)
            define("IoHandle", handle + 2, text(f"twin {rank}"), file, 0, 0, NONE, NONE)

    def region(self, name):
        if name not in self.regions:
            number = self.regions[name] = len(self.regions)
            paradigm = MPI if name.startswith("MPI_") else POSIX
            self.archive.define("Region", number, self.text(name), self.text(name), 0, 1, paradigm, 0, 0, 0, 0)
        return self.regions[name]

    def event(self, rank, kind, *values):
        self.now[rank] += 5 + rank % 3
        self.archive.event(rank, self.now[rank], kind, *values)

    def call(self, rank, name, *records):
        """Records, and calls inside of this one as functions."""
        self.now[rank] += 40 + 7 * rank
        self.event(rank, "Enter", self.region(name))
        for record in records:
            if callable(record):
                record()
            else:
                self.event(rank, *record)
        self.event(rank, "Leave", self.region(name))

    def new_match(self, rank):
        self.match[rank] += 7
        return self.match[rank]

    def together(self):
        self.now = [max(self.now) + 10] * self.ranks

    def all_on_window(self, name, window, operation, *inside, before=True):
        """A collective call of the ranks of a window."""
        self.together()
        for rank in range(0, self.ranks, 1 if window == WHOLE else 2):
            records = [record(rank) if callable(record) else record for record in inside]
            end = ("RmaCollectiveEnd", operation, PROCESS_LEVEL, window, NONE, 0, 0)
            self.call(rank, name, ("RmaCollectiveBegin",), *(records + [end] if before else [end] + records))
        self.together()

    # -- windows ------------------------------------------------------------------

    def put_and_fence(self, step):
        """Neighbours put and get; all is complete with the fence."""
        open_operations = {}
        for rank in range(self.ranks):
            right, left, own = (rank + 1) % self.ranks, (rank - 1) % self.ranks, open_operations.setdefault(rank, [])
            for remote, size in ((right, 64 * (rank + 1)), (left, 128)):
                own.append(self.new_match(rank))
                self.call(rank, "MPI_Put", ("RmaPut", WHOLE, remote, size, own[-1]))
            if rank % 2:
                own.append(self.new_match(rank))
                self.call(rank, "MPI_Get", ("RmaGet", WHOLE, left, 32 + rank, own[-1]))
        self.all_on_window("MPI_Win_fence", WHOLE, BARRIER)
        self.together()
        for rank in range(self.ranks):
            done = [(kind, WHOLE, match) for kind in ("RmaOpCompleteNonBlocking", "RmaOpCompleteRemote")
                    for match in open_operations[rank]]
            if step == 1 and rank == 1 and "no_completion" in self.oddities:
                done = done[1:]
            self.call(rank, "MPI_Win_fence", ("RmaCollectiveBegin",), *done,
                      ("RmaCollectiveEnd", BARRIER, PROCESS_LEVEL, WHOLE, NONE, 0, 0))
        self.together()

    def request_based_put(self, rank):
        match, other = self.new_match(rank), self.new_match(rank)
        remote = (rank + 2) % self.ranks
        self.call(rank, "MPI_Rput", ("RmaPut", WHOLE, remote, 512, match))
        self.call(rank, "MPI_Fetch_and_op", ("RmaAtomic", WHOLE, remote, 5, 8, 8, other))
        self.call(rank, "MPI_Test", ("RmaOpTest", WHOLE, match))
        self.call(rank, "MPI_Wait", ("RmaOpCompleteNonBlocking", WHOLE, match))
        self.call(rank, "MPI_Win_flush", ("RmaOpCompleteRemote", WHOLE, match), ("RmaOpCompleteBlocking", WHOLE, other))

    def lock_epoch(self, rank):
        match, remote = self.new_match(rank), (rank + self.ranks // 2) % self.ranks
        self.call(rank, "MPI_Win_lock", ("RmaRequestLock", WHOLE, remote, 9, 1), ("RmaAcquireLock", WHOLE, remote, 9, 1))
        self.call(rank, "MPI_Put", ("RmaPut", WHOLE, remote, 1000 + rank, match))
        self.call(rank, "MPI_Win_unlock", ("RmaOpCompleteRemote", WHOLE, match), ("RmaReleaseLock", WHOLE, remote, 9))

    def lock_all(self, rank):
        self.call(rank, "MPI_Win_lock_all", ("RmaRequestLock", WHOLE, NONE, 1, 1), ("RmaAcquireLock", WHOLE, NONE, 1, 1))
        self.call(rank, "MPI_Win_sync", ("RmaSync", WHOLE, rank, 0))
        self.call(rank, "MPI_Win_unlock_all", ("RmaReleaseLock", WHOLE, NONE, 1))

    def group_epoch(self, rank):
        """Of even ranks, on the window that they share."""
        number, size = rank // 2, (self.ranks + 1) // 2
        match = self.new_match(rank)
        self.call(rank, "MPI_Win_post", ("RmaGroupSync", 2, PART, 2))
        self.call(rank, "MPI_Win_start", ("RmaGroupSync", 2, PART, 2))
        self.call(rank, "MPI_Put", ("RmaPut", PART, (number + 1) % size, 4 * rank, match))
        self.call(rank, "MPI_Win_complete", ("RmaOpCompleteRemote", PART, match), ("RmaGroupSync", 2, PART, 2))
        self.call(rank, "MPI_Win_wait", ("RmaWaitChange", PART))

    # -- files --------------------------------------------------------------------

    def own_handles(self, rank):
        return [2 + 3 * rank + k for k in range(3)]

    def write_shared(self, rank, step):
        """MPI's call writes by POSIX."""
        posix, match, inner = self.own_handles(rank)[0], self.new_match(rank), self.new_match(rank)
        size = 4096 * (1 + rank % 2)

        def write():
            self.call(rank, "pwrite64", ("IoOperationBegin", posix, WRITE, 0, size, inner),
                      ("IoOperationComplete", posix, size, inner))
        self.call(rank, "MPI_File_write_at_all", ("IoOperationBegin", 0, WRITE, COLLECTIVE, size, match), write,
                  ("IoOperationComplete", 0, size, match))

    def use_own_file(self, rank, step):
        _, own, twin = self.own_handles(rank)
        match = self.new_match(rank)
        lost = "no_completion" in self.oddities and rank == 2 and step == 0
        self.call(rank, "write", ("IoOperationBegin", own, WRITE, 0, 100 + 10 * rank, match),
                  *([] if lost else [("IoOperationComplete", own, 90 + 10 * rank, match)]))
        self.call(rank, "lseek", ("IoSeek", own, -8 if step == 2 else 8 * rank, 1, 16 * rank))
        if step == 1:
            self.call(rank, "dup", ("IoDuplicateHandle", own, twin, 1))
            self.call(rank, "fcntl", ("IoChangeStatusFlags", twin, 4), ("IoTryLock", twin, 1), ("IoAcquireLock", twin, 1))
            asked, dropped = self.new_match(rank), self.new_match(rank)
            self.call(rank, "aio_write", ("IoOperationBegin", twin, WRITE, NON_BLOCKING, 77, asked),
                      ("IoOperationIssued", twin, asked))
            self.call(rank, "aio_read", ("IoOperationBegin", own, READ, NON_BLOCKING, 55, dropped),
                      ("IoOperationIssued", own, dropped))
            self.call(rank, "aio_error", ("IoOperationTest", twin, asked))
            self.call(rank, "aio_cancel", ("IoOperationCancelled", own, dropped))
            self.call(rank, "aio_return", ("IoOperationComplete", twin, 77, asked))
            self.call(rank, "close", ("IoReleaseLock", twin, 1), ("IoDestroyHandle", twin))

    def open_files(self, rank):
        posix, own, _ = self.own_handles(rank)
        self.call(rank, "MPI_File_open", lambda: self.call(rank, "open64", ("IoCreateHandle", posix, 2, 1, 0)),
                  ("IoCreateHandle", 0, 2, 1, 0))
        self.call(rank, "open64", ("IoCreateHandle", own, 2, 5, 2))

    def close_files(self, rank):
        posix, own, _ = self.own_handles(rank)
        self.call(rank, "close", ("IoDestroyHandle", own))
        self.call(rank, "MPI_File_close", lambda: self.call(rank, "close", ("IoDestroyHandle", posix)),
                  ("IoDestroyHandle", 0))
        if rank == 0:
            self.call(rank, "unlink", ("IoDeleteFile", 0, 1))

    def report(self, rank, step):
        if rank == 0:
            match = self.new_match(rank)
            self.call(rank, "printf", ("IoOperationBegin", 1, WRITE, 0, 20 + step, match),
                      ("IoOperationComplete", 1, 20 + step, match))

    def add_oddities(self):
        if "unknown_window" in self.oddities:
            self.call(1, "MPI_Put", ("RmaPut", 77, 0, 8, 1))
            self.call(1, "MPI_Win_free", ("RmaWinDestroy", 78))
        if "far_remote" in self.oddities:
            self.call(1, "MPI_Put", ("RmaPut", WHOLE, self.ranks + 5, 8, 1))
            self.call(1, "MPI_Win_sync", ("RmaSync", WHOLE, self.ranks + 5, 0))
        if "unknown_handle" in self.oddities:
            self.call(1, "write", ("IoOperationBegin", 999, WRITE, 0, 8, 1), ("IoOperationComplete", 999, 8, 1))
            self.call(1, "write", ("IoOperationComplete", 10, 8, 12345))

    def run(self):
        self.define()
        for rank in range(self.ranks):
            self.event(rank, "Enter", self.region("main"))
            self.call(rank, "MPI_Init")
            self.open_files(rank)
        for window in (WHOLE, PART):
            self.all_on_window("MPI_Win_create", window, CREATE_HANDLE, ("RmaWinCreate", window))
        for step in range(self.steps):
            self.put_and_fence(step)
            for rank in range(self.ranks):
                self.request_based_put(rank)
                (self.group_epoch if rank % 2 == 0 else self.lock_epoch)(rank)
                if rank % 2:
                    self.lock_all(rank)
                self.write_shared(rank, step)
                self.use_own_file(rank, step)
                self.report(rank, step)
            self.together()
            for rank in range(self.ranks):
                self.call(rank, "MPI_Barrier", ("MpiCollectiveBegin",), ("MpiCollectiveEnd", BARRIER, WORLD, NONE, 0, 0))
            self.together()
        self.add_oddities()
        for window in (PART, WHOLE):
            self.all_on_window("MPI_Win_free", window, DESTROY_HANDLE, ("RmaWinDestroy", window), before=False)
        for rank in range(self.ranks):
            self.close_files(rank)
            self.call(rank, "MPI_Finalize")
            self.event(rank, "Leave", self.region("main"))
            self.archive.define("Location", rank, self.text("Master thread"), 1, len(self.archive.events[rank]), rank)
        self.archive.close()


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:4]] + [8, 3][len(sys.argv) - 2:]
    Program(sys.argv[1], *numbers, set(sys.argv[4:])).run()
