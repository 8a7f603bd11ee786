#!/usr/bin/env python3
"""What a team costs against one process: processor time and memory of `group` and `reduce`, with one thread each.

usage: measure.py BUILD_FOLDER [RANKS [ROUNDS]]

Makes three traces in a folder for temporary files (3 GB): 32 locations with 2,000,000 events each, 65,536 locations with 500 events each, and a
very small one, whose figures are taken off. Processor time is that of all ranks, user and system; memory is that of the largest
rank. Prints medians of ROUNDS rounds (3) with RANKS ranks (8), under the first MPI that is installed. Takes some minutes.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from launch import Run, find_launchers


def measure(log, command):
    """Runs a command, and adds its processor time (s) and memory (KiB) to a file: what each rank is started as."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    with open(log, "a", encoding="ascii") as out:
        out.write(f"{used.ru_utime + used.ru_stime} {used.ru_maxrss}\n")
    sys.exit(os.waitstatus_to_exitcode(status))


class Bench:
    def __init__(self, build, work, ranks):
        self.work, self.ranks = work, ranks
        mpi, self.launcher = next(iter(find_launchers().items()))
        self.alone = build / "cli/tracefold"
        self.member = build / f"tests/distributed/tracefold-mpi.{mpi}"

    def run(self, program, command, trace):
        """Processor time of all processes (s), and memory of the largest one (MiB)."""
        log = self.work / "used"
        log.write_text("")
        words = [sys.executable, __file__, "--one", log, program, command, self.work / trace / "traces.otf2", "--threads", "1"]
        words += ["-q", "-o", self.work / "small", "--force"] if command == "reduce" else ["--json"]
        if program == self.alone:
            subprocess.run(words, check=True)
        else:
            run = Run(self.launcher, self.ranks, words, 1200)
            if run.status != 0:
                sys.exit(run.err)
        rows = [line.split() for line in log.read_text().splitlines()]
        return sum(float(row[0]) for row in rows), max(float(row[1]) for row in rows) / 1024

    def compare(self, command, trace):
        """What a team takes and what one process takes of a trace, without what they take of a very small one."""
        def take(program):
            return [of - nothing for of, nothing in zip(self.run(program, command, trace), self.run(program, command, "none"))]
        return take(self.member), take(self.alone)


def make_traces(build, work):
    make = build / "tests/bench/make_bench_trace"
    for name, locations, events in (("wide", 32, 2_000_000), ("huge", 65_536, 500), ("none", 4, 500)):
        subprocess.run([make, work / name, "--locations", str(locations), "--events", str(events), "--functions", "300",
                        "--behaviours", "5"], check=True, stdout=subprocess.DEVNULL)


def main():
    if sys.argv[1] == "--one":
        measure(sys.argv[2], sys.argv[3:])
    build = pathlib.Path(sys.argv[1]).resolve()
    ranks = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    if not find_launchers():
        print("no MPI")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="tracefold-measure.") as folder:
        work = pathlib.Path(folder)
        make_traces(build, work)
        bench = Bench(build, work, ranks)
        print(f"medians of {rounds}, {ranks} ranks of one thread against one process of one thread")
        for command, trace in (("group", "wide"), ("reduce", "wide"), ("group", "huge")):
            pairs = [bench.compare(command, trace) for _ in range(rounds)]
            team, alone = ([statistics.median(pair[side][k] for pair in pairs) for k in (0, 1)] for side in (0, 1))
            print(f"{command} {trace}: processor time {team[0]:.2f} s against {alone[0]:.2f} s ({team[0] / alone[0]:.2f}), "
                  f"memory {team[1]:.0f} MiB against {alone[1]:.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
