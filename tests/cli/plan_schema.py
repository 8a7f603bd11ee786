#!/usr/bin/env python3
"""Validates plans of every stage and of reduced traces against docs/plan.schema.json, and shows that it refuses others.

usage: plan_schema.py TRACEFOLD [--few | TRACE.otf2...]

Without traces: the shared ones, of $TRACEFOLD_SHARED, by default beside the project; with --few only some of them, of
different kinds. Made programs with windows, files and threads are always among them. Checks besides

- that every key in the schema has a description, and stands in some plan, but for the rare ones;
- that in every place of every plan an unknown key, and a value of a wrong type, is refused;
- that plans which are wrong in one of many ways are refused;
- that the schema has the kinds of operations that the source has.

Needs python3-jsonschema; ends with 77 without it.
"""
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("SKIPPED: python3-jsonschema is not installed")
    sys.exit(77)

from shared_traces import PACKS, PUBLIC_PACKS, ROOT, visit_traces

warnings.simplefilter("ignore")  # an old validator tells of newer ones

FEW = ("npb_lu_W_4", "btmz_S_2x3", "lulesh_8x2", "npbph_cg_S_8", "amg_27x1", "scorep71-pingpong-papi-2",
       "scorep14-jacobi-cuda-gpu005-10", "scorep90-mi300-metrics-32", "apex12-fibonacci-3")

EARLY_ENDS = PACKS.parent / "cases-public/buffer-full-on-some-ranks/traces.otf2"
MADE = {"windows and files": ["make_records_trace.py", "8"], "threads": ["make_threads_trace.py", "opens"]}

# Keys of what few programs have, which are only described.
RARE = {"damaged", "prefix", "run", "remote", "end_order"}

# Stages by the options that give each section, and each option that a plan records, once.
CHAINS = {
    "filter": [["filter", "TRACE", "--drop", "MPI_Comm_*", "--keep", "*", "--locations", "0-3", "--max-depth", "9"]],
    "window": [["filter", "TRACE", "--time", "10%-60%"], ["group"], ["select", "--exact"]],
    "iterations only": [["filter", "TRACE", "--iterations-only", "1-2"]],
    "inside": [["filter", "TRACE", "--inside", "*"]],
    "group": [["group", "TRACE", "--messages", "on", "--ignore", "MPI_W*", "--combine", "*"]],
    "signature": [["group", "TRACE", "--by", "signature", "--level", "main", "--peers", "pattern"], ["select"]],
    "merged": [["group", "TRACE", "--threshold", "0.6"], ["select", "--per-group", "2", "--time-features", "all", "--always", "0"],
               ["iterations", "--clusters", "3", "--fold-unsure", "--keep-iterations", "1"]],
    "rows": [["group", "TRACE"], ["select", "--accuracy", "30"]],
    "begin at": [["iterations", "TRACE", "--begin-at", "MPI_*#3", "--fold-unsure"]],
}
REDUCTIONS = {
    "reduced": [],
    "stored": ["--messages", "stored", "--iterations", "4", "--profiles", "4M", "--fold-unsure", "--tree", "groups",
               "--threshold", "0.6", "--per-group", "auto"],
    "halo": ["--halo", "all", "--iterations", "3", "--fold-unsure", "--profiles", "12K", "--member-metrics", "on"],
    "plain": ["--messages", "off", "--by", "signature", "--keep-ids", "--plain-names", "--member-metrics", "off",
              "--iterations", "off"],
}


class Check:
    def __init__(self):
        self.failures = 0
        self.checks = 0

    def expect(self, holds, words):
        self.checks += 1
        if not holds:
            self.failures += 1
            print("FAIL:", words)


def load_schema():
    return json.loads((ROOT / "docs" / "plan.schema.json").read_text())


