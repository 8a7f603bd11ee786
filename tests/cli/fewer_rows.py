#!/usr/bin/env python3
"""What `reduce --to` keeps, recounted by python3-otf2.

usage: fewer_rows.py TRACEFOLD   (77: python3-otf2 is missing)

Of shared traces, for several numbers of rows: the written trace has at most so many locations, each process has one row,
and the more rows there are, the less is lost: the sum of |t - t(row)| over processes and call paths, and the time of
calls that no row shows. Where few processes make it possible, that is held against the best of all choices. For several
sizes: the files take at most so many bytes, and not much less where one row more fits. What cannot be reached ends with status 1 and writes
nothing, and the stages of a pipe choose the same. Shares no code with tracefold.
"""
import collections
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import otf2
    from otf2 import events
except ImportError:
    print("python3-otf2 is missing")
    sys.exit(77)

from shared_traces import PACKS, PUBLIC_PACKS

TRACEFOLD = sys.argv[1]
failures = checks = 0


def check(is_right, words):
    global failures, checks
    checks += 1
    if not is_right:
        failures += 1
        print("FAIL:", words)


def run(*arguments, status=0):
    done = subprocess.run([TRACEFOLD, *map(str, arguments)], capture_output=True, text=True)
    check(done.returncode == status, f"{' '.join(map(str, arguments))}: status {done.returncode}\n{done.stderr}")
    return done


def unpack(name, work, packs=PACKS):
    folder = work / f"original-{name}"
    folder.mkdir()
    subprocess.run(["tar", "--zstd", "-xf", packs / f"{name}.tar.zst", "-C", folder], check=True)
    return next(folder.rglob("*.otf2"))


def read_times(anchor):
    """By location id: exclusive ticks by call path, without MPI_Init."""
    times = {}
    with otf2.reader.open(str(anchor)) as trace:
        stacks, last = collections.defaultdict(list), {}
        for location, event in trace.events:
            own = times.setdefault(location._ref, {})
            stack = stacks[location]
            if isinstance(event, (events.Enter, events.Leave)):
                if stack:
                    own[tuple(stack)] = own.get(tuple(stack), 0) + event.time - last[location]
                if isinstance(event, events.Enter):
                    stack.append(event.region.name)
                    own.setdefault(tuple(stack), 0)
                else:
                    stack.pop()
                last[location] = event.time
    return {location: {path: ticks for path, ticks in own.items() if not path[-1].startswith("MPI_Init")}
            for location, own in times.items()}


def distance(a, b):
    return sum(abs(a.get(path, 0) - b.get(path, 0)) for path in a.keys() | b.keys())


def find_lost(times, rows):
    """Ticks of calls that no row shows."""
    def calls(own):
        return {path[-2:] for path in own}
    shown = set().union(*(calls(times[row]) for row in rows))
    return sum(ticks for own in times.values() for path, ticks in own.items() if path[-2:] not in shown)


def expand(ranges):
    """Location ids of "0-3,7" or a list of these."""
    out = []
    for part in (ranges.split(",") if isinstance(ranges, str) else ranges):
        low, _, high = str(part).partition("-")
        out += range(int(low), int(high or low) + 1)
    return out


def read_choice(folder):
    """By row: its members, as location ids."""
    plan = json.loads((folder / "tracefold.json").read_text())
    return {int(one["representative"]): expand(one["members"]) for one in plan["representatives"]}


def count_locations(folder):
    with otf2.reader.open(str(folder / "traces.otf2")) as trace:
        return len(trace.definitions.locations)


def measure_bytes(folder):
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def find_best(times, count):
    """The least that so many rows of one group lose."""
    pairs = {(a, b): distance(times[a], times[b]) for a in times for b in times}
    return min(sum(min(pairs[row, p] for row in rows) for p in times)
               for rows in itertools.combinations(times, count))


