#!/usr/bin/env python3
"""Asks all commands about all traces, and fails on answers that cannot be.

usage: impossible_answers.py TRACEFOLD [--all | --self-test | TRACE.otf2...]   (77: python3-otf2 or traces are missing)

The traces are the small cases, the public ones and the shared ones; without --all only those whose pack has
less than LARGE bytes. Of each, and of the small trace that `reduce` makes of it: no location computes that
calls nothing; the run is as long as its calls, by every command; "OpenMP", "MPI", "all ranks" and "all
processes" are told only where they are so; no share is above 100 %, no number is inf or nan, no part is
larger than its whole; a trace does not differ from itself; and the small trace says what the original says.
What is so is counted by python3-otf2, which shares no code with tracefold: length of the run, locations
that call, time in MPI and outside of it, paradigms and ranks.
--self-test changes true answers, and demands that the rule of each change notices it.
"""
import collections
import concurrent.futures
import copy
import csv
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

from shared_traces import PACKS, PUBLIC_PACKS, SHARED, read_ranges

try:
    import otf2
except ImportError:
    print("python3-otf2 is missing")
    sys.exit(77)

LARGE = 500_000
CASES = ("cases", "cases-wrong", "cases-public", "cases-answers")
BAD_INPUT = 3
ROUNDING = 1e-6
SMALL = 0.025  # the small trace knows times to 1 %, and texts round the original's and its own

OPENMP = {otf2.Paradigm.OPENMP}
COPIES_AND_KERNELS = {otf2.LocationType.ACCELERATOR_STREAM, otf2.LocationType.GPU}


# ---------------------------------------------------------------------------------------------- the truth

class Truth:
    """What python3-otf2 counts in an archive. `run` is that of all records of locations that call, in seconds,
    and `calls` that of their calls alone; of all records, where nothing calls.
    """

    def __init__(self, anchor):
        self.time = collections.Counter()  # in calls, by location
        self.mpi = collections.Counter()  # in calls of MPI, by location
        self.called = set()  # paradigms
        self.mpi_names = set()  # called functions that are named as MPI's
        self.location_types, self.ranks = {}, {}
        self.is_gapless = True  # without stopped recording and flushed buffers
        with otf2.reader.open(str(anchor)) as trace:
            self.second = trace.timer_resolution
            for location in trace.definitions.locations:
                self.location_types[location._ref] = location.type
                self.ranks[location._ref] = location.group._ref
            self.read(trace)

    def read(self, trace):
        stacks, first, last, mpi_calls = collections.defaultdict(list), {}, {}, collections.Counter()
        calls = []
        for location, event in trace.events:
            if not hasattr(event, "time"):
                continue
            here, now = location._ref, event.time
            first.setdefault(here, now)
            kind = type(event).__name__
            self.is_gapless &= kind not in ("MeasurementOnOff", "BufferFlush")
            passed = now - last.get(here, now)
            last[here] = now
            if stacks[here]:
                self.time[here] += passed
                self.mpi[here] += passed if mpi_calls[here] else 0
            if kind not in ("Enter", "Leave"):
                continue
            calls.append(now)
            self.time[here] += 0  # it calls
            is_mpi = event.region.paradigm == otf2.Paradigm.MPI
            if kind == "Enter":
                stacks[here].append(event.region)
                mpi_calls[here] += is_mpi
                self.called.add(event.region.paradigm)
                if re.match(r"(?i)p?mpi_", event.region.name):
                    self.mpi_names.add(event.region.name)
            elif stacks[here]:
                mpi_calls[here] -= stacks[here].pop().paradigm == otf2.Paradigm.MPI
        self.calls = (max(calls) - min(calls)) / self.second if calls else 0
        with_calls = self.time or first
        records = [time for times in (first, last) for location, time in times.items() if location in with_calls]
        self.run = (max(records) - min(records)) / self.second if records else 0

    def calling(self):
        return set(self.time)

    def has_mpi(self):
        return otf2.Paradigm.MPI in self.called or bool(self.mpi_names)

    def has_threads_only(self):
        """All calls are of threads of CPUs, which overlap nowhere."""
        return all(self.location_types[location] == otf2.LocationType.CPU_THREAD for location in self.time)