def list_objects(schema):
    """All parts of a schema that are schemas with properties, with their places."""
    stack = [("", schema)]
    while stack:
        place, part = stack.pop()
        if isinstance(part, dict):
            if isinstance(part.get("properties"), dict) and "description" in part:
                yield place, part
            stack += [(f"{place}/{key}", value) for key, value in part.items()]
        elif isinstance(part, list):
            stack += [(f"{place}/{k}", value) for k, value in enumerate(part)]


def check_schema(schema, check):
    Draft202012Validator.check_schema(schema)
    definitions = schema["$defs"]
    text = json.dumps(schema)
    for name in definitions:
        check.expect(f'"#/$defs/{name}"' in text, f"nothing names the definition {name}")

    def is_described(part):
        name = part.get("$ref", "").rpartition("/")[2]
        return "description" in part or (name and is_described(definitions[name]))

    for place, part in list_objects(schema):
        for key, value in part["properties"].items():
            if isinstance(value, dict):
                check.expect(is_described(value), f"{place}: {key} has no description")

    def between(path, begin, end):
        source = (ROOT / path).read_text()
        return source[source.index(begin):source.index(end)]


    shapes = re.findall(r"add\(\{([^}]*)\}", between("model/messages/operation.cpp", "record_shapes = []", "record_parameters"))
    kinds = {kind.strip() for kinds in shapes for kind in kinds.split(",")}
    listed = between("model/messages/operation.cpp", "std::span<const Parameter> list_parameters", "bool can_complete")
    kinds |= set(re.findall(r"case EventKind::(\w+)", listed))
    pattern = definitions["operations"]["prefixItems"][0]["pattern"]
    others = kinds ^ set(re.findall(r"[A-Z]\w+", pattern))
    check.expect(not others, f"only one of the schema and model/messages/operation.cpp has {sorted(others)}")


def run(tracefold, arguments, plan=None):
    ran = subprocess.run([tracefold, *arguments, "-q"], input=plan, capture_output=True)
    return ran.stdout if ran.returncode == 0 else None


def make_plans(tracefold, trace, folder):
    """Plans of all stages, and of reduced traces, by what they are of. What a trace has not is left out."""
    for name, stages in CHAINS.items():
        plan = b""
        for stage in stages:
            plan = run(tracefold, [str(trace) if word == "TRACE" else word for word in stage], plan)
            if plan is None:
                break
            yield f"{name}, {stage[0]}", json.loads(plan)

    for name, options in REDUCTIONS.items():
        small = folder / name
        if run(tracefold, ["reduce", str(trace), "-o", str(small), *options]) is None:
            continue
        yield name, json.loads((small / "tracefold.json").read_text())
        if name == "reduced" and (plan := run(tracefold, ["group", str(small / "traces.otf2")])):
            yield "group of reduced", json.loads(plan)
        if name == "reduced" and run(tracefold, ["reduce", str(small / "traces.otf2"), "-o", str(folder / "twice")]) is not None:
            yield "reduced twice", json.loads((folder / "twice" / "tracefold.json").read_text())

    # Some processes alone lack the records of messages with others.
    part = run(tracefold, ["filter", str(trace), "--locations", "0-1"])
    if part and run(tracefold, ["write", "-o", str(folder / "part")], part) is not None:
        yield "part", json.loads((folder / "part" / "tracefold.json").read_text())
        if run(tracefold, ["reduce", str(folder / "part" / "traces.otf2"), "-o", str(folder / "less")]) is not None:
            yield "less of a part", json.loads((folder / "less" / "tracefold.json").read_text())

    # Like other runs: one that fits, and one of which processes are missing.
    for name in ("reduced", "less"):
        like = folder / f"like_{name}"
        other = folder / name / "traces.otf2"
        if other.exists() and run(tracefold, ["reduce", str(trace), "-o", str(like), "--like", str(other)]) is not None:
            yield f"like {name}", json.loads((like / "tracefold.json").read_text())


