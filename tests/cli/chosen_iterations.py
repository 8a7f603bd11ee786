#!/usr/bin/env python3
"""Iterations to which a trace was cut keep their numbers and values.

usage: chosen_iterations.py TRACEFOLD [--few | TRACE.otf2...]

Of each trace, of all shared ones or those that are given, some iterations of the main loop are left: two that follow each
other, a single one, and some with others between them. The maps of the trace that is cut in a pipe, of the one that is
written, and of that reduced once more have these iterations and no others, by their numbers in the original, with the
values of the original's map, on all locations that have the loop themselves: what others do need not end with an
iteration. So do tables, CSV and drawings, and what is told of loops; and choosing again goes by these
numbers, too. Who asks for other iterations finds others.
"""
import csv
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

from shared_traces import read_ranges, visit_traces

FEW = ("hpccg_16", "lulesh_8x2", "npb_lu_W_4", "npbph_cg_S_8", "minife_8")
METRIC = "execution time"


class Check:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.checks = 0
        self.wrong = []

    def run(self, *arguments, plan=None, text=True):
        ran = subprocess.run([self.tracefold, *map(str, arguments), "-q"], input=plan, capture_output=True, text=text)
        if ran.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, arguments))}: {ran.stderr.strip()}")
        return ran.stdout

    def refuse(self, what, words, *arguments, plan=None):
        ran = subprocess.run([self.tracefold, *map(str, arguments), "-q"], input=plan, capture_output=True, text=True)
        self.expect(ran.returncode == 2 and words in ran.stderr, f"{what}: {ran.returncode}, {ran.stderr.strip()}")

    def expect(self, holds, words):
        self.checks += 1
        if not holds:
            self.wrong.append(words)

    def check(self, name, anchor):
        before = json.loads(self.run("iterations", anchor, "--map", METRIC, "--format", "json"))
        have = before["iterations"]
        if len(before["map"]["iterations"]) != have:
            print(f"{name}: {have} iterations are too many for single ones")
            return
        for asked in ("2-3", "5", "3,70-72,140" if have > 140 else "1,3-4"):
            if max(read_ranges(asked)) < have:
                self.check_choice(f"{name} {asked}", anchor, asked, before)
        self.check_range(name, anchor, before)

    def check_range(self, name, anchor, before):
        """A range of the map is a part of it, of the cut trace by the numbers of the original."""
        shown = ["iterations", anchor, "--map", METRIC, "--format", "json", "--range"]
        for asked, numbers in (("2-3", [2, 3]), ("1", [1]), (f"2-{before['iterations'] + 9}", list(range(2, before["iterations"])))):
            part = json.loads(self.run(*shown, asked))
            self.expect(part["map"]["iterations"] == [str(n) for n in numbers], f"{name} --range {asked}: {part['map']['iterations']}")
            wanted = [[row[n] for n in numbers] for row in before["map"]["means"]]
            self.expect(part["map"]["means"] == wanted, f"{name} --range {asked}: other values than of the whole map")
        with tempfile.TemporaryDirectory() as folder:
            drawing = pathlib.Path(folder) / "part.svg"
            self.run("iterations", anchor, "--map", METRIC, "--range", "1-2", "-o", drawing)
            texts = re.findall(r"<text[^>]*>([^<]*)</text>", drawing.read_text())
            self.expect(any("· 2 iterations" in text for text in texts),
                        f"{name}: a drawing of a range has {texts}")
            kinds = pathlib.Path(folder) / "kinds.svg"
            self.run("iterations", anchor, "--clusters", 3, "-o", kinds)
            counts = [int(count) for count in re.findall(r">(\d+) iterations?<", kinds.read_text())]
            self.expect(counts and sum(counts) == before["iterations"], f"{name}: kinds of {counts} iterations")
        self.refuse(f"{name} --range beyond", "there is no such iteration", *shown, f"{before['iterations']}-99999")
        self.refuse(f"{name} --range 1,3", "do not follow each other", *shown, "1,3")
        plan = self.run("filter", anchor, "--iterations-only", "1,3-4")
        cut = json.loads(self.run("iterations", "-", "--map", METRIC, "--format", "json", "--range", "2-4", plan=plan))
        self.expect(cut["map"]["iterations"] == ["3", "4"], f"{name}: a range of a cut trace has {cut['map']['iterations']}")

    def check_choice(self, name, anchor, asked, before):
        numbers = read_ranges(asked)
        plan = self.run("filter", anchor, "--iterations-only", asked)
        own = {one["location"] for one in json.loads(plan)["chosen"]["loops"]}
        rows = {process: row for process, row in zip(before["map"]["processes"], before["map"]["means"]) if process in own}
        self.check_map(f"{name}, pipe", numbers, rows, exact=True, plan=plan)
        self.check_shown(name, numbers, plan)
        self.check_again(name, anchor, numbers, plan)
        self.check_others(name, plan)
        with tempfile.TemporaryDirectory() as folder:
            cut, small, whole = (pathlib.Path(folder) / way for way in ("cut", "small", "whole"))
            self.run("write", "-o", cut, plan=plan)
            self.run("verify", cut / "traces.otf2", "--against", anchor)
            self.check_map(f"{name}, cut", numbers, rows, False, cut / "traces.otf2")
            self.check_loops(f"{name}, cut", numbers, cut / "traces.otf2")
            self.check_summary(f"{name}, cut", numbers, cut / "traces.otf2")
            self.run("reduce", cut / "traces.otf2", "-o", small, "--iterations", "1", "--fold-unsure")
            self.run("verify", small / "traces.otf2", "--against", cut / "traces.otf2")
            self.check_map(f"{name}, reduced", numbers, {}, False, small / "traces.otf2")
            names = subprocess.run(["otf2-print", "-G", small / "traces.otf2"], capture_output=True, text=True).stdout
            stands = {int(number) for number in re.findall(r"iteration ≈ #(\d+)", names)}
            self.expect(stands <= set(numbers), f"{name}: iterations {sorted(stands)} stand for others")

            # What every process did is known beside it.
            self.run("reduce", "-", "-o", whole, plan=plan)
            self.check_map(f"{name}, whole", numbers, rows, False, whole / "traces.otf2")
            self.check_summary(f"{name}, whole", numbers, whole / "traces.otf2")
            self.run("report", whole / "traces.otf2", "-o", whole / "page.html")
            of_loops = re.findall(r'"numbers":\[([^]]*)\]', (whole / "page.html").read_text())
            self.expect(all(json.loads(f"[{found}]") == numbers for found in of_loops), f"{name}: a page has {of_loops}")

    def check_map(self, name, numbers, rows, exact, *trace, plan=None):
        after = json.loads(self.run("iterations", *trace, "--map", METRIC, "--format", "json", plan=plan))
        self.expect(after["map"]["iterations"] == [str(number) for number in numbers],
                    f"{name}: the map has the iterations {after['map']['iterations']}")
        for process, row in zip(after["map"]["processes"], after["map"]["means"]):
            if process not in rows:
                continue
            wanted = [rows[process][number] if number < len(rows[process]) else None for number in numbers]
            is_near = len(row) == len(wanted) and all(
                a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9 if exact else 0.03, abs_tol=2e-8))
                for a, b in zip(row, wanted))
            self.expect(is_near, f"{name}: process {process} has {row}, and {wanted} in the original")

    def check_shown(self, name, numbers, plan):
        shown = ["iterations", "-", "--map", METRIC]
        table = self.run(*shown, plan=plan).splitlines()
        rows = csv.DictReader(io.StringIO(self.run(*shown, "--format", "csv", plan=plan)))
        heads = next(csv.reader(io.StringIO(self.run(*shown, "--format", "csv", "--csv", "map", plan=plan))))
        wanted = [str(number) for number in numbers]
        self.expect([line.split()[0] for line in table[2:]] == wanted, f"{name}: the table has {table}")
        self.expect([row["iterations"] for row in rows] == wanted, f"{name}: CSV has other iterations")
        self.expect(heads[2:] == wanted, f"{name}: CSV of the map has {heads}")
        with tempfile.TemporaryDirectory() as folder:
            drawing = pathlib.Path(folder) / "map.svg"
            self.run(*shown, "-o", drawing, plan=plan)
            texts = re.findall(r"<text[^>]*>([^<]*)</text>", drawing.read_text())
            self.expect(set(wanted) <= set(texts), f"{name}: a drawing has not all of {wanted}")

    def check_again(self, name, anchor, numbers, plan):
        again = self.run("filter", "-", "--iterations-only", numbers[-1], plan=plan)
        at_once = self.run("filter", anchor, "--iterations-only", numbers[-1])
        a, b = (json.loads(text) for text in (again, at_once))
        self.expect(a["chosen"] == b["chosen"] and a["filters"][-1]["time"] == b["filters"][-1]["time"],
                    f"{name}: {numbers[-1]} of them is something else")
        if 0 not in numbers:
            self.refuse(f"{name}: iteration 0", "iteration 0: of the main loop,", "filter", "-", "--iterations-only", "0",
                        plan=plan)
            self.refuse(f"{name}: keep 0", "there is no such iteration", "iterations", "-", "--keep-iterations", "0",
                        "--fold-unsure", plan=plan)

    def check_others(self, name, plan):
        """Without the section, as in plans of before, and where others are asked for, loops are looked for."""
        without = json.loads(plan)
        del without["chosen"]
        for text, options in ((json.dumps(without), ()), (plan, ("--begin-at", "*"))):
            found = json.loads(self.run("iterations", "-", "--loops", "--format", "json", *options, plan=text))
            self.expect("numbers" not in found, f"{name}: others have numbers")

    def check_loops(self, name, numbers, trace):
        found = json.loads(self.run("iterations", trace, "--loops", "--format", "json"))
        self.expect(read_ranges(found.get("numbers", "")) == numbers, f"{name}: loops are of {found.get('numbers')}")
        for group in found["groups"]:
            for loop in group["loops"]:
                self.expect(loop["iterations"] <= len(numbers), f"{name}: a loop has {loop['iterations']} iterations")

    def check_summary(self, name, numbers, trace):
        run = json.loads(self.run("summary", trace, "--format", "json"))["runs"][0]
        found = run["finding"].get("iterations")
        self.expect(run["iterations"] in (0, len(numbers)), f"{name}: a summary tells of {run['iterations']} iterations")
        self.expect(not found or {found["first"], found["last"]} <= set(numbers), f"{name}: a summary has {found}")


def main():
    check = Check(sys.argv[1])

    def visit(name, anchor):
        try:
            check.check(name, anchor)
        except RuntimeError as problem:
            check.wrong.append(f"{name}: {problem}")

    if not visit_traces(sys.argv[2:], FEW, visit):
        return 77
    for words in check.wrong:
        print("FAIL:", words)
    print(f"{check.checks} checks, {len(check.wrong)} wrong")
    return 1 if check.wrong else 0


sys.exit(main())