# -------------------------------------------------------------------------------------------- the answers

QUESTIONS = {
    "info": ["info"], "info.json": ["info", "--json"],
    "summary": ["summary"], "summary.json": ["summary", "--json"],
    "run.json": ["summary", "--scope", "run", "--json"],
    "profile": ["profile"], "profile.csv": ["profile", "--per-process", "--format", "csv"],
    "group": ["group", "--format", "table"], "group.csv": ["group", "--format", "csv"],
}


class Answers:
    """What commands say of one trace: the texts by name of the question, without the path of the trace."""

    def __init__(self):
        self.texts, self.statuses, self.notes = {}, {}, {}

    def ask(self, tracefold, name, *words, hidden=()):
        done = subprocess.run([tracefold, *map(str, words)], capture_output=True, text=True)
        text = done.stdout
        for path in hidden:
            text = text.replace(str(path), "TRACE")
        self.texts[name], self.statuses[name], self.notes[name] = text, done.returncode, done.stderr

    def json(self, name):
        return json.loads(self.texts[name], parse_constant=float)

    def run_json(self, name):
        return self.json(name)["runs"][0]

    def rows(self, name):
        return list(csv.DictReader(io.StringIO(self.texts[name])))

    def tables(self):
        """Texts for people."""
        return {name: text for name, text in self.texts.items() if not name.endswith((".json", ".csv"))}


def collect(tracefold, anchor, folder):
    """The answers about a trace."""
    answers = Answers()
    small = folder / "small"
    for name, words in QUESTIONS.items():
        answers.ask(tracefold, name, words[0], anchor, *words[1:], hidden=[anchor])
    answers.ask(tracefold, "compare", "compare", anchor, anchor, "--fail-over", "0.1%", hidden=[anchor])
    answers.ask(tracefold, "compare.json", "compare", anchor, anchor, "--json", hidden=[anchor])
    answers.ask(tracefold, "report", "report", anchor, "-o", folder / "page.html")
    page = folder / "page.html"
    answers.texts["page"] = read_words(page.read_text()) if page.exists() else ""
    answers.ask(tracefold, "reduce", "reduce", anchor, "-o", small, hidden=[anchor, small])
    answers.small = None
    made = sorted(small.glob("*.otf2"))
    if made:
        answers.small = Answers()
        for name, words in QUESTIONS.items():
            answers.small.ask(tracefold, name, words[0], made[0], *words[1:], hidden=[made[0]])
    return answers


def read_words(page):
    """What a page says outside of its script, style and data."""
    page = re.sub(r"<(script|style)[^>]*>.*?</\1>", " ", page, flags=re.S)
    return re.sub(r"<[^>]*>", " ", page).replace("\u00a0", " ")


# ---------------------------------------------------------------------------------------------- the rules
# Each yields what is wrong. `where` names the answer.

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}
NUMBER = r"(?<![\w.+-])(\d{1,3}(?: \d{3})+|\d+(?:\.\d+)?)"
AMOUNT = re.compile(NUMBER + r" (ns|us|ms|s|min|h)(?!\w)")
SHARE = re.compile(NUMBER + r" %")


def read_amounts(text):
    return [float(number.replace(" ", "")) * UNITS[unit] for number, unit in AMOUNT.findall(text)]


def rule_answered(answers, truth):
    """All commands answer, or all refuse the trace."""
    wrong = {name: status for name, status in answers.statuses.items() if status != 0}
    if wrong and set(answers.statuses.values()) != {BAD_INPUT}:
        for name, status in wrong.items():
            yield f"{name} ends with {status}: {answers.notes[name][-200:]}"


