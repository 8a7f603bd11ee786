#!/usr/bin/env python3
"""Prints how much processor time tracefold takes, as a multiple of libotf2's reading of the same files with empty callbacks.

One row for a made trace (64 locations of 250,000 events, 300 functions), one for all shared traces together (their times are added up), and
with --each one for every shared trace. Each command runs in turn, a round to warm up and then rounds that count; a ratio is the median of the
ratios within a round. All run with one thread; peaks are the largest of any process. The floor of a trace that libotf2 cannot read as a whole is
not known, and such a trace is left out, by name.

Example: tests/bench/cost.py --work DIR      (about four minutes; DIR keeps the traces for the next time)
Exit status: 0 done; 2 wrong use; 3 a program failed.
"""
import argparse, os, shutil, statistics, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from shared_traces import visit_traces
from suite import ROOT, Failed, have_files_in_memory, run

MADE = ["--locations", "64", "--events", "250000", "--functions", "300"]
COMMANDS = ["group", "reduce", "summary", "verify"]


def command_lines(tracefold, floor, anchor, out):
    """In the order in which they run: verify reads what reduce has written."""
    one = ["-q", "--threads", "1"]
    return {
        "floor": [floor, "read", anchor],
        "group": [tracefold, "group", anchor, *one],
        "reduce": [tracefold, "reduce", anchor, "-o", out, "--force", *one],
        "summary": [tracefold, "summary", anchor, *one],
        "verify": [tracefold, "verify", os.path.join(out, "traces.otf2"), "--against", anchor, *one],
    }


def measure(tools, anchor, out, rounds):
    """For each round, by command: seconds of processor time, and the peak in MiB."""
    lines = command_lines(*tools, anchor, out)
    shutil.rmtree(out, ignore_errors=True)
    have_files_in_memory(anchor)
    found = []
    for _ in range(rounds + 1):
        found.append({name: run(line) for name, line in lines.items()})
    shutil.rmtree(out, ignore_errors=True)
    return [{name: (one.cpu, one.peak) for name, one in each.items()} for each in found[1:]]


def add_up(traces):
    """Rounds of several traces as if they were one."""
    return [{name: (sum(one[name][0] for one in of_round), max(one[name][1] for one in of_round)) for name in of_round[0]} for of_round in zip(*traces)]


def print_row(name, rounds):
    floor = statistics.median(one["floor"][0] for one in rounds)
    cells = [f"{name:26}{floor:9.3f} s"]
    for command in COMMANDS:
        ratio = statistics.median(one[command][0] / one["floor"][0] for one in rounds)
        peak = max(one[command][1] for one in rounds)
        cells.append(f"{ratio:8.2f} x {peak:5.0f} MiB")
    print("".join(cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, metavar="R", help="that count, of the made trace (5); shared ones have 3 at most")
    parser.add_argument("--work", metavar="DIR", help="where traces are made, kept and found again (a temporary folder)")
    parser.add_argument("--each", action="store_true", help="a row for each shared trace")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"), metavar="DIR", help="where tracefold is built (build/release)")
    parser.add_argument("--tracefold", metavar="FILE", help="the program to measure (that of the build)")
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error("--rounds takes a number from 1")
    bench = os.path.join(args.build, "tests", "bench")
    tools = (args.tracefold or os.path.join(args.build, "cli", "tracefold"), os.path.join(bench, "library_floor"))
    with tempfile.TemporaryDirectory() as temporary:
        work = args.work or temporary
        os.makedirs(work, exist_ok=True)
        made, out = os.path.join(work, "made"), os.path.join(work, "out")
        if not os.path.exists(made):
            subprocess.run([os.path.join(bench, "make_bench_trace"), made, *MADE], check=True, stdout=subprocess.DEVNULL)
        print(f"{'':26}{'libotf2':>11}" + "".join(f"{command:>20}" for command in COMMANDS))
        print_row("64 x 250,000 events", measure(tools, os.path.join(made, "traces.otf2"), out, args.rounds))

        known, unknown = {}, []

        def visit(name, anchor):
            try:
                run(command_lines(*tools, str(anchor), out)["floor"])
            except Failed as problem:
                unknown.append(f"{name}: {problem}")
                return
            known[name] = measure(tools, str(anchor), out, min(3, args.rounds))
            if args.each:
                print_row(name, known[name])

        visit_traces([], (), visit)
        if known:
            print_row(f"{len(known)} shared traces", add_up(known.values()))
        for words in unknown:
            print(f"left out: {words}")


if __name__ == "__main__":
    try:
        main()
    except (Failed, subprocess.CalledProcessError) as problem:
        print(f"cost.py: {problem}", file=sys.stderr)
        sys.exit(3)
