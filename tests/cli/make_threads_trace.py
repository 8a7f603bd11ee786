#!/usr/bin/env python3
"""Makes a legal trace of two ranks with three threads each: make_threads_trace.py FOLDER STYLE

What each thread does by STYLE: `apart` (thread 0 sends or receives, 1 computes, 2 writes), or `opens`
(thread 0 only opens and closes a file, 1 sends or receives, 2 computes). Thread 0 of `apart` opens a
directory, too, whose id is smaller than that of the file.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "legal_traces"))
import otf2_writer as otf2  # noqa: E402

MPI, POSIX, NONE = 4, 1, otf2.UNDEFINED
RANKS, THREADS = 2, 3
DIRECTORY, FILE = 0, 1


class Program:
    def __init__(self, folder):
        self.archive, self.regions, self.now = otf2.Archive(folder), {}, [1000] * (RANKS * THREADS)

    def define(self):
        define, text = self.archive.define, self.archive.string
        define("Paradigm", MPI, text("MPI"), 0)
        define("SystemTreeNode", 0, text("machine"), text("machine"), NONE)
        for rank in range(RANKS):
            define("LocationGroup", rank, text(f"MPI Rank {rank}"), 1, 0, NONE)
        for location in range(RANKS * THREADS):
            self.archive.location(location)
        define("Group", 0, text("locations"), 4, MPI, 0, RANKS, otf2.array([rank * THREADS for rank in range(RANKS)]))
        define("Group", 1, text("world"), 5, MPI, 0, RANKS, otf2.array(list(range(RANKS))))
        define("Comm", 0, text("MPI_COMM_WORLD"), 1, NONE, 0)
        define("IoParadigm", 0, text("POSIX"), text("POSIX I/O"), 0, 0, 0, None, None, None)
        define("IoDirectory", DIRECTORY, text("/scratch"), 0)
        define("IoRegularFile", FILE, text("/scratch/file"), 0)
        define("IoHandle", 0, text("directory"), DIRECTORY, 0, 0, NONE, NONE)
        define("IoHandle", 1, text("file"), FILE, 0, 0, NONE, NONE)

    def region(self, name):
        if name not in self.regions:
            number = self.regions[name] = len(self.regions)
            paradigm = MPI if name.startswith("MPI_") else POSIX
            self.archive.define("Region", number, self.archive.string(name), self.archive.string(name), 0, 1, paradigm,
                                0, 0, 0, 0)
        return self.regions[name]

    def event(self, location, kind, *values):
        self.now[location] += 10
        self.archive.event(location, self.now[location], kind, *values)

    def call(self, location, name, *records):
        self.event(location, "Enter", self.region(name))
        for record in records:
            self.event(location, *record)
        self.event(location, "Leave", self.region(name))

    def talk(self, location, rank):
        if rank == 0:
            self.call(location, "MPI_Send", ("MpiSend", 1, 0, 7, 64))
        else:
            self.now[location] += 1000
            self.call(location, "MPI_Recv", ("MpiRecv", 0, 0, 7, 64))

    def run(self, style):
        self.define()
        for rank in range(RANKS):
            first, second, third = range(rank * THREADS, (rank + 1) * THREADS)
            for thread, location in enumerate((first, second, third)):
                self.event(location, "Enter", self.region("worker" if thread else "main"))
            if style == "apart":
                self.talk(first, rank)
                self.call(first, "opendir", ("IoCreateHandle", 0, 2, 1, 0))
                self.call(second, "compute")
                self.call(third, "write", ("IoOperationBegin", 1, 1, 0, 100, 5), ("IoOperationComplete", 1, 100, 5))
            else:
                self.call(first, "open", ("IoCreateHandle", 1, 2, 1, 0))
                self.talk(second, rank)
                self.call(third, "compute")
                self.call(first, "close", ("IoDestroyHandle", 1))
            for thread, location in enumerate((first, second, third)):
                self.event(location, "Leave", self.region("worker" if thread else "main"))
                self.archive.define("Location", location, self.archive.string(f"thread {thread}"), 1,
                                    len(self.archive.events[location]), rank)
        self.archive.close()


if __name__ == "__main__":
    Program(sys.argv[1]).run(sys.argv[2])