def rule_calls(answers, truth):
    """No location has time that calls nothing."""
    calling = {str(location) for location in truth.calling()}
    for row in answers.rows("profile.csv"):
        if row["location"] not in calling and float(row["execution_time_seconds"]) > 0:
            yield f"profile.csv: location {row['location']} has time, and calls nothing"
    silent = {}  # names of groups of which no member calls
    for row in answers.rows("group.csv"):
        members = read_ranges(row["members"])
        silent[row["group_name"]] = silent.get(row["group_name"], True) and not any(str(m) in calling for m in members)
    for group in answers.run_json("run.json")["groups"]:
        if silent.get(group["name"]) and group["max_s"]:
            yield f"summary: {group['name']} computes {group['max_s']} s, and calls nothing"


def rule_run(answers, truth):
    """The run is as long as it is, by every command."""
    side = answers.json("compare.json")["a"]
    told = {"info": answers.json("info.json")["seconds"],
            "compare": side["run_seconds"] and side["run_seconds"] + side["recording_off_seconds"]}
    run = answers.run_json("run.json")
    off = run["recording_off_share"] or 0  # in the mean over ranks, of the time; it is no part of the runtime
    if run["percent"] == 0 and run["runtime_s"] is not None:
        told["summary --scope run"] = run["runtime_s"] / (1 - off)
    for name, seconds in told.items():
        if seconds is not None and abs(seconds - truth.run) > ROUNDING + off * truth.run:
            yield f"{name}: the run takes {seconds} s, not {truth.run} ({truth.calls} of calls)"
    part = answers.run_json("summary.json")["runtime_s"]
    if part is not None and part > truth.run + ROUNDING:
        yield f"summary: {part} s of a run of {truth.run}"
    for name in ("summary", "page"):
        for text in re.findall(r"the whole run(?::| takes) ([\d. ]+ \w+)", answers.texts[name]):
            if abs(read_amounts(text)[0] - truth.run) > 0.006 * truth.run:
                yield f"{name}: the whole run: {text}, not {truth.run} s"


def rule_paradigms(answers, truth):
    """OpenMP and MPI are named only where they are recorded, and not missed where they are."""
    for name, text in answers.tables().items():
        # Names of functions may hold any word; sentences name MPI's own calls only where these are called.
        if not truth.called & OPENMP and re.search(r"\bOpenMP (?!target)|parallel regions?\b", strip_names(text)):
            yield f"{name}: OpenMP, which was not recorded: {find_line(text, 'OpenMP|parallel region')}"
        if not truth.has_mpi() and re.search(r"\bMPI\b", re.sub("(?i)no MPI was recorded", "", strip_names(text))):
            yield f"{name}: MPI, which was not recorded: {find_line(re.sub('(?i)no MPI was recorded', '', text), 'MPI')}"
        if otf2.Paradigm.MPI in truth.called and "no MPI was recorded" in text:
            yield f"{name}: no MPI was recorded, but it was"


def strip_names(text):
    """Without paths of files, and without names that a trace may give: of functions of MPI and of OpenMP."""
    return re.sub(r"!\$omp|\S*/\S*", "", text)


def find_line(text, pattern):
    return next((line.strip()[:160] for line in text.splitlines() if re.search(pattern, line)), "")


def rule_everyone(answers, truth):
    """'All ranks' means every rank that calls; 'all processes' and 'of all' every location."""
    ranks = {truth.ranks[location] for location in truth.calling()
             if truth.location_types[location] == otf2.LocationType.CPU_THREAD}
    for row in answers.rows("group.csv"):
        members = {truth.ranks[location] for location in read_ranges(row["members"])} & ranks
        words = re.search(r"(?:all|every|each) ranks?(?: but (?:([\d,-]+)|(the first and last)|the first|the last))?$",
                          row["group_name"])
        if not words:
            continue
        others = 0 if " but " not in words[0] else len(read_ranges(words[1])) if words[1] else 2 if words[2] else 1
        if len(members) != len(ranks) - others:
            yield f"group: {row['group_name']} is of {len(members)} of {len(ranks)} ranks"
    for name, text in [*answers.tables().items(), *((n + " of the small trace", t) for n, t in list_small_notes(answers))]:
        for count in re.findall(r"\b(?:of |for )?all (\d+) processes", text):
            if int(count) != len(truth.location_types):
                yield f"{name}: all {count} processes, of {len(truth.location_types)}"