def check_rows(name, numbers, work):
    anchor = unpack(name, work)
    times = read_times(anchor)
    least = json.loads(run("group", "--json", anchor).stdout)
    groups = len(least["groups"])
    before = None
    for number in numbers:
        out = work / f"{name}-{number}"
        run("reduce", "-q", anchor, "-o", out, "--to", number, "--iterations", "off")
        if not out.exists():
            continue
        chosen = read_choice(out)
        check(count_locations(out) <= number, f"{name}: {count_locations(out)} rows of {number}")
        members = sorted(itertools.chain(*chosen.values()))
        check(members == sorted(times), f"{name} --to {number}: not each process has one row: {members}")
        lost = find_lost(times, chosen)
        cost = lost + sum(distance(times[row], times[m]) for row, own in chosen.items() for m in own)
        check(before is None or cost <= 1.0001 * before, f"{name}: {number} rows lose {cost}, fewer {before}")
        check(number < groups or lost == 0, f"{name}: {number} rows of {groups} groups lose calls")
        if groups == 1 and len(times) <= 16 and number <= 3:
            best = find_best(times, number)
            check(cost <= 1.1 * best, f"{name}: {number} rows lose {cost}, the best {best}")
        before = cost
    last = work / f"{name}-{numbers[-1]}"
    run("verify", "-q", last / "traces.otf2", "--against", anchor)
    return anchor


def check_sizes(name, anchor, parts, work):
    whole = work / "whole"
    run("reduce", "-q", anchor, "-o", whole, "--to", 10 ** 6)
    largest = measure_bytes(whole)
    for part in parts:
        asked = int(part * largest)
        out = work / f"{name}-size-{part}"
        run("reduce", "-q", anchor, "-o", out, "--to", f"{asked}B")
        taken = measure_bytes(out)
        check(taken <= asked, f"{name}: {taken} of {asked} bytes")
        if taken < 0.9 * asked:  # one row more does not fit
            more = work / f"{name}-size-{part}-more"
            run("reduce", "-q", anchor, "-o", more, "--to", count_locations(out) + 1)
            check(measure_bytes(more) > asked, f"{name}: {taken} of {asked} bytes")
        run("verify", "-q", out / "traces.otf2", "--against", anchor)


def check_chain(anchor, number, work):
    run("reduce", "-q", anchor, "-o", work / "whole-way", "--to", number, "--iterations", "off")
    pipe = (f"'{TRACEFOLD}' group -q '{anchor}' --messages on | '{TRACEFOLD}' select -q --to {number} | "
            f"'{TRACEFOLD}' write -q -o '{work}/by-stages'")
    check(subprocess.run(["bash", "-c", f"set -o pipefail; {pipe}"]).returncode == 0, pipe)
    check(read_choice(work / "whole-way") == read_choice(work / "by-stages"), "a pipe chooses others")


def check_refused(anchor, work):
    out = work / "refused"
    for value, status in (("1", 1), ("0", 2), ("2K", 1), ("0M", 2), ("many", 2), ("-3", 2), ("8X", 2)):
        done = run("reduce", "-q", anchor, "-o", out, f"--to={value}", status=status)
        check(done.stderr.startswith("tracefold: "), f"--to {value}: {done.stderr}")
        check(not out.exists(), f"--to {value} writes")
        check(len(done.stderr.splitlines()) == 1, f"--to {value}: {done.stderr}")
    left = [path.name for path in work.iterdir() if path.name.startswith(".")]
    check(not left, f"{left} is left")


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        check_rows("npb_cg_S_16", (1, 2, 3, 4, 8), work)
        check_rows("npb_lu_W_4", (1, 2, 3, 4), work)
        check_rows("hpccg_16", (1, 2, 3, 8), work)
        check_rows("btmz_S_2x3", (2, 3, 4, 6), work)
        several = check_rows("npb_mg_S_16", (1, 2, 3, 5, 9), work)
        check_sizes("npb_mg_S_16", several, (0.35, 0.6), work)
        check_chain(several, 3, work)
        # Streams of an accelerator are shown by no row of a rank.
        check_refused(unpack("scorep14-jacobi-cuda-gpu005-10", work, PUBLIC_PACKS), work)
    print(f"{checks} checks, {failures} failed")
    return failures > 0


sys.exit(main())
