#!/usr/bin/env python3
"""Holds what `reduce --accuracy` chooses against the best of all pairs of numbers.

usage: accuracy.py TRACEFOLD TRACE.otf2...

Of each trace, every number of processes per group and of clusters of iterations is tried. For several errors,
--accuracy has to keep them, and at most 1.25 times the events of the smallest pair that does so; where it says
that all processes are needed, such a pair has to keep all. Prints both for each error.
"""
import json
import pathlib
import subprocess
import sys

from shared_traces import read_ranges

MOST = 1.25
ERRORS = ("1", "2", "5", "10", "20", "2,20", "10,50")


class Trial:
    def __init__(self, tracefold, trace):
        self.tracefold, self.trace = tracefold, trace
        self.pairs, self.processes = {}, 0

    def run(self, *options):
        """Events, and the errors of processes and of iterations: of all time and of communication."""
        command = [self.tracefold, "reduce", self.trace, "--dry-run", "--messages", "off", "--json", "-q"]
        done = subprocess.run(command + list(map(str, options)), capture_output=True, text=True)
        if done.returncode == 1 and "processes are needed" in done.stderr:
            return None, []
        if done.returncode != 0:
            sys.exit(f"{self.trace}: {done.stderr}")
        told = json.loads(done.stdout)
        # Where all stays, nothing is lost.
        parts = [told["errors"][part] for part in ("of_processes", "of_iterations") if part in told.get("errors", {})]
        errors = [(part["of_all_time"], part["communication"]["of_own_time"]) for part in parts]
        return told["events"]["after"], errors

    def try_all(self):
        done = subprocess.run([self.tracefold, "iterations", self.trace, "--json", "-q"], capture_output=True, text=True)
        told = json.loads(done.stdout)
        clusters = max((loop["iterations"] for loop in told["iterations"]["loops"]), default=1)
        processes = max(len(read_ranges(group["members"])) for group in told["groups"]["list"])
        self.processes = processes
        for k in range(1, processes + 1):
            for c in range(1, clusters + 1):
                self.pairs[k, c] = self.run("--per-group", k, "--iterations", c)

    def compare(self, asked):
        most = [float(share) / 100 for share in asked.split(",")]
        is_met = lambda errors: all(told <= allowed for part in errors for told, allowed in zip(part, most))
        best = min((events, pair) for pair, (events, errors) in self.pairs.items() if is_met(errors))
        events, errors = self.run("--accuracy", asked)
        if events is None:
            is_good = best[1][0] == self.processes
            print(f"  {asked:>6} %: all are needed, the best pair is {best[1]}{'' if is_good else ': WRONG'}")
            return is_good
        is_good = is_met(errors) and events <= MOST * best[0]
        print(f"  {asked:>6} %: {events} events, the best pair {best[1]} has {best[0]}, {events / best[0]:.2f} times"
              f"{'' if is_good else ': WRONG'}")
        return is_good


def main():
    are_good = []
    for trace in sys.argv[2:]:
        trial = Trial(sys.argv[1], trace)
        trial.try_all()
        print(f"{pathlib.Path(trace).parent.name}: {len(trial.pairs)} pairs", flush=True)
        are_good += [trial.compare(asked) for asked in ERRORS]
    return not all(are_good)


if __name__ == "__main__":
    sys.exit(main())