def list_small_notes(answers):
    return answers.small.notes.items() if answers.small else ()


def rule_numbers(answers, truth):
    """No number is inf or nan."""
    small = answers.small.texts if answers.small else {}
    for name, text in [*answers.texts.items(), *((f"{n} of the small trace", t) for n, t in small.items())]:
        if found := re.search(r"(?<![\w.])-?(inf|nan|NaN|Infinity)(?![\w-])", strip_names(text)):
            yield f"{name}: {find_line(text, re.escape(found[0]))}"


def rule_percentages(answers, truth):
    """No share is above 100 %."""
    small = answers.small.tables() if answers.small else {}
    for name, text in [*answers.tables().items(), *((f"{n} of the small trace", t) for n, t in small.items())]:
        if name == "reduce":
            continue  # errors may be above 100 %
        for number in SHARE.findall(re.sub("exclusive 2 %.*", "", text)):  # percentiles of counters' names
            if float(number.replace(" ", "")) > 100:
                yield f"{name}: {find_line(text, re.escape(number + ' %'))}"


def rule_parts(answers, truth):
    """No part is larger than its whole."""
    for name in ("summary.json", "run.json"):
        yield from (f"{name}: {text}" for text in check_summary(answers.run_json(name), truth))
    spans = {}
    for row in answers.rows("profile.csv"):
        inclusive, exclusive = (float(row[column]) for column in ("inclusive_time_seconds", "execution_time_seconds"))
        location = row["location"]
        spans[location] = spans.get(location, 0) + exclusive
        if exclusive > inclusive + ROUNDING:
            yield f"profile.csv: location {location}, {row['call_path'][-60:]}: {exclusive} s of {inclusive}"
        own = sum(float(row[column] or 0) for column in row
                  if re.fullmatch(r"MPI_(wait_at|late|early)_.*_time_seconds", column))
        if own > exclusive + ROUNDING:
            yield f"profile.csv: location {location}, {row['call_path'][-60:]} waits {own} s of {exclusive}"
    for location, seconds in spans.items():
        if seconds > truth.run + ROUNDING:
            yield f"profile.csv: location {location}: {seconds} s of a run of {truth.run}"


def check_summary(run, truth):
    locations = len(truth.calling())
    factors = run["efficiencies"]
    for name, value in factors.items():
        if value is not None and name != "computation_scaling" and not -ROUNDING <= value <= 1 + ROUNDING:
            yield f"{name} is {value}"
    for whole, parts in (("parallel", ("load_balance", "communication", "io")), ("communication", ("serialisation", "transfer")),
                         ("hybrid", ("parallel", "openmp"))):
        values = [factors[part] for part in parts if factors[part] is not None or part != "io"]
        if factors[whole] is not None and None not in values and abs(math.prod(values) - factors[whole]) > 1e-6:
            yield f"{whole} is {factors[whole]}, and the product of its parts {math.prod(values)}"
    whole = truth.run * locations
    for one in run["paradigms"]:
        if (one["waiting_s"] or 0) > one["seconds"] + ROUNDING or one["seconds"] > whole + ROUNDING:
            yield f"{one} of {whole} s"
    if sum(one["share"] or 0 for one in run["calls"]) > 1 + ROUNDING:
        yield "the shares of calls are more than all"
    seconds = {one["function"]: one["seconds"] for one in run["calls"]}
    if sum(one["share"] for one in run["waits"]) > 1 + ROUNDING:
        yield "the shares of waiting are more than all"
    for one in run["waits"]:
        if one["of_call"] > 1 + ROUNDING or one["waiting_s"] > seconds.get(one["function"], math.inf) + ROUNDING:
            yield f"{one} of {seconds.get(one['function'])} s"
    for group in run["groups"]:
        if not group["min_s"] - ROUNDING <= group["average_s"] <= group["max_s"] + ROUNDING <= truth.run + 2 * ROUNDING:
            yield f"{group} in a run of {truth.run} s"
    for sentence in run["headline"]:
        for amount in read_amounts(sentence):
            if amount > 1.006 * whole:
                yield f"{amount} s of {whole}: {sentence}"


