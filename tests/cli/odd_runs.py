#!/usr/bin/env python3
"""Checks what is told of runs that are not as others: records that end early, clocks that do not fit,
ranks that begin later, programs that have nothing to do with each other, in one run or in two, and
waiting that is noise. And that locations of a small trace are those of the original.

usage: odd_runs.py TRACEFOLD [RUN…]

Makes small traces of which the truth is known. Shares no code with tracefold.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from planted_checks import exchange
from simulated_program import ALLREDUCE, MS, NONE, Program

STEPS = 20


class OddProgram(Program):
    """Its events are changed before they are written."""

    change = None

    def define_locations(self):
        if self.change:
            self.change(self.archive.events)
        super().define_locations()


def solve(p, _):
    for rank in range(p.ranks):
        p.compute(rank, "solve", 5)
    exchange(p)
    p.allreduce()


def make(folder, change, ranks=6, function="solve", step=solve):
    p = OddProgram(str(folder), ranks)
    p.change = change
    p.run(STEPS, step)
    return folder / "traces.otf2"


def cut_at(share, ranks):
    def change(events):
        end = max(event[0] for event in events[0])
        for rank in ranks:
            events[rank] = [event for event in events[rank] if event[0] <= share * end]
    return change


def leave_main_open(events):
    """Rank 1 calls MPI_Finalize early; nobody leaves main."""
    end = max(event[0] for event in events[0])
    for location in events:
        events[location].pop()
    finalize = events[1][-2:]
    begin = int(0.4 * end)
    events[1] = ([event for event in events[1] if event[0] < begin and event[1] in ("Enter", "Leave")][:3]
                 + [(begin, *finalize[0][1:]), (begin + 10, *finalize[1][1:])])


def shift_clock(events):
    """The first rank's clock is fast: others receive its messages before they were sent."""
    events[0] = [(time + 15 * MS, *rest) for time, *rest in events[0]]


