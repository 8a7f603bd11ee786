#!/usr/bin/env python3
"""Outputs that cannot be written, and small traces that are unusual: none should be told what is not so.

usage: odd_ends.py TRACEFOLD

Needs python3-otf2; ends with 77 where that is missing.
"""
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

try:
    import _otf2
    import otf2
except ImportError:
    sys.exit(77)

TRACEFOLD = sys.argv[1]
wrong = []


def expect(is_so, words):
    if not is_so:
        wrong.append(words)


def run(*words, status=0, **more):
    done = subprocess.run([TRACEFOLD, *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)
    expect(done.returncode == status, f"{' '.join(map(str, words))}: status {done.returncode} instead of {status}: {done.stderr[-300:]}")
    return done


def make_trace(folder, ranks=4, resolution=10**9, tick=1, calls=True, names=("step", "work"), more=lambda *_: None):
    """Ranks that call `step` twelve times, which calls `work`, by one rank longer than by the next."""
    with otf2.writer.open(str(folder), timer_resolution=resolution) as trace:
        outer, inner = (trace.definitions.region(name) for name in names)
        top = trace.definitions.system_tree_node("machine", class_name="machine")
        for rank in range(ranks):
            group = trace.definitions.location_group(f"MPI Rank {rank}", system_tree_parent=top)
            writer = trace.event_writer("Master thread", group=group)
            now = 0
            more(trace, top, writer)
            for _ in range(12 if calls else 0):
                writer.enter(now, outer)
                writer.enter(now + tick, inner)
                now += (3 + rank) * tick
                writer.leave(now, inner)
                writer.leave(now + tick, outer)
                now += 2 * tick
    return folder / "traces.otf2"


def list_all(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def outputs_that_cannot_be_written(here):
    """They are refused before the trace is opened, and nothing is left."""
    trace = make_trace(here / "app")
    small = here / "small"
    run("reduce", trace, "-o", small, "-q")
    (here / "file").write_text("x")
    before = list_all(here)
    for command, ending in (("reduce", ""), ("reduce", ".tar"), ("reduce", ".json"), ("write", ""), ("expand", ""), ("expand", ".tar"), ("export", ""), ("report", ".html"),
                            ("lattice", ".svg"), ("matrix", ".svg"), ("profile", ".svg"), ("correlate", ".svg"), ("iterations", ".svg")):
        more = {"correlate": ["--view", "execution time"], "iterations": ["--map", "execution time"]}.get(command, [])
        for folder in ("file", "file/in", "/proc"):
            done = run(command, here / "nowhere.otf2", "-o", here / folder / ("out" + ending), *more, status=4)
            expect("nothing can be written there" in done.stderr, f"{command} to {folder}: {done.stderr}")
    done = run("reduce", trace, "-o", here / "out", "--anonymize", here / "file/table.json", status=4)
    expect("table.json: nothing can be written" in done.stderr, done.stderr)
    run("reduce", trace, "-o", here / ("x" * 300), status=4)
    done = run("reduce", here / "nowhere.otf2", "-o", "-", status=4, env={"TMPDIR": str(here / "file")})
    # Folders that are missing are made, but not where nothing comes into them.
    (here / "bad.otf2").write_text("x")
    run("reduce", here / "bad.otf2", "-o", here / "new/folder/out", status=3)
    (here / "bad.otf2").unlink()
    expect(list_all(here) == before, f"left: {set(list_all(here)) ^ set(before)}")
    run("reduce", trace, "-o", here / "new/folder/out", "-q")
    run("verify", here / "new/folder/out/traces.otf2", "--against", trace)


def what_killed_runs_leave(here):
    """The next run removes it, and says so; what is still filled stays."""
    trace = make_trace(here / "app", ranks=200)
    killed = subprocess.Popen([TRACEFOLD, "reduce", str(trace), "-o", str(here / "out"), "-q", "--threads", "1"], stdin=subprocess.DEVNULL)
    left = []
    while not left and killed.poll() is None:
        left = [path for path in here.iterdir() if path.name.startswith(".out.tracefold-") and path.is_dir()]
    killed.send_signal(signal.SIGSTOP)
    expect(bool(left), "the run was done before it could be stopped")
    done = run("reduce", trace, "-o", here / "out", "--dry-run")
    expect(left[0].exists(), "what is filled was removed")
    killed.kill()
    killed.wait()
    if left[0].exists():
        done = run("reduce", trace, "-o", here / "out")
        expect(f"{left[0]} was left by a run that was killed, and is removed" in done.stderr, f"not told: {done.stderr}")
    expect([path.name for path in here.iterdir() if path.name.startswith(".")] == [], "something is left")
    killed_before = pathlib.Path(str(left[0]).replace(".out.", ".quiet."))
    killed_before.mkdir()
    done = run("reduce", trace, "-o", here / "quiet", "-q")
    expect(done.stderr == "" and not killed_before.exists(), f"-q: {done.stderr}")


def ids_of_originals(here):
    """Tables name locations by the original's ids, where nothing is folded, too."""
    trace = make_trace(here / "app")
    plan = run("filter", trace, "--locations", "1,3", "--json").stdout
    (here / "plan.json").write_text(plan)
    with open(here / "plan.json") as stdin:
        subprocess.run([TRACEFOLD, "write", "-q", "--fold", "off", "-o", str(here / "some")], stdin=stdin, check=True)
    run("reduce", trace, "-q", "--profiles", "off", "-o", here / "folded", "--always", "2")
    for small, ids in (("some", {"1", "3"}), ("folded", {"1", "2"})):
        anchor = here / small / "traces.otf2"
        for words in (["profile", "--per-process"], ["iterations", "--map", "execution time", "--csv", "processes"]):
            lines = run(words[0], anchor, *words[1:], "--format", "csv").stdout.splitlines()[1:]
            found = {line.split(",")[0] for line in lines}
            expect(found == ids, f"{small}, {words[0]}: {found}")


def errors(here):
    """What is not folded has no error; where nothing is known of any time, nothing is told of errors."""
    trace = make_trace(here / "app")
    said = run("reduce", trace, "-o", here / "whole", "--per-group", "100", "--iterations", "off").stdout
    expect("unknown" not in said, said)
    said = run("reduce", trace, "-o", here / "iterations", "--per-group", "100", "--iterations", "20", "-v").stdout
    expect("unknown" not in said and re.search(r"12 +12 +0 % +0 % +0 %", said), said)

    empty = make_trace(here / "empty", ranks=16, calls=False)
    said = run("reduce", empty, "-o", here / "none").stdout
    expect("good" not in said and "no calls were recorded" in said, said)
    said = run("summary", empty).stdout
    expect("16 locations without calls" in said and "0 processes" not in said, said)
    run("verify", here / "none/traces.otf2", "--against", empty)
    expect("not measured" in run("report", here / "none/traces.otf2", "-o", "-").stdout, "the report tells an error of nothing")


def names(here):
    """Words of tools stay where names are replaced, and nothing else does."""
    def use(trace, top, writer):
        d = trace.definitions
        if not hasattr(use, "counters"):
            use.counters = [d.metric(name, unit=unit) for name, unit in (("secretcounter", "secretunits"), ("othersecret", "MiB/s"))]
            file = d.io_regular_file("/home/secret/input", scope=d.system_tree_node("secretnode", class_name="secretclass", parent=top))
            use.handles = [d.io_handle(file=file, io_paradigm=d.io_paradigm(*names, otf2.IoParadigmClass.SERIAL, otf2.IoParadigmFlag.NONE))
                           for names in (("SECRETIO", "secret I/O"), ("POSIX", "POSIX I/O"))]
        for counter in use.counters:
            writer.metric(0, counter, 1)
        for handle in use.handles:
            writer.io_create_handle(0, handle, otf2.IoAccessMode.READ_ONLY, otf2.IoCreationFlag.NONE, otf2.IoStatusFlag.NONE)
    trace = make_trace(here / "app", names=("secretstep", "secretwork"), more=use)
    run("reduce", trace, "-q", "--per-group", "9", "-o", here / "coded", "--anonymize", here / "table.json")
    for path in (here / "coded").rglob("*"):
        if path.is_file():
            expect(b"secret" not in path.read_bytes().lower(), f"{path.name} has a name of the original")
    for word in (b"POSIX I/O", b"MiB/s", b"machine"):
        expect(word in (here / "coded/traces.def").read_bytes(), f"{word} is replaced")
    run("verify", here / "coded/traces.otf2", "--against", trace, "--anonymize", here / "table.json")
    done = run("verify", here / "coded/traces.otf2", "--against", trace, status=1)
    expect("are codes" in done.stdout and "FAIL" not in done.stdout, done.stdout)
    expect(run("verify", here / "coded/traces.otf2").stdout.startswith("all rules hold"), "alone")


def anchors(here):
    """The files of an archive have its anchor's name; those of one that was renamed alone are found."""
    trace = make_trace(here / "app")
    said = run("info", trace).stdout
    run("reduce", trace, "-q", "-o", here / "before")
    trace.rename(here / "app/run5.otf2")
    expect(run("info", here / "app/run5.otf2").stdout == said, said)
    run("verify", here / "before/traces.otf2", "--against", here / "app/run5.otf2")
    (here / "app/more.def").touch()
    done = run("info", here / "app/run5.otf2", status=3)
    expect("copy all of its files" in done.stderr, done.stderr)
    (here / "app/more.def").unlink()
    (here / "app/traces.def").unlink()
    done = run("info", here / "app/run5.otf2", status=3)
    expect("copy all of its files" in done.stderr, done.stderr)


def short_runs(here):
    """Times below a microsecond, and metrics of members in a run of few ticks."""
    said = run("info", make_trace(here / "short")).stdout
    expect(re.search(r"^duration +95\.0 ns$", said, re.MULTILINE), said)
    trace = make_trace(here / "coarse", resolution=1000)
    run("reduce", trace, "-q", "--iterations", "off", "--member-metrics", "on", "-o", here / "small")
    said = run("info", here / "small/traces.otf2").stdout
    expect(re.search(r"^ +Metric +[1-9]", said, re.MULTILINE), said)


def calls_without_names(here):
    """Viewers show no call without a name."""
    trace = make_trace(here / "app", names=("step", ""))
    run("reduce", trace, "-q", "-o", here / "out.json")
    calls = [event for event in json.loads((here / "out.json").read_text())["traceEvents"] if event.get("ph") in ("B", "X")]
    expect(calls and all(event["name"] for event in calls), "a call without a name")
    run("reduce", trace, "-q", "-o", here / "out.pftrace")
    expect(b"(no name)" in (here / "out.pftrace").read_bytes(), "a call without a name in the other format")


def clocks(here):
    """Offsets of clocks may be negative: both readers take them, and say the same."""
    def set_back(trace, _top, writer):
        local = _otf2.Archive_GetDefWriter(trace.handle, writer._location._ref)
        for time in (0, 1000):
            _otf2.DefWriter_WriteClockOffset(local, time, -7, 0.0)
    trace = make_trace(here / "app", more=set_back)
    for words in (["info", trace, "--json"], ["profile", trace, "--per-process", "--format", "csv"], ["iterations", trace, "--map", "execution time"]):
        own, other = (run(*words, "--reader", reader).stdout for reader in ("own", "otf2"))
        expect(own == other, f"{words[0]}: the readers differ")


def main():
    for visit in (outputs_that_cannot_be_written, what_killed_runs_leave, ids_of_originals, errors, names, anchors, short_runs, calls_without_names, clocks):
        with tempfile.TemporaryDirectory() as folder:
            before = len(wrong)
            visit(pathlib.Path(folder))
            wrong[before:] = [f"{visit.__name__}: {words}" for words in wrong[before:]]
    print("\n".join(wrong) or "all is as it should be")
    sys.exit(1 if wrong else 0)


main()