def rule_itself(answers, truth):
    """A trace does not differ from itself."""
    text, compared = answers.texts["compare"], answers.json("compare.json")
    times, headline = text.splitlines()[:2]
    if re.search("A takes .* times as long", times):
        yield f"compare with itself: {times}"
    if not headline.startswith("no difference") or compared["findings"] or answers.statuses["compare"] != 0:
        yield f"compare with itself: {headline}, status {answers.statuses['compare']}"
    for row in compared["functions"]:
        for what, values in row.items():
            if isinstance(values, dict) and values.get("total_a") != values.get("total_b"):
                yield f"compare with itself: {what} of {row['name']}: {values}"


def rule_small(answers, truth):
    """The small trace says what the original says: the same words, and times to 1 %."""
    # A small trace has no window up to where the first records end.
    if not answers.small or answers.run_json("summary.json")["records_end_early"]:
        return
    for name in ("summary.json", "run.json"):
        if answers.small.statuses[name] != 0:
            yield f"{name} of the small trace: {answers.small.notes[name]}"
            continue
        a, b = answers.small.run_json(name), answers.run_json(name)
        if other := find_other(a["headline"], b["headline"]):
            yield f"{name} of the small trace: '{other}' is not in {' '.join(b['headline'])}"
        for what in ("scope", "ranks", "threads", "streams"):
            if a[what] != b[what]:
                yield f"{name} of the small trace: {what} {a[what]} instead of {b[what]}"
        for what, value in b["efficiencies"].items():
            if not is_close(a["efficiencies"][what], value):
                yield f"{name} of the small trace: {what} {a['efficiencies'][what]} instead of {value}"


def is_close(a, b):
    return (a is None) == (b is None) and (a is None or abs(a - b) <= SMALL * max(abs(a), abs(b)) + 0.002)


def find_other(told, right):
    """A clause of `told` that says something else than each clause of `right`; a small trace may say less."""
    clauses = [split(text) for text in right]
    return next((clause for text in told for clause in split(text)
                 if not any(is_same_clause(clause, one) for one in sum(clauses, []))), None)


def split(text):
    return re.split(r"[;:] |\. (?=[A-Z])|\.$", text)


def is_same_clause(a, b):
    """The same words, or the first of them, and amounts that differ by what is rounded.

    What something costs is a difference of times, and so as exact as these: "without that 85 ms instead of 90 ms" to 1 % of 90."""
    words, amounts, shares = ([read(text) for text in (a, b)] for read in (
        lambda text: re.sub(r"(in the whole run, )|most of all", lambda m: "" if m[1] else "mostly",
                            AMOUNT.sub("#", SHARE.sub("#", text))), read_amounts,
        lambda text: [float(one) for one in SHARE.findall(text)]))
    bound = max(amounts[0], default=0) * SMALL if a.startswith("without that") else 0
    return ((words[0] == words[1] or words[1].startswith(words[0] + ", "))
            and all(abs(a - b) <= max(SMALL * max(a, b), bound) for a, b in zip(*amounts))
            and all(abs(a - b) <= 1 + SMALL * max(a, b) for a, b in zip(*shares)))


def rule_recount(answers, truth):
    """Times of each thread, and of MPI, are those that python3-otf2 counts."""
    if not truth.is_gapless:
        return
    told, of_mpi = collections.Counter(), collections.Counter()
    for row in answers.rows("profile.csv"):
        told[int(row["location"])] += float(row["execution_time_seconds"])
        of_mpi[int(row["location"])] += float(row.get("MPI_time_seconds") or 0)
    for location in truth.calling():
        if truth.location_types[location] != otf2.LocationType.CPU_THREAD:
            continue
        if abs(told[location] - truth.time[location] / truth.second) > ROUNDING:
            yield f"profile.csv: location {location}: {told[location]} s, not {truth.time[location] / truth.second}"
        if otf2.Paradigm.MPI in truth.called and of_mpi[location] > truth.mpi[location] / truth.second + ROUNDING:
            yield f"profile.csv: location {location}: MPI {of_mpi[location]} s, not {truth.mpi[location] / truth.second}"
    if truth.has_threads_only() and not answers.run_json("run.json")["records_end_early"]:
        seconds = sum(truth.time.values()) / truth.second
        told = sum(one["seconds"] for one in answers.run_json("run.json")["paradigms"])
        if abs(told - seconds) > ROUNDING * len(truth.time):
            yield f"summary --scope run: {told} s in all, not {seconds}"


