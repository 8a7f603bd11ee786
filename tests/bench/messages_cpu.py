#!/usr/bin/env python3
"""What signatures and messages cost: CPU time of `group` with them against `group --exact`.

usage: messages_cpu.py TRACEFOLD ROUNDS TRACE.otf2...

Prints for each trace the medians in ms, with one thread, and how many times as much it is. The
three take turns, so that what else the machine does hits all of them.
"""

import resource
import statistics
import subprocess
import sys

WAYS = {
    "exact": ["--exact"],
    "signature": ["--by", "signature"],
    "messages": ["--exact", "--messages", "on"],
}


def measure(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(program, rounds, *traces):
    print(f"{'exact':>8} {'signature':>10} {'messages':>9}  trace")
    for trace in traces:
        times = {way: [] for way in WAYS}
        for _ in range(int(rounds)):
            for way, options in WAYS.items():
                command = [program, "group", trace, *options, "--json", "--threads", "1", "-q"]
                times[way].append(1e3 * measure(command))

        exact, signature, messages = (statistics.median(times[way]) for way in WAYS)
        print(f"{exact:8.1f} {signature / exact:9.2f}x {messages / exact:8.2f}x  {trace}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
