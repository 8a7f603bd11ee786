#!/usr/bin/env python3
"""Checks what the format says of records of calling contexts.

    check_contexts.py ANCHOR [--contexts-only]

Reads what otf2-print prints. The node that an unwind distance leads to is one of the context
before, behind a CallingContextLeave of the caller; these records nest; with --contexts-only no
location has Enter and Leave besides.
"""
import re
import subprocess
import sys


def print_trace(*arguments):
    return subprocess.run(["otf2-print", *arguments], capture_output=True, text=True, check=True).stdout.splitlines()


def read_contexts(anchor):
    """By id, the ids from the outermost to the context's own."""
    callers = {}
    for line in print_trace("-G", anchor):
        found = re.match(r"CALLING_CONTEXT +(\d+) .*Parent: (?:UNDEFINED|.*<(\d+)>)$", line.rstrip())
        if found:
            callers[int(found[1])] = int(found[2]) if found[2] else None

    def list_path(context):
        path = []
        while context is not None:
            path.insert(0, context)
            context = callers[context]
        return path
    return {context: list_path(context) for context in callers}


def main():
    anchor = sys.argv[1]
    paths = read_contexts(anchor)
    before, opened, problems, records = {}, {}, [], 0

    for line in print_trace(anchor):
        found = re.match(r"(ENTER|LEAVE|CALLING_CONTEXT_\w+) +(\d+) +(\d+) ", line)
        if not found:
            continue
        kind, location, time = found[1], int(found[2]), found[3]
        if kind in ("ENTER", "LEAVE"):
            if "--contexts-only" in sys.argv:
                problems.append(f"{kind} at {time} on {location}")
            continue

        records += 1
        path = paths[int(re.search(r'Calling Context: "[^"]*" <(\d+)>', line)[1])]
        last = before.get(location, [])
        stack = opened.setdefault(location, [])
        if kind == "CALLING_CONTEXT_LEAVE":
            before[location] = path[:-1]
            if not stack or stack.pop() != path[-1]:
                problems.append(f"{kind} at {time} on {location} leaves what is not the last call")
            continue
        if kind == "CALLING_CONTEXT_ENTER":
            stack.append(path[-1])

        distance = int(re.search(r"Unwind Distance: (\d+)", line)[1])
        kept = len(path) + 1 - distance if distance else len(path)
        if kept < 0 or path[:kept] != last[:kept]:
            problems.append(f"{kind} at {time} on {location}: {distance} from {path} is not in {last}")
        before[location] = path

    for problem in problems[:10]:
        print(problem)
    sys.exit(bool(problems) or records == 0)


main()
