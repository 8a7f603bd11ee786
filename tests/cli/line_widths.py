#!/usr/bin/env python3
"""Checks how wide and how long what people are shown is, in 80 and in 120 columns.

usage: line_widths.py TRACEFOLD [--few | TRACE.otf2...]   (77: traces are missing)

Traces are as in shared_traces.py. Each command that prints a table runs with COLUMNS=80, and 120, in the
environment, and no line may be wider, but of a single word; with --wide nothing may be shortened or left
out, nor in CSV and JSON. `reduce` and `write` end in at most 25 lines, as wide as that, also without COLUMNS.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from shared_traces import visit_traces

FEW = ("npb_lu_W_16", "hpccg_16", "luleshph_8x4", "miniamr_8")
COLUMNS, MORE_COLUMNS, MOST_LINES = 80, 120, 25
SHORTENED = "…"
COMMANDS = (
    ["info"],
    ["group", "--format", "table"],
    ["group", "--by", "signature", "--format", "table"],
    ["group", "--threshold", "0.83", "--format", "table"],
    ["group", "--why"],
    ["group", "--skeleton"],
    ["group", "--by", "signature", "--why"],
    ["group", "--threshold", "0.83", "--why"],
    ["similarity"],
    ["similarity", "--pairs"],
    ["lattice"],
    ["profile"],
    ["profile", "--call-paths"],
    ["profile", "--per-process"],
    ["iterations", "--format", "table"],
    ["iterations", "--sweep", "2,8", "--format", "table"],
    ["iterations", "--map", "visits", "--format", "table"],
    ["matrix"],
    ["matrix", "--split", "call-path"],
    ["correlate", "--all-pairs"],
    ["correlate", "--explain"],
)
# Answers that a trace may not have: of messages, of loops, of several processes.
ALLOWED = (0, 2, 3)


def run(command, columns):
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    if columns:
        environment["COLUMNS"] = str(columns)
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=environment)
    assert done.returncode in ALLOWED, f"{command}: {done.returncode}: {done.stderr}"
    return done


def find_too_wide(text, columns=COLUMNS):
    return [line for line in text.splitlines() if len(line) > columns and len(line.split()) > 1]


def find_shortened(text):
    return [line for line in text.splitlines() if SHORTENED in line]


def check_formats(tracefold, trace, command):
    for name in ("csv", "json"):
        done = run([tracefold, command[0], trace, *command[1:], "--format", name], COLUMNS)
        for line in find_shortened(done.stdout):
            yield f"{' '.join(command)} --format {name} shortens: {line[:200]}"


def check_tables(tracefold, trace):
    shown = 0
    for command in COMMANDS:
        done = run([tracefold, command[0], trace, *command[1:]], COLUMNS)
        shown += done.returncode == 0
        for line in find_too_wide(done.stdout):
            yield f"{' '.join(command)}: {len(line)} columns: {line}"
        more = run([tracefold, command[0], trace, *command[1:]], MORE_COLUMNS)
        for line in find_too_wide(more.stdout, MORE_COLUMNS):
            yield f"{' '.join(command)}: {len(line)} of {MORE_COLUMNS} columns: {line}"
        wide = run([tracefold, command[0], trace, *command[1:], "--wide"], COLUMNS)
        if wide.returncode != done.returncode:
            yield f"{' '.join(command)}: status {done.returncode}, and {wide.returncode} with --wide"
        if "--wide)" in wide.stdout:
            yield f"{' '.join(command)} --wide leaves something out"
        for line in find_shortened(wide.stdout):
            yield f"{' '.join(command)} --wide shortens: {line}"
        yield from check_formats(tracefold, trace, [word for word in command if word not in ("--format", "table")])
    if shown < 8:
        yield f"only {shown} commands printed anything"


def check_endings(tracefold, trace, folder):
    plain, plan = folder / "plain", folder / "plan"
    endings = {"reduce": run([tracefold, "reduce", trace, "-o", plain], None),
               "reduce by signature": run([tracefold, "reduce", trace, "-o", plan, "--by", "signature"], None)}
    selected = run([tracefold, "select", trace, "--format", "json"], None).stdout
    written = subprocess.run([str(tracefold), "write", "-o", str(folder / "written")], input=selected,
                             capture_output=True, text=True, check=True)
    endings["write"] = written
    for name, done in endings.items():
        text = written.stderr if name == "write" else done.stdout
        if done.returncode == 0 and len(text.splitlines()) not in range(4, MOST_LINES + 1):
            yield f"{name} ends with {len(text.splitlines())} lines"
        if name == "write":
            text = "\n".join(line for line in text.splitlines() if not line.startswith("tracefold: "))
        for line in find_too_wide(text):
            yield f"{name}: {len(line)} columns: {line}"


def main():
    tracefold, *traces = sys.argv[1:]
    wrong = []

    def check(name, trace):
        with tempfile.TemporaryDirectory() as folder:
            found = [*check_tables(tracefold, trace), *check_endings(tracefold, trace, pathlib.Path(folder))]
        print(f"{name:20} {len(found)} wrong", flush=True)
        wrong.extend(f"{name}: {words}" for words in found)

    if not visit_traces(traces, FEW, check):
        return 77
    print("\n".join(wrong))
    print(f"{len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