def shorten(value, most=8):
    """The same with short lists: few entries, and of objects one with each set of keys."""
    if isinstance(value, dict):
        return {key: shorten(one) for key, one in value.items()}
    if isinstance(value, list):
        keys = {tuple(one): one for one in value if isinstance(one, dict)}
        return [shorten(one) for one in (keys.values() if keys else value[:most])]
    return value


def list_places(value, place=()):
    """Every value in a document with its path, and the same without the places in lists."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        path = (*place, key)
        yield path, tuple("*" if isinstance(k, int) or k.isdigit() else k for k in path), one
        yield from list_places(one, path)


def find(plan, path):
    for key in path:
        plan = plan[key]
    return plan


def check_strictness(validator, plan, seen, check):
    """Refused are, in each place that was not seen before, an unknown key and a value of a wrong type."""
    plan = shorten(plan)
    if not check_valid(validator, plan, "a shortened plan", check):
        return
    wrong = {"no such key": 0}
    for path, kind, value in [((), (), plan), *list_places(plan)]:
        if kind in seen:
            continue
        seen.add(kind)
        if isinstance(value, dict):
            value["no such key"] = 0
            check.expect(not validator.is_valid(plan), f"an unknown key is allowed in {'.'.join(kind)}")
            del value["no such key"]
        if path:
            holder = find(plan, path[:-1])
            holder[path[-1]] = wrong
            check.expect(not validator.is_valid(plan), f"any value is allowed for {'.'.join(kind)}")
            holder[path[-1]] = value


def check_valid(validator, plan, name, check):
    problems = [f"{'.'.join(map(str, problem.absolute_path))}: {problem.message[:200]}"
                for problem in validator.iter_errors(plan)]
    check.expect(not problems, f"{name}: {problems[:3]}")
    return not problems


# What is wrong with a plan: words, which plan, where, and what stands there (None: nothing).
WRONG = [
    ("another version", "group", "tracefold_plan", 3),
    ("no version", "group", "tracefold_plan", None),
    ("no trace", "group", "trace", None),
    ("a section that is unknown", "group", "colours", []),
    ("an id as a number", "group", "profiles.0.id", 0),
    ("an id that is none", "group", "profiles.0.id", "0x1"),
    ("a rank below 0", "group", "profiles.0.rank", -1),
    ("a share of a tick", "group", "profiles.0.rest", 0.5),
    ("profiles without intents", "group", "intents", None),
    ("profiles beside names", "group", "processes", {"ids": "0", "talks": "", "damaged": "", "location_groups": [],
                                                     "names": [], "location_group_names": []}),
    ("a group that nobody is in", "group", "groups.list.0.members", ""),
    ("a range that does not end", "group", "groups.list.0.members", "0-"),
    ("a list of ids that is no list", "group", "groups.list.0.members", [0]),
    ("a similarity above 1", "group", "groups.list.0.similarity", [1.5]),
    ("groups without similarity", "group", "groups.list.0.similarity", None),
    ("a threshold above 1", "group", "groups.threshold", 1.5),
    ("an unknown comparison", "group", "groups.comparison.by", "colour"),
    ("signatures without how", "group", "groups.comparison.by", "signature"),
    ("a half digest", "group", "trace.identity.sha256", "00"),
    ("a window without an end", "window", "filters.0.time.spans", [["0"]]),
    ("an unknown way to choose", "window", "selection.by", "best"),
    ("no process of each group", "window", "selection.per_group", "0"),
    ("unknown features", "merged", "selection.time_features", "most"),
    ("representatives without groups", "window", "groups", None),
    ("profiles beside a trace", "reduced", "profiles", []),
    ("no names of processes", "reduced", "processes", None),
    ("intents beside a trace", "reduced", "groups.list.0.intents", [0]),
    ("half a run of names", "reduced", "processes.names", [[1, "Master thread"]]),
    ("a halo of none", "reduced", "halo.asked", "none"),
    ("an iteration before the first", "reduced", "iterations.loops.0.kept_of", [-1]),
    ("five of six shares", "reduced", "iterations.loops.0.fidelity.times_above", [0, 0, 0, 0, 0]),
    ("an unknown error", "reduced", "iterations.loops.0.fidelity.median_error", 0.1),
    ("an error that was left out", "stored", "errors.of_processes.waiting", None),
    ("an unknown kind of time", "stored", "errors.of_processes.functions",
     [{"function": "main", "kind": "I/O", "of_all_time": 0.1}]),
    ("an unknown operation", "reduced", "messages.operations", [["MpiShout", 0, 1, 0, 0, 0, 0]]),
    ("an operation without a column", "reduced", "messages.operations", [["MpiSend", 0, 1]]),
    ("a column that is no formula", "reduced", "messages.columns", ["r + 1"]),
    ("packed and not packed", "reduced", "messages.packed", {"file": "tracefold.messages", "sha256": "0" * 64}),
    ("neither packed nor there", "reduced", "messages.columns", None),
    ("another file", "stored", "program.file", "/etc/passwd"),
    ("no options of write", "stored", "write", None),
    ("an unknown tree", "stored", "write.tree", "rings"),
]


def check_wrong(validator, plans, check):
    for words, name, place, value in WRONG:
        plan = copy.deepcopy(plans[name])
        path = [int(key) if key.isdigit() else key for key in place.split(".")]
        holder = find(plan, path[:-1])
        if value is None:
            del holder[path[-1]]
        else:
            holder[path[-1]] = value
        check.expect(not validator.is_valid(plan), f"{words}: not refused")


def main():
    tracefold, arguments = sys.argv[1], sys.argv[2:]
    check = Check()
    schema = load_schema()
    check_schema(schema, check)
    validator = Draft202012Validator(schema)
    seen, examples = set(), {}

    def visit(name, trace):
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            for kind, plan in make_plans(tracefold, trace, pathlib.Path(folder)):
                count += 1
                if check_valid(validator, plan, f"{name}, {kind}", check):
                    check_strictness(validator, plan, seen, check)
                if name == "npb_lu_W_4":
                    examples[kind.rpartition(", ")[0] or kind] = plan
        check.expect(count > 0, f"{name}: no plan was made")
        print(f"{name}: {count} plans")

    with tempfile.TemporaryDirectory() as folder:
        for name, maker in MADE.items():
            made = pathlib.Path(folder) / name
            subprocess.run([sys.executable, ROOT / "tests/cli" / maker[0], made, *maker[1:]], check=True)
            visit(name, made / "traces.otf2")
        for rank in range(2):
            made = pathlib.Path(folder) / f"run/rank{rank}"
            made.parent.mkdir(exist_ok=True)
            subprocess.run([sys.executable, ROOT / "tests/cli" / MADE["threads"][0], made, *MADE["threads"][1:]], check=True)
        plan = json.loads(run(tracefold, ["group", pathlib.Path(folder) / "run", "--as-one", "--clocks", "begin"]))
        check.expect(len(plan["trace"]["archives"]) == 2, "the archives of a run are not listed")
        if check_valid(validator, plan, "archives", check):
            check_strictness(validator, plan, seen, check)
    if EARLY_ENDS.exists():
        visit("records that end early", EARLY_ENDS)
    has_shared = visit_traces(arguments, FEW, visit, (PACKS, PUBLIC_PACKS))

    if examples:
        check_wrong(validator, examples, check)
    if has_shared and arguments in ([], ["--few"]):
        keys = {key for _, part in list_objects(schema) for key in part["properties"]}
        missing = keys - {key for kind in seen for key in kind} - RARE
        check.expect(not missing, f"no plan has {', '.join(sorted(missing))}")

    print(f"{check.checks} checks, {check.failures} failed")
    return 1 if check.failures else 0 if has_shared else 77


if __name__ == "__main__":
    sys.exit(main())
