#!/usr/bin/env python3
"""A process of tracefold-mpi that is killed, stopped or asked to end at any moment: the run ends,
and the output is whole or not there.

usage: moments.py TRACEFOLD MAKE_TRACE BUILD_FOLDER [MOMENTS]

BUILD_FOLDER holds tracefold-mpi.MPI for each MPI. MOMENTS are tried for each signal and MPI (3),
drawn with TRACEFOLD_SEED (1). Open MPI's launcher may hang where a process is killed before it has
told the launcher of itself: such runs are counted.
"""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from launch import Run, find_launchers, list_descendants

RANKS = 5
LIMIT = 60  # seconds after the signal until a run is said to hang
LONGEST_END = 16
SIGNALS = (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM)


def find_members(launcher):
    """Processes of the program below its launcher."""
    return [process for process, command in list_descendants(launcher) if "tracefold-mpi" in command[0]]


class Moment:
    """Sends a signal to one member after a while."""

    def __init__(self, number, delay, chance):
        self.number, self.delay, self.chance = number, delay, chance
        self.sent_at = None
        self.launcher_hangs = False  # though all members have ended

    def __call__(self, process):
        time.sleep(self.delay)
        members = find_members(process.pid)
        if members and process.poll() is None:
            try:
                os.kill(self.chance.choice(members), self.number)
                self.sent_at = time.monotonic()
            except ProcessLookupError:
                pass
        until = time.monotonic() + LONGEST_END
        while process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        if process.poll() is None and not find_members(process.pid):
            self.launcher_hangs = True
            process.kill()


def main():
    tracefold, make_trace, build = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    moments = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    chance = random.Random(int(os.environ.get("TRACEFOLD_SEED", "1")))
    launchers = find_launchers()
    if not launchers:
        print("no MPI")
        sys.exit(77)

    wrong, met, done, launchers_hung = 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        trace = folder / "big" / "traces.otf2"
        subprocess.run([make_trace, trace.parent, "--ranks", "64", "--iterations", "400"], check=True, stdout=subprocess.DEVNULL)
        output = folder / "out" / "small"
        output.parent.mkdir()
        for mpi, launcher in launchers.items():
            command = [build / f"tracefold-mpi.{mpi}", "reduce", trace, "-o", output, "--threads", "1"]
            undisturbed = Run(launcher, RANKS, command, 120)
            if undisturbed.status != 0:
                print(f"{mpi}: status {undisturbed.status}: {undisturbed.err}")
                sys.exit(1)
            shutil.rmtree(output)
            for number in SIGNALS * moments:
                moment = Moment(number, chance.uniform(0.05, undisturbed.seconds), chance)
                run = Run(launcher, RANKS, command, LIMIT, meanwhile=moment)
                met += moment.sent_at is not None
                seconds = run.seconds - moment.delay
                complaints = []
                if moment.sent_at and not moment.launcher_hangs and (run.status is None or seconds > LONGEST_END):
                    complaints.append(f"it took {seconds:.1f} s")
                if run.left:
                    complaints.append(f"processes are left: {run.left}")
                # Before MPI has started, nobody knows of the others.
                told = {message for message in run.messages() if "has not started all processes" not in message}
                if len(told) > 1:
                    complaints.append(f"messages: {run.messages()}")
                if output.exists():
                    done += 1
                    verified = subprocess.run([tracefold, "verify", output / "traces.otf2", "--against", trace], capture_output=True, text=True)
                    if verified.returncode != 0:
                        complaints.append(f"the output is not whole: {verified.stdout}{verified.stderr}")
                    shutil.rmtree(output)
                elif run.status == 0:
                    complaints.append("status 0 without an output")
                # Of a process that is killed, the next run removes what is left.
                left = [path.name for path in output.parent.iterdir()]
                if left and number == signal.SIGTERM:
                    complaints.append(f"left: {left}")
                if complaints:
                    wrong += 1
                    print(f"{mpi}, {number.name} after {moment.delay:.2f} s: {'; '.join(complaints)}; status {run.status}: {run.err[-300:]}", flush=True)

    print(f"{len(launchers) * len(SIGNALS) * moments} moments, {met} signals met a process, {done} outputs, {wrong} wrong; "
          f"{launchers_hung} times the launcher hung though all processes had ended")
    sys.exit(1 if wrong or not met else 0)


if __name__ == "__main__":
    main()