RULES = [rule_answered, rule_calls, rule_run, rule_paradigms, rule_everyone, rule_numbers, rule_percentages, rule_parts,
         rule_itself, rule_small, rule_recount]
RULES_WITHOUT_TRUTH = [rule_numbers, rule_percentages, rule_itself, rule_small]


def check(answers, truth):
    """`truth`: None where the OTF2 library does not read the archive; then only rules that need none."""
    wrong = list(rule_answered(answers, truth))
    if wrong or answers.statuses["info"] != 0:
        return wrong
    for rule in RULES[1:] if truth else RULES_WITHOUT_TRUTH:
        wrong += [f"{rule.__name__.removeprefix('rule_')}: {text}" for text in rule(answers, truth)]
    return wrong


# ----------------------------------------------------------------------------------------------- self-test

# A rule, the answer that is changed, what is found in it, and what that becomes; without a pattern: the status of the
# answer, or other members of the truth.
FALSE_ANSWERS = [
    ("answered", "profile.csv", None, 1),
    ("calls", "truth", None, {"time": collections.Counter()}),
    ("paradigms", "truth", None, {"called": set(), "mpi_names": set()}),
    ("calls", "profile.csv", r"(?s)^(.*?\n)", r"\g<1>7,7,0,0,,main,1,1\n"),
    ("run", "info.json", r'"seconds": [\d.]+', '"seconds": 9.5'),
    ("run", "compare.json", r'"run_seconds":[\d.]+', '"run_seconds":0.001'),
    ("run", "page", "^", "the whole run takes 9.5 s"),
    ("paradigms", "group", "^", "threads in parallel regions\n"),
    ("paradigms", "summary", "^", "OpenMP efficiency 0.5"),
    ("paradigms", "summary", "^", "no MPI was recorded"),
    ("everyone", "group.csv", r"(?m)^0,.*$", "0,1,1,,,0,0,all ranks"),
    ("everyone", "group.csv", r"(?m)^0,.*$", "0,1,1,,,0-1,0-1,all ranks but the first and last"),
    ("everyone", "profile", "^", "all 77 processes"),
    ("numbers", "profile.csv", r"\d+\.\d+", "nan"),
    ("numbers", "compare", "^", "inf times as often"),
    ("percentages", "summary", "^", "101 % of the time"),
    ("percentages", "page", "^", "1 200 % of the time"),
    ("parts", "summary.json", r'"load_balance":[\d.]+', '"load_balance":1.01'),
    ("parts", "summary.json", r'"parallel":[\d.]+', '"parallel":0.01'),
    ("parts", "run.json", r'"waiting_s":[\d.]+', '"waiting_s":99.5'),
    ("parts", "run.json", r'"share":[\d.]+,"mean_s"', '"share":1.2,"mean_s"'),
    ("parts", "run.json", r'"max_s":[\d.]+}', '"max_s":99.5}'),
    ("parts", "summary.json", r'"headline": \["', '"headline": ["ranks wait 99.5 s for each other. '),
    ("parts", "profile.csv", r"(?m)^(\d+(?:,[^,]*){5}),[\d.]+", r"\g<1>,0.0"),
    ("itself", "compare", r"(?m)^no difference", "kernel takes 2.0 times as long"),
    ("itself", "compare", "as long", "1.01 times as long"),
    ("itself", "compare.json", r'"total_a":[\d.]+', '"total_a":99.5'),
    ("small", "summary.json", r'"headline": \["[^"]*"', '"headline": ["no loss is 2 % or more."'),
    ("small", "summary.json", r'"load_balance":[\d.]+', '"load_balance":0.5'),
    ("recount", "profile.csv", r"(?m)^(\d+(?:,[^,]*){6}),[\d.]+", r"\g<1>,0.5"),
    ("recount", "run.json", r'"seconds":[\d.]+,"waiting_s":null', '"seconds":99.5,"waiting_s":null'),
]


