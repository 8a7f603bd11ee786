#!/usr/bin/python3
"""Computes with python3-otf2 what `tracefold compare` should say of two traces, and compares.

usage: comparison_check.py TRACEFOLD [A.otf2 B.otf2]...   (77: python3-otf2 or the shared traces are missing)

Of each function: visits, exclusive time, messages that are sent or received, and bytes of messages and collective
operations, summed over all processes. Functions are matched by name here, so the pairs are of one program and
compiler. In place of the second trace a reduced one has to give the same to 1 %. Shares no code with tracefold.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import otf2
except ImportError:
    sys.exit(77)

PAIRS = (("npb_mg_S_4", "npb_mg_S_16"), ("npb_is_S_4", "npb_is_S_16"), ("minife_8", "minife_32"),
         ("npb_cg_S_4", "npb_cg_S_16"))
FIELDS = ("visits", "time_seconds", "messages", "bytes")


class Sums(dict):
    def add(self, name, field, amount):
        self.setdefault(name, dict.fromkeys(FIELDS, 0))[field] += amount


def read(anchor):
    sums, stacks = Sums(), {}
    with otf2.reader.open(anchor) as trace:
        for location, event in trace.events:
            stack = stacks.setdefault(location, [])  # [name, entered, in callees]
            kind = type(event).__name__
            if kind == "Enter":
                stack.append([event.region.name, event.time, 0])
            elif kind == "Leave":
                name, entered, inside = stack.pop()
                sums.add(name, "visits", 1)
                sums.add(name, "time_seconds", event.time - entered - inside)
                if stack:
                    stack[-1][2] += event.time - entered
            elif kind in ("MpiSend", "MpiIsend", "MpiRecv", "MpiIrecv"):
                sums.add(stack[-1][0], "messages", 1)
                sums.add(stack[-1][0], "bytes", event.msg_length)
            elif kind in ("MpiCollectiveEnd", "NonBlockingCollectiveComplete"):
                sums.add(stack[-1][0], "bytes", event.size_sent + event.size_received)
        for amounts in sums.values():
            amounts["time_seconds"] /= trace.timer_resolution
    return sums


def check(tracefold, first, second, of_b, share, what):
    done = subprocess.run([tracefold, "compare", first, second, "--format", "json", "-q"], capture_output=True, text=True)
    if done.returncode != 0:
        return [f"{what}: status {done.returncode}: {done.stderr}"]
    wrong = []
    truth = (read(first), of_b)
    rows = {row["name"]: row for row in json.loads(done.stdout)["functions"]}
    for side, sums in zip("ab", truth):
        total = sum(amounts["time_seconds"] for amounts in sums.values())
        for name, amounts in sums.items():
            # Functions of one name in several files are shown with these.
            same = [row for shown, row in rows.items() if shown == name or shown.startswith(name + " (")]
            if not same:
                wrong.append(f"{what}: {name} is missing")
                continue
            for field in FIELDS:
                found = sum(row[field][f"total_{side}"] for row in same)
                allowed = 1e-9 * abs(amounts[field])
                if field == "time_seconds" and side == "b":
                    allowed += share * amounts[field] + (share > 0) * 1e-9 * total
                if abs(found - amounts[field]) > allowed:
                    wrong.append(f"{what}: {name}, {field} of {side}: {found}, should be {amounts[field]}")
    return wrong


def main():
    tracefold = sys.argv[1]
    shared = pathlib.Path(os.environ.get("TRACEFOLD_SHARED", pathlib.Path(__file__).parents[3] / "shared")) / "traces"
    with tempfile.TemporaryDirectory() as folder:
        given = sys.argv[2:]
        pairs = list(zip(given[::2], given[1::2]))
        if not pairs:
            for names in PAIRS:
                archives = [shared / f"{name}.tar.zst" for name in names]
                if not all(archive.exists() for archive in archives):
                    continue
                for archive in archives:
                    subprocess.run(["tar", "--zstd", "-xf", archive, "-C", folder], check=True)
                pairs.append([f"{folder}/{name}/traces.otf2" for name in names])
        if not pairs:
            sys.exit(77)
        wrong = []
        for number, (first, second) in enumerate(pairs):
            of_b = read(second)
            wrong += check(tracefold, first, second, of_b, 0, f"{first}, {second}")
            small = f"{folder}/small{number}"
            subprocess.run([tracefold, "reduce", second, "-o", small, "-q"], check=True, capture_output=True)
            wrong += check(tracefold, first, small + "/traces.otf2", of_b, 0.01, f"{first}, reduced {second}")
    for line in wrong[:40]:
        print(line)
    print(f"{len(pairs)} pairs, {len(wrong)} figures are wrong")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
