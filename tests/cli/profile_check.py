#!/usr/bin/python3
"""Computes with python3-otf2 what `tracefold profile` should say, and compares.

usage: profile_check.py TRACEFOLD TRACE.otf2...   (77: python3-otf2 is missing)

Shares no code with tracefold: groups come from `tracefold group`, all numbers from the events. Groups of functions are those by role,
and a list of them; counters count for the call that is open when they are recorded.
"""
import json
import subprocess
import sys

try:
    import _otf2
    import otf2
except ImportError:
    sys.exit(77)


def function_of(region):
    text = lambda s: s or ""
    canonical, file = text(region.canonical_name), text(region.source_file)
    return (text(region.name), "" if canonical == text(region.name) else canonical, file, region.begin_line_number if file else 0)


LIST = """# as people write it
communication
  MPI_*
short
  ?
  ??
  ???
"""


def listed_group(name):
    return "communication" if name.startswith("MPI_") else "short" if 1 <= len(name) <= 3 else "others"


class Location:
    """Visits, exclusive and inclusive ticks by row; a row is what a view counts."""

    def __init__(self):
        self.rows = {}
        self.counters = {}  # by function and name
        self.last_values = {}
        self.stack = []  # [path, entered, in callees]
        self.first = self.last = None

    def see(self, time):
        self.last = time if self.last is None else max(time, self.last)
        self.first = self.last if self.first is None else self.first
        return self.last

    def enter(self, time, function):
        caller = self.stack[-1][0] if self.stack else ()
        self.stack.append([caller + (function,), time, 0])

    def leave(self, time):
        if not self.stack:
            return
        path, entered, in_callees = self.stack.pop()
        inclusive = time - entered
        if self.stack:
            self.stack[-1][2] += inclusive
        pairs = list(zip((None,) + path, path))
        roles = [ROLES[function] for function in path]
        listed = [listed_group(function[0]) for function in path]
        for row, outermost in (
            (("f", path[-1]), path[-1] not in path[:-1]),
            (("p",) + path, True),
            (("c",) + pairs[-1], pairs[-1] not in pairs[:-1]),
            (("r", roles[-1]), roles[-1] not in roles[:-1]),
            (("l", listed[-1]), listed[-1] not in listed[:-1]),
        ):
            sums = self.rows.setdefault(row, [0, 0, 0])
            sums[0] += 1
            sums[1] += inclusive - in_callees
            sums[2] += inclusive * outermost


    def count(self, event):
        for member, value in zip(event.metric.members if hasattr(event.metric, "members") else event.metric.metric_class.members, event.values):
            mode = str(member.metric_mode)
            if "ACCUMULATED" in mode:
                before = self.last_values.get((event.metric._ref, member.name))
                self.last_values[event.metric._ref, member.name] = value
                grown = 0 if before is None else max(value - before, 0)
            elif "RELATIVE" in mode:
                grown = max(value, 0)
            else:
                continue
            if self.stack:
                key = (self.stack[-1][0][-1], member.name)
                self.counters[key] = self.counters.get(key, 0) + grown


ROLES = {}  # by function, of its first region


def read(anchor):
    found = {}
    ROLES.clear()
    with otf2.reader.open(anchor) as trace:
        functions = {}
        for location in trace.definitions.locations:
            found[str(location._ref)] = Location()
        for region in trace.definitions.regions:
            ROLES.setdefault(function_of(region), str(region.region_role).rsplit(".", 1)[-1])
        for location, event in trace.events:
            at = found[str(location._ref)]
            time = at.see(event.time)
            if isinstance(event, otf2.events.Enter):
                if event.region._ref not in functions:
                    functions[event.region._ref] = function_of(event.region)
                at.enter(time, functions[event.region._ref])
            elif isinstance(event, otf2.events.Leave):
                at.leave(time)
            elif isinstance(event, otf2.events.Metric):
                at.count(event)
        resolution = trace.timer_resolution
    for at in found.values():
        while at.stack:
            at.leave(at.last)
    return found, resolution


def members_of(ranges):
    for part in ranges.split(","):
        ends, _, stride = part.partition(":")
        first, _, last = ends.partition("-")
        yield from (str(n) for n in range(int(first), int(last or first) + 1, int(stride or 1)))


def percentile(values, percent):
    """The smallest value such that `percent` of all are less or equal."""
    return next(v for v in values if 100 * sum(w <= v for w in values) >= percent * len(values))


def profile_of(tracefold, anchor, *options):
    return json.loads(subprocess.run([tracefold, "profile", "-q", anchor, "--format", "json", *options], check=True, stdout=subprocess.PIPE).stdout)


def key_of(function):
    return function and (function["name"], function["canonical"], function["file"], function["line"])


