#!/usr/bin/env python3
"""Members of a team that fail, are killed, stopped, or slow: the run ends soon, the message comes
once, the status is right, and nothing is left.

usage: faults.py BUILD_FOLDER [FAULT...]

BUILD_FOLDER holds team_faults.MPI for each MPI; see team_faults.cpp for what each fault is.
"""

import pathlib
import sys
import tempfile

from launch import Run, find_launchers

INTERRUPTED = 130
LIMIT = 15  # seconds, in which each run has to end
# Where launchers end processes, the status may be of their own.
BY_LAUNCHER = None

# By fault: its culprit; the message, where one is known; the status; and seconds more than LIMIT.
FAULTS = {
    "none": (0, "", 0, 0),
    "large": (0, "", 0, 10),
    "huge": (0, "", 0, 60),  # takes 8 GiB of memory: only where it is asked for
    "throw": (-1, "some.evt: is damaged", 3, 0),
    "throw_while_others_send": (-1, "no space left on device", 4, 0),
    "throw_while_others_compute": (0, "some.evt: is damaged", 3, 0),
    "throw_while_one_does_not_look": (-1, "some.evt: is damaged", 3, 0),
    "no_memory": (-1, "out of memory", 3, 0),
    "throw_at_all": (0, "unknown argument (see 'tracefold help')", 2, 0),
    "throw_at_some": (1, "is damaged", 3, 0),
    "slow": (-1, "", 0, 10),
    "exit": (-1, BY_LAUNCHER, BY_LAUNCHER, 0),
    "kill": (-1, BY_LAUNCHER, BY_LAUNCHER, 0),
    "stop": (-1, "has given no sign of life for 10 s", BY_LAUNCHER, 0),
    "stop_while_others_compute": (0, "has given no sign of life for 10 s", BY_LAUNCHER, 0),
    "stop_while_it_leaves": (-1, BY_LAUNCHER, BY_LAUNCHER, 0),
    "terminate": (-1, "interrupted, nothing was written", INTERRUPTED, 0),
    "terminate_all": (-1, "interrupted, nothing was written", INTERRUPTED, 0),
}
RANKS = {"none": (1, 2, 3, 5, 8), "kill": (2, 8), "huge": (2,)}


def check(run, fault, ranks, folder):
    """What is wrong with a run, or None."""
    culprit, words, status, more = FAULTS[fault]
    if run.status is None or run.seconds > LIMIT + more:
        return f"it took {run.seconds:.1f} s"
    if status is not BY_LAUNCHER and run.status != status:
        return f"status {run.status}, not {status}"
    if status is BY_LAUNCHER and run.status == 0:
        return "status 0"
    messages = run.messages()
    if words == "" and messages:
        return f"messages: {messages}"
    if words and not (len(messages) == 1 and words in messages[0]):
        return f"messages: {messages}"
    if words is BY_LAUNCHER and len(messages) > 1:
        return f"messages: {messages}"
    if run.left:
        return f"processes are left: {run.left}"

    content = sorted(path.name for path in folder.iterdir())
    # Of a process that is killed, the next run to the same output removes what is left.
    was_killed = fault in ("kill", "exit", "stop", "stop_while_others_compute")
    is_published = status == 0 or fault == "stop_while_it_leaves"
    if content != (["out"] if is_published else []) and not was_killed:
        return f"left: {content}"
    if "out" in content and not is_published:
        return "it was published"
    return None


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    chosen = sys.argv[2:] or [fault for fault in FAULTS if fault != "huge"]
    complaints = 0
    for mpi, launcher in find_launchers().items():
        program = build / f"team_faults.{mpi}"
        for fault in chosen:
            for ranks in RANKS.get(fault, (8,)):
                with tempfile.TemporaryDirectory() as name:
                    folder = pathlib.Path(name)
                    culprit = FAULTS[fault][0] % ranks
                    run = Run(launcher, ranks, [program, fault, culprit, folder], LIMIT + 65)
                    wrong = check(run, fault, ranks, folder)
                    print(f"{mpi} {fault} {ranks}: {wrong or 'right'}, status {run.status}, "
                          f"{run.seconds:.1f} s", flush=True)
                    if wrong:
                        complaints += 1
                        print(run.out + run.err, flush=True)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
