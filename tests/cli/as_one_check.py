#!/usr/bin/env python3
"""Several archives as one run: what --as-one writes, recounted by python3-otf2 from the archives themselves.

usage: as_one_check.py TRACEFOLD MAKE_TRACE MAKE_EVERY_RECORD [--ranks N]   (77: python3-otf2 is missing)

The archives are of one process each, with threads and streams of an accelerator; their ids differ, and so do the timers of
their nodes. Every event of each, by names in place of ids and at its time by the wall clock, has to be in the archive that
is written of all, and nothing else; the same archive that one tool writes of the whole run has to hold the same.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import otf2
    import otf2.registry
except ImportError:
    print("SKIPPED: python3-otf2 is not installed")
    sys.exit(77)

# An archive of one process names others that it does not define.
otf2.registry._RefRegistry.__getitem__ = lambda self, ref: self._elements_by_ref.get(ref)

TRACEFOLD, MAKE_TRACE, MAKE_EVERY_RECORD = sys.argv[1:4]
RANKS = int(sys.argv[5]) if len(sys.argv) > 5 else 20
failures = []


def check(holds, words):
    if not holds:
        failures.append(words)
        print("FAIL:", words)


def run(*arguments, status=0, stdin=b""):
    ran = subprocess.run([TRACEFOLD, *map(str, arguments)], input=stdin, capture_output=True)
    check(ran.returncode == status, f"{arguments[0]}: status {ran.returncode}, not {status}: {ran.stderr.decode()[:400]}")
    return ran


def make_archives(folder, *options):
    subprocess.run([MAKE_TRACE, str(folder), *options], check=True)


def describe(value):
    """By name, whatever its id; a communicator by its members, too."""
    if isinstance(value, otf2.definitions.Comm):
        return value.name, len(value.group.members)
    return value.name if hasattr(value, "_ref") else value


def describe_event(event):
    fields = {name: describe(getattr(event, name)) for name in ("region", "communicator", "receiver", "sender", "msg_tag",
                                                                "msg_length", "request_id", "thread_team", "collective_op")
              if hasattr(event, name)}
    return type(event).__name__, tuple(sorted(fields.items(), key=str))


def find_process(location):
    group = location.group
    return (group.creating_location_group or group).name


def read(anchor, wall=None):
    """Lists of (time, event) by process and location; times from `wall` on, in ns, where that is given."""
    found = collections.defaultdict(list)
    with otf2.reader.open(str(anchor)) as trace:
        clock = trace.definitions.clock_properties
        base = clock.global_offset
        shift = 0 if wall is None else clock.realtime_timestamp - wall
        for location in trace.definitions.locations:
            found[find_process(location), location.name] = []
        for location, event in trace.events:
            found[find_process(location), location.name].append((event.time - base + shift, describe_event(event)))
    return dict(found)


def find_wall(anchor):
    with otf2.reader.open(str(anchor)) as trace:
        return trace.definitions.clock_properties.realtime_timestamp


def compare(words, found, expected):
    check(found.keys() == expected.keys(), f"{words}: other locations: {sorted(found.keys() ^ expected.keys())[:6]}")
    for key in found.keys() & expected.keys():
        if found[key] != expected[key]:
            at = next((k for k, (a, b) in enumerate(zip(found[key], expected[key])) if a != b), min(len(found[key]), len(expected[key])))
            check(False, f"{words}: {key}: event {at} of {len(found[key])}, {len(expected[key])}: "
                         f"{found[key][at:at + 1]} instead of {expected[key][at:at + 1]}")


def is_clean(anchor):
    if shutil.which("otf2-print"):
        printed = subprocess.run(["otf2-print", "-Werror", "--silent", str(anchor)], capture_output=True, timeout=300)
        check(printed.returncode == 0, f"{anchor}: otf2-print: {printed.stderr.decode()[:300]}")


def judge(folder):
    """The rules of rewriting, by the judge from outside where it is at hand; locations have the ids of the run."""
    shared = pathlib.Path(os.environ.get("TRACEFOLD_SHARED", pathlib.Path(__file__).parents[2] / "../shared")) / "check"
    facts = folder / "otf2facts"
    if not (shared / "judge.py").exists():
        print("SKIPPED: no judge at", shared)
        return
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "otf2"], capture_output=True, text=True).stdout.split()
    subprocess.run(["c++", "-std=c++17", str(shared / "otf2facts.cpp"), "-o", str(facts), *flags], check=True)
    run("write", folder / "parts", "--as-one", "--keep-ids", "-o", folder / "judged")
    judged = subprocess.run([sys.executable, str(shared / "judge.py"), *(str(folder / name / "traces.otf2") for name in ("judged", "small"))],
                            capture_output=True, text=True, env={**os.environ, "OTF2FACTS": str(facts)})
    check(judged.returncode == 0, "the judge says " + "; ".join(line for line in judged.stdout.splitlines() if line.startswith("FAIL")))


def check_all(folder):
    shape = ["--ranks", str(RANKS), "--threads", "2", "--iterations", "5", "--streams", "2"]
    parts, whole = folder / "parts", folder / "whole"
    make_archives(parts, *shape, "--archives")
    make_archives(whole, *shape)
    anchors = [parts / f"rank{rank}" / "traces.otf2" for rank in range(RANKS)]

    # All events of all archives, each once.
    written = run("write", parts, "--as-one", "-o", folder / "written").stderr.decode()
    check("ranks by MPI" in written and "clocks by" in written, f"it is not said how: {written}")
    merged = read(folder / "written/traces.otf2")
    wall = min(find_wall(anchor) for anchor in anchors)
    expected = {}
    for anchor in anchors:
        expected.update(read(anchor, wall))
    compare("against the archives", merged, expected)
    compare("against one archive of the run", merged, read(whole / "traces.otf2"))
    check(len(merged) == RANKS * 4, f"{len(merged)} locations")
    check(sum(map(len, merged.values())) > 250 * RANKS, "hardly any events were compared")
    is_clean(folder / "written/traces.otf2")

    # Definitions: one of each that is equal, all locations, hosts as they are.
    with otf2.reader.open(str(folder / "written/traces.otf2")) as trace, otf2.reader.open(str(whole / "traces.otf2")) as one:
        for kind in ("regions", "comms", "system_tree_nodes", "location_groups", "locations"):
            names = [sorted(d.name for d in getattr(of.definitions, kind)) for of in (trace, one)]
            check(names[0] == names[1], f"other {kind}: {names[0][:5]}…, {names[1][:5]}…")
        said = {g.name: {name: p.value for name, p in g._properties.items()} for g in trace.definitions.location_groups}
        check(said["MPI Rank 7"]["archive"] == "rank7/traces.otf2" and said["MPI Rank 7"]["rank"] == 7,
              f"it is not said where rank 7 is from: {said['MPI Rank 7']}")

    # As small as of one archive, with the same rows and groups; and verified against the archives.
    run("reduce", parts, "--as-one", "-o", folder / "small")
    run("reduce", whole / "traces.otf2", "-o", folder / "small-whole")
    is_clean(folder / "small/traces.otf2")
    run("verify", folder / "small/traces.otf2", "--as-one", "--against", parts)
    check(b"no difference" in run("compare", folder / "small", parts, "--as-one").stdout, "the small trace differs from its archives")
    plans = [json.loads((folder / name / "tracefold.json").read_text()) for name in ("small", "small-whole")]
    members = [sorted(group["members"] for group in plan["groups"]["list"]) for plan in plans]
    check(len(members[0]) == len(members[1]), f"{len(members[0])} groups, and {len(members[1])} of one archive")
    archives = plans[0]["trace"]["archives"]
    check([one["anchor"] for one in archives] == [f"rank{rank}/traces.otf2" for rank in range(RANKS)], "the plan names other archives")
    check([one["rank"] for one in archives] == list(range(RANKS)), "the plan has other ranks")

    judge(folder)

    # By stages: the plan opens the archives as they were put together.
    plan = run("group", parts, "--as-one", "--format", "json").stdout
    plan = run("iterations", "--format", "json", stdin=run("select", "--format", "json", stdin=plan).stdout).stdout
    run("write", "-o", folder / "staged", stdin=plan)
    compare("stages", read(folder / "staged/traces.otf2"), read(folder / "small/traces.otf2"))
    moved = folder / "moved"
    parts.rename(moved)
    check(b"is not there" in run("write", "-o", folder / "lost", stdin=plan, status=3).stderr, "nobody misses the archives")
    run("write", "-o", folder / "found", "--trace", moved, stdin=plan)
    moved.rename(parts)

    # Another order of ranks, and archives that are named in place of their folder.
    order = run("info", *anchors[:3], "--as-one", "--rank-from", "order").stderr.decode()
    check("3 archives as one run: ranks by the order of their names" in order, order)
    check("messages with processes that are in none of the archives are cut" in order, order)
    run("reduce", *anchors[:3], "--as-one", "--clocks", "begin", "-o", folder / "three")
    run("verify", folder / "three/traces.otf2", "--against", parts)
    wrong = run("info", *anchors[1:3], "--as-one", "--rank-from", "order", status=3).stderr.decode()
    check("rank1/traces.otf2: --rank-from order takes it for rank 0, and it is MPI's rank 1" in wrong, wrong)
    path = run("info", parts, "--as-one", "--rank-from", "path:*rank{N}/*").stderr.decode()
    check("ranks by their paths, by '*rank{N}/*'" in path, path)
    run("info", parts, "--as-one", "--rank-from", "path:*r{N}*", status=3)
    run("info", parts, "--as-one", "--rank-from", "path:*", status=2)

    # Clocks: together, or as a file says.
    run("write", parts, "--as-one", "--clocks", "begin", "-o", folder / "together")
    compare("together", read(folder / "together/traces.otf2"), merged)
    begins = folder / "begins.txt"
    begins.write_text("".join(f"{10 + rank / 4} rank{rank}\n" for rank in range(RANKS)))
    run("write", parts, "--as-one", "--clocks", begins, "-o", folder / "shifted")
    shifted = read(folder / "shifted/traces.otf2")
    first = {key[0]: min(time for time, _ in events) for key, events in shifted.items() if key[1] == "Master thread"}
    check(all(first[f"MPI Rank {rank}"] - first["MPI Rank 0"] == rank * 250_000_000 for rank in range(RANKS)), f"other begins: {first}")
    begins.write_text("0 rank0\n")
    run("info", parts, "--as-one", "--clocks", begins, status=3)

    # One that is damaged, and one of another program.
    (parts / "rank3/traces.def").write_bytes(b"nothing")
    broken = run("reduce", parts, "--as-one", "-o", folder / "no", status=3).stderr.decode()
    check("rank3/traces.otf2" in broken and "--partial leaves them out" in broken, broken)
    left = run("reduce", parts, "--as-one", "--partial", "-o", folder / "rest").stderr.decode()
    check("rank3/traces.otf2" in left and f"{RANKS - 1} archives as one run" in left, left)
    check(b'"rank3/' not in (folder / "rest/tracefold.json").read_bytes(), "what is left out is in the plan")
    run("verify", folder / "rest/traces.otf2", "--against", parts)

    for name in ("first", "other"):
        shutil.copytree(parts / "rank0", folder / "two" / name)
    definitions = folder / "two/other/traces.def"
    with otf2.reader.open(str(folder / "two/other/traces.otf2")) as trace:
        names = sorted({re.escape(region.name.encode()) for region in trace.definitions.regions}, key=len, reverse=True)
    definitions.write_bytes(re.sub(b"|".join(names), lambda name: name[0].swapcase(), definitions.read_bytes()))
    other = run("info", folder / "two", "--as-one", status=3).stderr.decode()
    check("is of another program than first/traces.otf2" in other, other)

    # A copy, a link, and a file of events that ends early.
    shutil.copytree(parts / "rank1", parts / "copy")
    copy = run("info", parts, "--as-one", status=3).stderr.decode()
    check("2 archives cannot" in copy and re.search("(copy|rank1)/traces.otf2: is a copy of (copy|rank1)/traces.otf2", copy), copy)
    shutil.rmtree(parts / "copy")
    shutil.rmtree(parts / "rank3")
    (parts / "rank3").symlink_to(parts / "rank2")
    check("rank3 is a link, which is not followed" in run("info", parts, "--as-one").stderr.decode(), "nobody sees the link")
    for rank in (1, 2):
        os.truncate(sorted((parts / f"rank{rank}/traces").glob("*.evt"))[0], 100)
    check(re.search(r"damaged.*: rank1/traces/\d+\.evt and 1 more", run("info", parts, "--as-one", "--partial").stderr.decode()),
          "damaged archives are not told apart")

    check_epilogue(folder / "job")
    check_every_record(folder)


def print_events(anchor):
    """Every event as otf2-print shows it, without its location and without ids."""
    printed = subprocess.run(["otf2-print", str(anchor)], capture_output=True, text=True, timeout=300).stdout
    lines = re.findall(r"^([A-Z_]+) +\d+ +(.*)$", printed, re.MULTILINE)
    return collections.Counter((kind, re.sub(r" <\d+>", "", words)) for kind, words in lines)


def check_every_record(folder):
    """All kinds of records and definitions, in files of both byte orders and of this program."""
    if not shutil.which("otf2-print"):
        return
    run_of = folder / "every"
    written = collections.Counter()
    for rank, kind in enumerate(("little", "big", "own")):
        (run_of / f"rank{rank}").mkdir(parents=True)
        subprocess.run([MAKE_EVERY_RECORD, str(run_of / f"rank{rank}"), kind], check=True)
        run("write", next(run_of.glob(f"rank{rank}/*.otf2")), "-o", folder / f"every{rank}")
        written += print_events(folder / f"every{rank}/traces.otf2")
    run("write", run_of, "--as-one", "--clocks", "begin", "-o", folder / "every-written")
    is_clean(folder / "every-written/traces.otf2")
    found = print_events(folder / "every-written/traces.otf2")
    check(found.total() == written.total() > 500, f"{found.total()} records, and {written.total()} in the archives")
    kinds = [collections.Counter(), collections.Counter()]
    for counts, of_kind in zip((found, written), kinds):
        for (kind, _), count in counts.items():
            of_kind[kind] += count
    check(kinds[0] == kinds[1], f"other kinds of records: {kinds[0] - kinds[1]}, {kinds[1] - kinds[0]}")

    run("write", run_of / "rank0", "--as-one", "--clocks", "begin", "-o", folder / "every-alone")
    alone, plain = print_events(folder / "every-alone/traces.otf2"), print_events(folder / "every0/traces.otf2")
    check(alone == plain, f"other records of one archive: {list((alone - plain).items())[:4]} instead of {list((plain - alone).items())[:4]}")


def check_epilogue(job):
    """Archives go once all of the run is verified, those of several nodes, too."""
    make_archives(job, "--ranks", "12", "--threads", "2", "--iterations", "60", "--archives")
    log = run("reduce", "--epilogue", job, "--as-one", "--then-delete", "original", "--log", "-").stdout
    lines = [json.loads(line) for line in log.splitlines()]
    check([(line["status"], line["original"]) for line in lines] == [("done", "deleted")], f"the log says {lines}")
    check(not list(job.rglob("*.otf2")) and not list(job.rglob("*.evt")), "archives are left")
    check((job.parent / "job-small/traces.otf2").exists(), "there is no small trace")


with tempfile.TemporaryDirectory() as folder:
    check_all(pathlib.Path(folder))
print("FAILED" if failures else "as one: all is as in the archives")
sys.exit(1 if failures else 0)
