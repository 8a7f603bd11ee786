#!/usr/bin/env python3
"""Checks what `tracefold reduce` says of how good its rows are, on programs whose truth is known.

usage: row_grades.py TRACEFOLD

16 ranks compute in `solve`, for a time that the program gives, and wait for each other. By default the odd one and each
of two classes have a row; noise gets no name. The error of useful time and the largest difference that is hidden are
those of the truth, given which process stands for which, and so is the grade. Where half as many rows are advised, `--to`
makes a trace of about so many bytes. Shares no code with tracefold.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from simulated_program import Program
from shared_traces import read_ranges

RANKS, STEPS = 16, 32
TRACEFOLD = sys.argv[1]
failures = checks = 0


def check(is_right, words):
    global failures, checks
    checks += 1
    if not is_right:
        failures += 1
        print("FAIL:", words)


def slow_rank(rank, step):
    return 30 if rank == 5 else 10


def classes(rank, step):
    return 20 if rank % 2 else 10


def noise(share):
    factors = [1 + random.Random(100 * share + rank).uniform(-share, share) for rank in range(RANKS)]
    return lambda rank, step: 10 * factors[rank]


def noisy_classes(rank, step):
    return classes(rank, step) * (noise(0.1)(rank, step) / 10)


# What each rank computes in a step, in ms, and the rows that are named: how many processes each stands for.
PROGRAMS = {
    "equal ranks": (lambda rank, step: 10, []),
    "one slow rank": (slow_rank, [1]),
    "two classes": (classes, [8]),
    "two classes with noise of 10 %": (noisy_classes, [8]),
    "noise of 10 %": (noise(0.1), []),
    "noise of 30 %": (noise(0.3), []),
    "another slow rank in each step": (lambda rank, step: 30 if (rank - step) % RANKS == 0 else 10, []),
}


def make(folder, times):
    program = Program(str(folder), RANKS)

    def step(p, number):
        for rank in range(RANKS):
            p.compute(rank, "solve", times(rank, number))
        p.barrier()

    program.run(STEPS, step)
    return next(folder.rglob("*.otf2"))


def reduce(*arguments):
    done = subprocess.run([TRACEFOLD, "reduce", "--json", "-q", *map(str, arguments)], capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    return json.loads(done.stdout)


def check_program(name, folder):
    times, named = PROGRAMS[name]
    anchor = make(folder / "original", times)
    told = reduce(anchor, "-o", folder / "small")
    plan = json.loads((folder / "small/tracefold.json").read_text())
    rows = {rank: int(one["representative"]) for one in plan["representatives"] for rank in read_ranges(one["members"])}
    odd = sorted(len(read_ranges(one["members"])) for one in plan["representatives"] if one["why"].startswith("odd: "))
    check(odd == named, f"{name}: rows are named that stand for {odd}")

    solved = [sum(int(times(rank, step) * 1e6) for step in range(STEPS)) for rank in range(RANKS)]
    differences = [abs(solved[rank] - solved[rows[rank]]) for rank in range(RANKS)]
    errors = told["errors"]["of_processes"]
    summary = json.loads(subprocess.run([TRACEFOLD, "summary", "--json", "-q", "--scope", "run", anchor],
                                        capture_output=True, text=True).stdout)
    run = summary["runs"][0]["runtime_s"] * 1e9
    # MPI_Init, of 20 ms, is in no sum.
    all_time = RANKS * (run - 20e6)
    check(abs(errors["useful_of_all_time"] - sum(differences) / all_time) < 1e-3,
          f"{name}: useful time differs by {errors['useful_of_all_time']}, and by {sum(differences) / all_time} in truth")
    largest = max(differences) / run
    hidden = errors.get("hidden", {"of_run": 0})
    check(abs(hidden["of_run"] - largest) < 1e-3, f"{name}: {hidden} is hidden, and {largest} in truth")
    if largest > 0.01:
        rank = int(hidden["process"].removeprefix("rank "))
        check(abs(differences[rank] - max(differences)) <= 1 and hidden["function"] == "solve",
              f"{name}: {hidden} is hidden, and not by {differences}")
        check(hidden["is_longer"] == (solved[rank] > solved[rows[rank]]), f"{name}: {hidden}")

    worst = max(sum(differences) / all_time, largest)
    grade = "good" if worst <= 0.01 else "fair" if worst <= 0.05 else "poor"
    words = subprocess.run([TRACEFOLD, "reduce", anchor, "--dry-run"], capture_output=True, text=True).stdout
    check(f"rows are {grade}:" in words, f"{name}: rows are not {grade}:\n{words}")
    print(f"{name:32} {len(set(rows.values())):2} rows, {100 * worst:5.2f} % {grade}")
    if "fewer_rows" in told:
        fewer = told["fewer_rows"]
        made = reduce(anchor, "-o", folder / "fewer", "--to", fewer["to"])
        check(abs(made["bytes"]["after"] - fewer["bytes"]) < 0.3 * fewer["bytes"],
              f"{name}: --to {fewer['to']} makes {made['bytes']['after']} bytes, and was said to make {fewer['bytes']}")


def main():
    for name in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            check_program(name, pathlib.Path(folder))
    print(f"{checks} checks, {failures} failed")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