def run(tracefold, *arguments):
    done = subprocess.run([tracefold, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def summarize(tracefold, *arguments):
    return json.loads(run(tracefold, "summary", "--json", *arguments))["runs"][-1]


def reduce(tracefold, trace):
    small = trace.parent.parent / f"{trace.parent.name}-small"
    run(tracefold, "reduce", "-q", trace, "-o", small)
    return small / "traces.otf2"


def refuse(tracefold, *arguments):
    done = subprocess.run([tracefold, *map(str, arguments)], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def list_ids(ranges):
    ids = set()
    for part in ranges.split(","):
        bounds, _, stride = part.partition(":")
        first, _, last = bounds.partition("-")
        ids |= {str(one) for one in range(int(first), int(last or first) + 1, int(stride or 1))}
    return ids


def early_ends(tracefold, folder):
    trace = make(folder / "early", cut_at(0.4, (1, 4)))
    one = summarize(tracefold, trace)
    first = one["headline"][0]
    yield re.match(r"records of ranks 1,4 end at (3[6-9]|40) % of the run", first), first
    yield one["scope"] == "window" and one["efficiencies"]["load_balance"] > 0.95, one["efficiencies"]
    yield one["finding"]["loss"] != "load_balance", one["finding"]
    one = summarize(tracefold, trace, "--scope", "run")
    yield one["ranks"] == 4 and one["records_end_early"]["left_out"], one["records_end_early"]
    one = summarize(tracefold, reduce(tracefold, trace))
    yield one["ranks"] == 4 and one["headline"][0].startswith("records of ranks 1,4 end"), one["headline"]
    cut = {one["id"] for one in json.loads(run(tracefold, "group", "--json", trace))["profiles"] if "ends_early" in one}
    yield cut == {"1", "4"}, cut
    for options in ((), ("--representative", "slowest"), ("--representative", "first"), ("--to", "2"),
                    ("--per-group", "2"), ("--representative", "connected")):
        kept = json.loads(run(tracefold, "select", "--json", trace, *options))["representatives"]
        yield all(one["representative"] not in cut or list_ids(one["members"]) <= cut for one in kept), kept
    page = folder / "page.html"
    run(tracefold, "report", "-q", trace, "-o", page)
    yield "Records of ranks 1,4 end" in page.read_text().replace("\u00a0", " "), "report"


def very_early_ends(tracefold, folder):
    one = summarize(tracefold, make(folder / "very", cut_at(0.22, (2,)), step=solve))
    yield one["records_end_early"]["who"] == ["rank 2"], one["records_end_early"]


def finalized(tracefold, folder):
    one = summarize(tracefold, make(folder / "finalized", leave_main_open))
    yield one["records_end_early"] is None, one["headline"]


def wrong_clocks(tracefold, folder):
    trace = make(folder / "clocks", shift_clock)
    small = reduce(tracefold, trace)
    for one in (summarize(tracefold, trace), summarize(tracefold, small)):
        yield one["early_messages"]["hide_waiting"], one["early_messages"]
        yield any("arrive before they were sent" in line for line in one["headline"]), one["headline"]
        yield one["finding"]["loss"] not in ("serialisation", "transfer"), one["finding"]
        yield not one["waits"] and one["causes_of_waiting"] is None, one["causes_of_waiting"]
        yield one["efficiencies"]["serialisation"] is None, one["efficiencies"]
    page = folder / "page.html"
    run(tracefold, "report", "-q", trace, "-o", page)
    yield "arrive before they were sent" in page.read_text().replace("\u00a0", " "), "report"
    late = make(folder / "late", shift_clock, step=solve_late)
    for pair in ((trace, late), (small, reduce(tracefold, late))):
        one = json.loads(run(tracefold, "compare", "--json", *pair))
        told = [one["headline"], *one["findings"]]
        yield not any("MPI_" in line for line in told), told
        yield "solve" in one["headline"] and "times of waiting are not compared" in told[-1], told
        yield not one["a"]["waiting_known"] and one["b"]["early_messages_share"] > 0.01, one["b"]
        yield not find_beyond(one), find_beyond(one)
        between = run(tracefold, "compare", pair[1], "--between", "rank:0,rank:5")
        yield "messages arrive before they were sent" in between and "MPI_" not in between.splitlines()[0], between
    for one in (trace, small):
        told = refuse(tracefold, "matrix", one, "--metric", "waiting")
        yield "arrive before they were sent" in told, told
        yield run(tracefold, "matrix", one), "bytes are known"


def right_clocks(tracefold, folder):
    one = summarize(tracefold, make(folder / "right", None))
    yield one["early_messages"] is None and one["efficiencies"]["serialisation"] is not None, one["headline"]
    yield one["records_end_early"] is None and one["begins_later"] is None, one["headline"]
    one = json.loads(run(tracefold, "compare", "--json", folder / "right/traces.otf2",
                         make(folder / "late", None, step=solve_late)))
    yield one["a"]["waiting_known"] and find_beyond(one), one["findings"]


def solve_late(p, _):
    for rank in range(p.ranks):
        p.compute(rank, "solve", 8 if rank == 5 else 5)
    exchange(p)
    p.allreduce()


def find_beyond(comparison):
    """Calls of MPI that take another time."""
    rows = comparison["functions"] + [row for pair in comparison["groups"] for row in pair.get("call_paths", [])]
    return [row["name"] for row in rows if "MPI_All" in row["name"] and row["time_seconds"]["beyond"]]


def noise(tracefold, folder):
    def solve_but(milliseconds):
        def step(p, _):
            for rank in range(p.ranks):
                p.compute(rank, "solve", milliseconds if rank == 2 else 5)
            p.allreduce()
        return step

    for name, milliseconds, is_told in (("noise", 5.002, False), ("cause", 5.3, True)):
        trace = make(folder / name, None, step=solve_but(milliseconds))
        page = folder / f"{name}.html"
        run(tracefold, "report", "-q", trace, "-o", page)
        yield ("rank 2 makes others wait" in page.read_text().replace("\u00a0", " ").lower()) == is_told, f"report, {name}"
        for one in (summarize(tracefold, trace), summarize(tracefold, reduce(tracefold, trace))):
            yield any("rank 2" in line for line in one["headline"]) == is_told, one["headline"]
            yield one["causes_of_waiting"]["late_processes"][0]["process"] == "rank 2", one["causes_of_waiting"]


class Coupled(OddProgram):
    """Ranks 4 and 5 run a program of their own, which takes as many steps."""

    def enter(self, rank, name):
        super().enter(rank, self.rename(rank, name))

    def leave(self, rank, name):
        super().leave(rank, self.rename(rank, name))

    @staticmethod
    def rename(rank, name):
        return {"timestep": "ocean_step", "solve": "mix", "read_input": "load"}.get(name, name) if rank > 3 else name


def coupled(tracefold, folder):
    Coupled(str(folder / "coupled"), 6).run(STEPS, solve)
    trace = folder / "coupled" / "traces.otf2"
    small = reduce(tracefold, trace)
    for one in (trace, small):
        told = run(tracefold, "summary", one).splitlines()[1]
        yield "two loops of 20 (ranks 0-3) and 20 iterations (ranks 4-5)" in told, told
    one = run(tracefold, "summary", make(folder / "right", None)).splitlines()[1]
    yield "the main loop of 20 iterations" in one, one


def small_ids(tracefold, folder):
    Coupled(str(folder / "coupled"), 6).run(STEPS, solve)
    small = folder / "small" / "traces.otf2"
    run(tracefold, "reduce", "-q", folder / "coupled" / "traces.otf2", "-o", small.parent, "--profiles", "off")
    listed = json.loads(run(tracefold, "group", "--json", small))
    kept = {one["id"]: one["rank"] for one in listed["profiles"]}
    originals = sorted(kept.values())
    yield 2 <= len(originals) < 6 and set(kept) != {str(rank) for rank in originals}, kept
    last = originals[-1]
    left = run(tracefold, "filter", "--json", small, "--locations", last)
    piped = subprocess.run([tracefold, "group", "--json"], input=left, capture_output=True, text=True, check=True)
    yield [one["rank"] for one in json.loads(piped.stdout)["profiles"]] == [last], piped.stdout
    table = run(tracefold, "filter", small, "--locations", last, "--format", "csv")
    yield f"0,locations,{last}" in table, table
    without = next(rank for rank in range(6) if rank not in originals)
    for words in (("filter", small, "--locations", without), ("select", small, "--always", without),
                  ("reduce", small, "-o", folder / "none", "--always", without)):
        told = refuse(tracefold, *words)
        rows = re.search(r"rows are of locations ([\d,:-]+)", told)
        yield f"location {without} of the original has no row" in told, told
        yield rows and list_ids(rows[1]) == {str(rank) for rank in originals}, told
    kept = json.loads(run(tracefold, "select", "--json", small, "--always", last))["representatives"]
    yield any(one["why"] for one in kept), kept
    told = run(tracefold, "compare", small, "--align", f"{originals[0]},{last}")
    yield f"rank {originals[0]}" in told and f"rank {last}" in told, told


def near_threshold(tracefold, folder):
    """95.1 % of the waiting is in the loop: from 95 % on it is told as if all were. A small trace knows times to 1 %."""
    for k in range(8):
        late = 1 + 0.0023 * k

        def step(p, _):
            for rank in range(p.ranks):
                p.compute(rank, "solve", 5 + late if rank == 2 else 5)
            p.allreduce()

        def before(p):
            p.compute(2, "prepare", STEPS * late * (1 / 0.951 - 1))
            p.allreduce()

        Program(str(folder / str(k)), 6).run(STEPS, step, before=before)
        trace = folder / str(k) / "traces.otf2"
        told = [next(line for line in summarize(tracefold, one)["headline"] if line.startswith("waiting"))
                for one in (trace, reduce(tracefold, trace))]
        yield all(line.endswith("; rank 2 causes all of that") or "rank 2 reaches MPI_Allreduce last" in line for line in told), told


def collectives_of_threads(tracefold, folder):
    """Both threads of a rank reduce, in turns: which operations belong together is not known, and that is said."""
    p = OddProgram(str(folder / "threads"), 4, threads=2)
    for location in range(8):
        p.archive.event(location, 0, "Enter", p.region("main"))
        for number in range(10):
            begin = (20 * number + 10 * (location % 2)) * MS
            p.archive.event(location, begin + location * MS // 2, "Enter", p.region("MPI_Allreduce"))
            p.archive.event(location, begin + location * MS // 2, "MpiCollectiveBegin")
            p.archive.event(location, begin + 8 * MS, "MpiCollectiveEnd", ALLREDUCE, 0, NONE, 8, 8)
            p.archive.event(location, begin + 8 * MS, "Leave", p.region("MPI_Allreduce"))
        p.archive.event(location, 300 * MS, "Leave", p.region("main"))
    p.define_locations()
    p.archive.close()
    trace = folder / "threads" / "traces.otf2"
    for words in (("summary", trace), ("matrix", trace, "--metric", "waiting")):
        told = subprocess.run([tracefold, *words], capture_output=True, text=True, check=True)
        yield "since several threads of a process take part in operations on MPI_COMM_WORLD" in told.stderr, told.stderr
    for one in (trace, reduce(tracefold, trace)):
        told = run(tracefold, "matrix", one, "--metric", "waiting")
        yield "who comes last in operations of all to all is not known" in told, told
        yield "barriers is not known" not in told, told
        yield summarize(tracefold, one)["efficiencies"]["serialisation"] is None, "summary"


def spawned(tracefold, folder):
    p = Program(str(folder / "spawned"), 4)

    def begin(ranks):
        for rank in ranks:
            p.enter(rank, "main")
            p.enter(rank, "MPI_Init")
            p.go_to(rank, p.clock(rank) + MS)
            p.leave(rank, "MPI_Init")

    def compute(ranks, steps):
        for _ in range(steps):
            for rank in ranks:
                p.compute(rank, "solve", 10)

    begin((0, 1))
    compute((0, 1), 12)
    for rank in (0, 1):
        p.compute(rank, "MPI_Comm_spawn", 1)
    for rank in (2, 3):
        p.go_to(rank, p.clock(0))
    begin((2, 3))
    compute(range(4), 8)
    for rank in range(4):
        p.compute(rank, "MPI_Finalize", 1)
        p.leave(rank, "main")
    p.define_locations()
    p.archive.close()
    trace = folder / "spawned" / "traces.otf2"
    for one in (summarize(tracefold, trace), summarize(tracefold, reduce(tracefold, trace))):
        yield one["begins_later"] and one["begins_later"]["who"] == ["rank 2", "rank 3"], one["begins_later"]
        yield abs(one["begins_later"]["first"] - 0.6) < 0.01, one["begins_later"]
        yield one["efficiencies"]["load_balance"] > 0.97, one["efficiencies"]
        yield one["finding"]["loss"] != "load_balance", one["finding"]
    one = summarize(tracefold, trace, "--scope", "run")
    yield one["efficiencies"]["load_balance"] > 0.97 and one["efficiencies"]["parallel"] > 0.95, one["efficiencies"]


def unrelated(tracefold, folder):
    def other(p, _):
        for rank in range(p.ranks):
            p.compute(rank, "render", 3)
            p.compute(rank, "sort", 3)
        p.allreduce()

    class Other(OddProgram):
        def enter(self, rank, name):
            super().enter(rank, {"timestep": "frame", "read_input": "load"}.get(name, name))

        def leave(self, rank, name):
            super().leave(rank, {"timestep": "frame", "read_input": "load"}.get(name, name))

    one, same = make(folder / "one", None), make(folder / "same", None, 8)
    Other(str(folder / "other"), 6).run(STEPS, other)
    another = folder / "other" / "traces.otf2"
    yield "few functions in common" in run(tracefold, "summary", one, another), "unrelated"
    yield "computation scaling" not in run(tracefold, "summary", one, another), "unrelated"
    yield summarize(tracefold, one, another)["efficiencies"]["computation_scaling"] is None, "unrelated"
    yield "computation scaling" in run(tracefold, "summary", one, same), "the same program"


RUNS = (early_ends, very_early_ends, finalized, wrong_clocks, right_clocks, noise, coupled, small_ids, near_threshold,
        collectives_of_threads, spawned, unrelated)


def main():
    tracefold, names = sys.argv[1], sys.argv[2:]
    bad = 0
    for made in RUNS:
        if names and made.__name__ not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            wrong = [f"{made.__name__}, check {k + 1}: {what}"
                     for k, (holds, what) in enumerate(made(tracefold, pathlib.Path(folder))) if not holds]
        bad += len(wrong)
        print("\n".join(wrong) if wrong else f"ok {made.__name__}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