def rows_of(group, view):
    """The rows of tracefold by the keys of Location.rows."""
    paths = {None: ()}
    for row in group["rows"]:
        if view in "rl":
            yield (view, row["function_group"]), row
            continue
        function = key_of(row["function"])
        if view == "f":
            yield ("f", function), row
        elif view == "p":
            paths[row["path"]] = paths[row["caller_path"]] + (function,)
            yield ("p",) + paths[row["path"]], row
        elif row["relation"] == "callee":
            yield ("c", row["of"], function), row
        elif row["relation"] == "caller":
            yield ("caller", function, row["of"]), row


def compare(anchor, what, got, wanted, complain):
    if abs(got - wanted) > 1e-9 * max(1, abs(wanted)):
        complain(f"{anchor}: {what}: {got} instead of {wanted}")


RATIO = []  # two counters of the trace


def records_both(at):
    return all(any(value for (_, name), value in at.counters.items() if name == counter) for counter in RATIO)


def check_row(anchor, key, row, names, resolution, complain):
    """`names`: the locations of a group, by their ids."""
    members = list(names.values())
    for k, (name, unit) in enumerate((("visits", 1), ("exclusive_seconds", resolution), ("inclusive_seconds", resolution))):
        values = sorted(at.rows.get(key, (0, 0, 0))[k] for at in members)
        compare(anchor, f"{key} {name} total", row[name]["total"], sum(values) / unit, complain)
        for percent, got in zip((2, 25, 50, 75, 98), row[name]["percentiles"]):
            compare(anchor, f"{key} {name} {percent} %", got, percentile(values, percent) / unit, complain)
        for word, got in (("minimum", values[0]), ("maximum", values[-1])):
            compare(anchor, f"{key} {name} {word}", row[name][word], got / unit, complain)
        low, high = percentile(values, 25), percentile(values, 75)
        far = sum(v < low - 1.5 * (high - low) or v > high + 1.5 * (high - low) for v in values)
        compare(anchor, f"{key} {name} outliers", row[name]["outliers"], far, complain)
    visits = sum(at.rows.get(key, (0, 0, 0))[0] for at in members)
    time = sum(values[1] for at in members for one, values in at.rows.items() if one[0] == "f")
    for k, name in ((1, "exclusive"), (2, "inclusive")):
        total = sum(at.rows.get(key, (0, 0, 0))[k] for at in members)
        if time:
            compare(anchor, f"{key} {name} share", row[f"{name}_share"], total / time, complain)
        compare(anchor, f"{key} {name} time per visit", row[f"{name}_seconds_per_visit"], total / visits / resolution, complain)
    for counter, spread in row.get("counters", {}).items() if key[0] == "f" else ():
        values = sorted(at.counters.get((key[1], counter), 0) for at in members)
        compare(anchor, f"{key} {counter} total", spread["total"], sum(values), complain)
        for percent, got in zip((2, 25, 50, 75, 98), spread["percentiles"]):
            compare(anchor, f"{key} {counter} {percent} %", got, percentile(values, percent), complain)
    if "ratio" in row and key[0] == "f":
        sums = [sum(at.counters.get((key[1], counter), 0) for at in members if records_both(at)) for counter in RATIO]
        wanted = sums[0] / sums[1] if sums[1] else None
        if (row["ratio"] is None) != (wanted is None) or wanted is not None and abs(row["ratio"] - wanted) > 1e-9 * wanted:
            complain(f"{anchor}: {key}: {RATIO} are {row['ratio']} instead of {wanted}")
    if "quartiles" in row:
        by_value = {}
        for name, at in names.items():
            by_value.setdefault(at.rows.get(key, (0, 0, 0))[1], set()).add(name)
        ends = [percentile(sorted(value for value, those in by_value.items() for _ in those), percent) for percent in (25, 50, 75)]
        wanted = [set() for _ in range(4)]
        for value, those in by_value.items():
            wanted[sum(value > end for end in ends)] |= those
        got = [set(members_of(quarter["members"])) if quarter["members"] else set() for quarter in row["quartiles"]]
        if got != wanted:
            complain(f"{anchor}: {key}: the quartiles are {got} instead of {wanted}")


