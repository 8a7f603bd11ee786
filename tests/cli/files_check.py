#!/usr/bin/python3
"""Adds up I/O operations with python3-otf2, and compares with what `tracefold summary` says of files.

usage: files_check.py TRACEFOLD TRACE.otf2 [SMALL.otf2]   (77: python3-otf2 is missing)

What runs inside of an operation on the same file through another layer is a part of that one. A small trace has to say the
same of its original. Shares no code with tracefold.
"""
import collections
import json
import math
import subprocess
import sys

try:
    import otf2
    from otf2.events import IoOperationBegin, IoOperationCancelled, IoOperationComplete
except ImportError:
    sys.exit(77)

BLOCKING = 0


def name_of(handle):
    return handle.file.name if handle.file is not None else handle.name


def read(anchor):
    """By file: what it is used for, by mode: [operations, ticks, bytes]; and the locations that do so."""
    files = collections.defaultdict(lambda: (collections.defaultdict(lambda: [0, 0, 0]), set()))
    running = collections.defaultdict(list)  # by location
    with otf2.reader.open(anchor) as trace:
        for location, event in trace.events:
            now = running[location._ref]
            if isinstance(event, IoOperationBegin):
                is_blocking = int(event.operation_flags.value) & 1 == BLOCKING
                if is_blocking:  # the last one was lost
                    now[:] = [one for one in now if not (one[1] and one[0].handle._ref == event.handle._ref)]
                layer = event.handle.io_paradigm
                is_part = any(name_of(one.handle) == name_of(event.handle) and one.handle.io_paradigm is not layer for one, *_ in now)
                now.append((event, is_blocking, is_part))
            elif isinstance(event, (IoOperationComplete, IoOperationCancelled)):
                same = [one for one in now if (one[0].handle._ref, one[0].matching_id) == (event.handle._ref, event.matching_id)]
                for one in same[:1]:
                    now.remove(one)
                    if one[2] or isinstance(event, IoOperationCancelled):
                        continue
                    modes, who = files[name_of(event.handle)]
                    sums = modes[str(one[0].mode).rsplit(".", 1)[-1]]
                    who.add(location._ref)
                    for k, value in enumerate((1, event.time - one[0].time, event.bytes_result)):
                        sums[k] += value
        resolution = trace.timer_resolution
    return files, resolution


def summary_of(tracefold, anchor):
    told = subprocess.run([tracefold, "summary", "-q", "--json", anchor], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(told)


def list_files(told):
    runs = told["runs"] if "runs" in told else [told]
    return runs[0]["files"]


def main():
    files, resolution = read(sys.argv[2])
    told = list_files(summary_of(sys.argv[1], sys.argv[2]))
    wrong = []
    named = {one["name"]: one for one in told if one["name"] is not None}
    rest = [one for one in told if one["name"] is None]
    if not rest and set(named) != set(files):
        wrong.append(f"files are {sorted(named)} instead of {sorted(files)}")
    if sum(one["files"] for one in told) != len(files):
        wrong.append(f"{told} are not {len(files)} files")
    for name, one in named.items():
        modes, who = files[name]
        for field, mode in (("read", "READ"), ("written", "WRITE")):
            operations, ticks, size = modes[mode]
            got = one[field]
            if (got["operations"], got["bytes"]) != (operations, size) or not math.isclose(got["seconds"], ticks / resolution, rel_tol=1e-9):
                wrong.append(f"{name}: {field}: {got} instead of {modes[mode]}")
            rate = size / (ticks / resolution) if ticks else None
            if (got["bytes_per_second"] is None) != (rate is None) or rate and not math.isclose(got["bytes_per_second"], rate, rel_tol=1e-9):
                wrong.append(f"{name}: {got['bytes_per_second']} bytes per second instead of {rate}")
        if one["processes"] != len(who) or len(one["who"]) != len(who):
            wrong.append(f"{name}: {one['processes']} processes instead of {len(who)}")
    for field, mode in (("read", "READ"), ("written", "WRITE")):
        size = sum(modes[mode][2] for modes, _ in files.values())
        if sum(one[field]["bytes"] for one in told) != size:
            wrong.append(f"all files: not {size} bytes are {field}")
    for small in sys.argv[3:]:
        if list_files(summary_of(sys.argv[1], small)) != told:
            wrong.append(f"{small} says something else of files")
    for words in wrong[:20]:
        print("FAIL:", words)
    print(f"{sys.argv[2]}: {len(files)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
