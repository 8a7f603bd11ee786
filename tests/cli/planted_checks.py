"""What tests of planted causes share: steps of simulated programs, and what `summary` says of their traces.

Shares no code with tracefold.
"""

import json
import pathlib
import subprocess
import tempfile

STEPS = 20


def exchange(p):
    """With the right neighbour; all are about equally late."""
    for rank in range(0, p.ranks - 1, 2):
        p.send(rank, rank + 1)
    for rank in range(1, p.ranks - 1, 2):
        p.send(rank, rank + 1)


def steps_with(times, more=None):
    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "solve", times(rank, number))
        exchange(p)
        if more:
            more(p, number)
        p.allreduce()
    return step


def noise(rank, number):
    return ((rank * 7 + number * 3) % 5) * 0.02


def of_threads(times):
    def step(p, number):
        for rank in range(p.ranks):
            p.compute(rank, "prepare", 0.2)
            p.parallel(rank, "kernel", times(rank, number))
        p.allreduce()
    return step


def summarize(tracefold, trace):
    done = subprocess.run([tracefold, "summary", str(trace), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip()
    return json.loads(done.stdout)["runs"][0], ""


def reduce(tracefold, trace, reduced):
    """What went wrong; nothing if all is well."""
    done = subprocess.run([tracefold, "reduce", "-q", str(trace), "-o", str(reduced)], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def is_gain(gain, wanted, seconds, bound):
    """`wanted`: kind of change, function, and ranks. `bound`: the share by which the amount may be off."""
    kind, function, ranks = wanted
    return ((gain["kind"], gain["function"], gain["who"]) == (kind, function, [f"rank {rank}" for rank in ranks]) and
            abs(gain["seconds"] - seconds) < bound * seconds)


def check_causes(causes, check, wrong="FAIL"):
    """How many of them are wrong, and print so: check(cause, folder) returns what is, and what was said."""
    bad = 0
    for cause in causes:
        with tempfile.TemporaryDirectory() as folder:
            faults, said = check(cause, pathlib.Path(folder))
        print(f"{wrong if faults else 'ok  '} {cause.__name__}: {said}", flush=True)
        for fault in faults:
            print(f"       {fault}")
        bad += bool(faults)
    return bad