def check_trace(tracefold, anchor, complain):
    try:
        found, resolution = read(anchor)
    except _otf2.ErrorCodes.Error as refused:  # as of definitions that are there twice
        print(f"{anchor}: python3-otf2 does not read it: {refused}")
        return
    rows = 0
    open("list.txt", "w").write(LIST)
    counters = sorted({name for at in found.values() for _, name in at.counters})
    RATIO[:] = counters[-2:] if len(counters) > 1 else []
    for view, options in (
        ("f", ("--quartiles", "--sort", "exclusive")),
        *((("f", ("--ratio", "/".join(RATIO))),) if RATIO else ()),
        ("p", ("--call-paths",)),
        ("c", ("--function", "*")),
        ("r", ("--function-groups", "role")),
        ("l", ("--function-groups", "list.txt")),
    ):
        profile = profile_of(tracefold, anchor, *options)
        if ("all" in profile) != (len(profile["groups"]) > 1):
            complain(f"{anchor}: all processes together are shown, or not")
        for group in ([{"group": "all", **profile["all"]}] if "all" in profile else []) + profile["groups"]:
            locations = {m: found[m] for m in members_of(group["members"])}
            members = list(locations.values())
            wanted = {key for at in members for key in at.rows if key[0] == view and (view != "c" or key[1])}
            names = lambda key: ("c", key[1][0], key[2]) if view == "c" else key  # a subject is told by its name
            seen = dict(rows_of(group, view))
            by_name = {}
            for key in wanted:
                by_name.setdefault(names(key), []).append(key)
            if set(by_name) != {key for key in seen if key[0] == view}:
                complain(f"{anchor}: group {group['group']} has other rows of {view}")
            for key, row in seen.items():
                if len(by_name.get(key, ())) == 1:
                    check_row(anchor, by_name[key][0], row, locations, resolution, complain)
                    rows += 1
    print(f"{anchor}: {rows} rows of {len(found)} locations")


def check_against_plan(tracefold, anchor, complain):
    """Exclusive times are those that the plan of `tracefold group` holds."""
    plan = json.loads(subprocess.run([tracefold, "group", "-q", "--json", anchor], check=True, stdout=subprocess.PIPE).stdout)
    ticks = int(plan["trace"]["clock"]["ticks_per_second"])
    processes = {p["id"]: p for p in plan["profiles"]}
    for group, listed in zip(profile_of(tracefold, anchor)["groups"], plan["groups"]["list"]):
        totals = {key_of(row["function"]): row["exclusive_seconds"]["total"] for row in group["rows"]}
        members = [processes[m] for m in members_of(listed["members"])]
        compare(anchor, f"time of group {group['group']}", sum(totals.values()), sum(sum(p["exclusive"]) + p["rest"] for p in members) / ticks, complain)
        for function in set.intersection(*(set(plan["intents"][p["intent"]]["functions"]) for p in members)):
            sums = [p["exclusive"][plan["intents"][p["intent"]]["functions"].index(function)] for p in members]
            key = key_of(plan["functions"][function])
            compare(anchor, f"{key} in the plan", totals[key], sum(sums) / ticks, complain)


def check_facts(tracefold, anchor, complain):
    """What `info --deep` tells of call paths, from the events."""
    try:
        found, resolution = read(anchor)
    except _otf2.ErrorCodes.Error:
        return
    facts = json.loads(subprocess.run([tracefold, "info", "-q", "--deep", "--json", anchor], check=True, stdout=subprocess.PIPE).stdout)["calls"]
    visits, ticks = {}, {}
    for location in found.values():
        for key, (count, exclusive, _) in location.rows.items():
            if key[0] == "p":
                visits[key[1:]] = visits.get(key[1:], 0) + count
                ticks[key[1:]] = ticks.get(key[1:], 0) + exclusive
    is_mpi = lambda path: any(function[0].startswith("MPI_") for function in path)
    mpi = {path for path in visits if is_mpi(path)}
    to_mpi = {path[:depth] for path in mpi for depth in range(1, len(path))} - mpi
    kinds = {"mpi": mpi, "to_mpi": to_mpi, "computation": set(visits) - mpi - to_mpi}
    compare(anchor, "call paths", facts["call_paths"], len(visits), complain)
    compare(anchor, "depth", facts["deepest"], max(map(len, visits), default=0), complain)
    for name, paths in kinds.items():
        compare(anchor, f"paths of {name}", facts["kinds"][name]["call_paths"], len(paths), complain)
        compare(anchor, f"visits of {name}", facts["kinds"][name]["visits"], sum(visits[path] for path in paths), complain)
        compare(anchor, f"time of {name}", facts["kinds"][name]["seconds"], sum(ticks[path] for path in paths) / resolution, complain)
    all_visits = sum(visits.values())
    compare(anchor, "mean depth", facts["mean_depth"], sum(len(path) * count for path, count in visits.items()) / max(all_visits, 1), complain)
    for short in facts["short_functions"]:
        own = [path for path in visits if path[-1][0] == short["name"]]
        if not own or sum(visits[path] for path in own) < 0.01 * all_visits or any(path in to_mpi | mpi for path in own):
            complain(f"{anchor}: {short['name']} has few calls, or leads to MPI")


def main():
    wrong = []
    for anchor in sys.argv[2:]:
        check_trace(sys.argv[1], anchor, wrong.append)
        check_against_plan(sys.argv[1], anchor, wrong.append)
        check_facts(sys.argv[1], anchor, wrong.append)
    for words in wrong[:20]:
        print("FAIL:", words)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