def run_self_test(tracefold):
    """True answers are not wrong, and each false one is noticed by its rule."""
    with tempfile.TemporaryDirectory() as folder:
        anchor = SHARED / "cases-wrong/compare_balance/a/traces.otf2"
        answers, truth = collect(tracefold, anchor, pathlib.Path(folder)), Truth(anchor)
    wrong = [f"true, and not believed: {text}" for text in check(answers, truth)]
    noticed = {"rule_" + rule for rule, *_ in FALSE_ANSWERS}
    wrong += [f"{rule.__name__} is never tried" for rule in RULES if rule.__name__ not in noticed]
    for rule, name, pattern, words in FALSE_ANSWERS:
        changed, changed_truth = copy.deepcopy(answers), copy.copy(truth)
        if name == "truth":
            vars(changed_truth).update(words)
        elif pattern is None:
            changed.statuses[name] = words
        else:
            changed.texts[name] = re.sub(pattern, words, answers.texts[name], count=1)
        if not list(globals()["rule_" + rule](changed, changed_truth)):
            wrong.append(f"{rule} does not notice '{words}' in {name}")
    return wrong


# ------------------------------------------------------------------------------------------------- traces

def list_traces(all_of_them):
    """Packs and anchors by name."""
    found = {}
    for case in CASES:
        for path in sorted((SHARED / case).rglob("*")):
            if path.name.endswith((".otf2", ".tar.zst")):
                name = str(path.relative_to(SHARED)).removesuffix("/traces.otf2")
                found[name.removesuffix(".tar.zst")] = path
    for folder in (PUBLIC_PACKS, PACKS):
        for pack in sorted(folder.glob("*.tar.zst")):
            if all_of_them or pack.stat().st_size < LARGE:
                found[pack.name.split(".")[0]] = pack
    return found


def find_truth(anchor):
    """None where the OTF2 library does not read the archive."""
    try:
        return Truth(anchor)
    except Exception as problem:  # of the library, and of its definitions
        print(f"{anchor.name}: python3-otf2 does not read it: {type(problem).__name__}", flush=True)
        return None


def check_trace(tracefold, name, path):
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        anchors = [path]
        if path.name.endswith(".tar.zst"):
            subprocess.run(["tar", "--zstd", "-xf", path, "-C", folder], check=True)
            anchors = sorted(pathlib.Path(folder).rglob("*.otf2"))
        for k, anchor in enumerate(anchors):
            out = pathlib.Path(folder) / f"answers{k}"
            out.mkdir()
            answers = collect(tracefold, anchor, out)
            truth = find_truth(anchor) if answers.statuses["info"] == 0 else None
            wrong += [f"{name}: {text}" for text in check(answers, truth)]
    return wrong


def main():
    tracefold, arguments = sys.argv[1], sys.argv[2:]
    if arguments == ["--self-test"]:
        wrong = run_self_test(tracefold)
        print("\n".join(wrong) or "each rule notices what it is for")
        return bool(wrong)

    traces = list_traces(arguments == ["--all"])
    if arguments and arguments != ["--all"]:
        traces = {path: pathlib.Path(path) for path in arguments}
    if not traces:
        print(f"no traces at {SHARED}")
        return 77
    wrong = []
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        jobs = {pool.submit(check_trace, tracefold, name, path): name for name, path in traces.items()}
        for job in concurrent.futures.as_completed(jobs):
            found = job.result()
            wrong += found
            print("\n".join(found), end="\n" if found else "", flush=True)
    print(f"{len(traces)} traces asked, {len(wrong)} impossible answers")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
