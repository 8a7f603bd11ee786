#!/usr/bin/env python3
"""Compares two builds of tracefold: the CPU time of commands with the second, as a share of that with the first.

usage: compare_builds.py BEFORE NOW [--rounds R] [--events E] [--work DIR]

Both programs run in turn, with one thread, on the traces of suite.py: `wide`, whose 32 processes are of 5 groups, and `distinct`, half as large, whose
processes all differ. The figure is the median of the ratios within each round. A program that cannot keep messages is compared with `--messages off`.
"""
import argparse, os, shutil, statistics, subprocess, sys, tempfile

import suite

LOCATIONS, FUNCTIONS = 32, 300
COMMANDS = {
    "group --exact": [],
    "reduce --exact --iterations off": ["-o", "out"],
    "reduce": ["-o", "out"],
}


def knows_messages(program):
    return "--messages" in subprocess.run([program, "reduce", "--help"], capture_output=True, text=True, check=True).stdout


def make_traces(make_trace, events, folder):
    """Name and anchor of each."""
    for name, each, behaviours in (("wide", events, 5), ("distinct", events // 2, LOCATIONS)):
        trace = os.path.join(folder, f"{name}-{each}")
        if not os.path.exists(trace):
            shutil.rmtree(trace + ".part", ignore_errors=True)
            subprocess.run([make_trace, trace + ".part", "--locations", str(LOCATIONS), "--events", str(each), "--functions", str(FUNCTIONS),
                            "--behaviours", str(behaviours)], check=True)
            os.rename(trace + ".part", trace)
        yield name, os.path.join(trace, "traces.otf2")


def measure(programs, command, anchor, options, rounds):
    """By program, the CPU seconds of each round; the first round warms up. Each program is the first one of every second round."""
    seconds = [[] for _ in programs]
    name, *asked = command.split()
    for turn in range(rounds + 1):
        both = list(zip(seconds, programs))
        for found, (program, more) in both[::-1] if turn % 2 else both:
            shutil.rmtree("out", ignore_errors=True)
            suite.have_files_in_memory(anchor)
            cpu = suite.run([program, name, anchor, *asked, *options, *(more if name == "reduce" else []), "-q", "--threads", "1"]).cpu
            if turn:
                found.append(cpu)
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="BEFORE", help="the program of one build")
    parser.add_argument("now", metavar="NOW", help="and of the other")
    parser.add_argument("--rounds", type=int, default=9, metavar="R", help="that count (9)")
    parser.add_argument("--events", type=int, default=suite.TRACES["wide"].events, metavar="E", help="of each process of `wide` (2,000,000)")
    parser.add_argument("--work", metavar="DIR", help="where traces are made, kept and found again (a temporary folder in $TMPDIR)")
    parser.add_argument("--build", default=os.path.join(suite.ROOT, "build", "release"), metavar="DIR", help="where make_bench_trace is built (build/release)")
    args = parser.parse_args()
    if args.rounds < 1 or args.events < 2:
        parser.error("--rounds is at least 1, --events at least 2")

    both = [os.path.abspath(args.before), os.path.abspath(args.now)]
    alike = all(knows_messages(program) for program in both)
    programs = [(program, [] if alike or not knows_messages(program) else ["--messages", "off"]) for program in both]

    with tempfile.TemporaryDirectory(prefix="tracefold-bench-") as folder:
        folder = os.path.abspath(args.work or folder)
        os.makedirs(folder, exist_ok=True)
        make_trace = os.path.join(os.path.abspath(args.build), "tests", "bench", "make_bench_trace")
        os.chdir(folder)
        print(f"{suite.machine()}\nmedians of {args.rounds} rounds\n{'before':>8}{'now':>8}{'share':>8}  trace, command")
        for name, anchor in make_traces(make_trace, args.events, folder):
            for command, options in COMMANDS.items():
                before, now = measure(programs, command, anchor, options, args.rounds)
                share = statistics.median(b / max(a, 1e-9) for a, b in zip(before, now))
                print(f"{statistics.median(before):8.3f}{statistics.median(now):8.3f}{share:8.2f}  {name}, {command}", flush=True)
        shutil.rmtree("out", ignore_errors=True)


if __name__ == "__main__":
    try:
        main()
    except (OSError, subprocess.CalledProcessError, suite.Failed) as problem:
        print(f"compare_builds.py: {problem}", file=sys.stderr)
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(130)
