#!/usr/bin/env python3
"""What signatures and messages cost: CPU time of `group` with them against `group --exact`, and of `reduce` with
partners of kept processes against `reduce --halo off`.

usage: messages_cpu.py TRACEFOLD ROUNDS TRACE.otf2...

Prints for each trace the medians in ms, with one thread, and how many times as much it is. The
five take turns, so that what else the machine does hits all of them.
"""

import resource
import statistics
import subprocess
import sys
import tempfile

GROUP, REDUCE = ["group", "--json"], ["reduce", "--force"]
WAYS = {
    "exact": [*GROUP, "--exact"],
    "signature": [*GROUP, "--by", "signature"],
    "messages": [*GROUP, "--exact", "--messages", "on"],
    "no halo": [*REDUCE, "--halo", "off", "--tree", "machine"],
    "halo": REDUCE,
}


def measure(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(program, rounds, *traces):
    print(f"{'exact':>8} {'signature':>10} {'messages':>9} {'no halo':>9} {'halo':>6}  trace")
    for trace in traces:
        times = {way: [] for way in WAYS}
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(int(rounds)):
                for way, (command, *options) in WAYS.items():
                    output = ["-o", f"{folder}/small"] if command == "reduce" else []
                    times[way].append(1e3 * measure([program, command, trace, *options, *output, "--threads", "1", "-q"]))

        exact, signature, messages, no_halo, halo = (statistics.median(times[way]) for way in WAYS)
        print(f"{exact:8.1f} {signature / exact:9.2f}x {messages / exact:8.2f}x {no_halo:9.1f} {halo / no_halo:5.2f}x  {trace}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
