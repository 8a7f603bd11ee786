#!/usr/bin/env python3
"""Compares what a reduced trace answers for all processes with the answers of the original.

usage: whole_program_answers.py TRACEFOLD [--few | TRACE.otf2...]

whole_program.py compares values; this compares what is made of them. Traces are as there. Each is reduced by
default; of the small trace and of the original,
  correlate   has the same grid, processes and views. Times are known to 1 %, so a view may have turned by the angle
              asin(0.01 * sqrt(1 + 1 / v^2)) at most, where v is its standard deviation divided by its mean, and
              Pearson's r of two views by the sum of both. Counts are exact. The filter cuts coefficients at
              a threshold, so filtered r may jump where one lies close to it: of views that vary by 10 % or more,
              99 of 100 differ by at most 0.1.
  --explain   names the same calls that wait, with the same times to 1 %, and the same causes: or another one, with
              an r that differs by at most 0.05; or none, where the chance of the other is above 0.02.
  group       prints the same groups.
  iterations  draws the same map: as many processes, iterations, and kept ones of these.
  select      by the plan beside the small trace chooses the same first members, and slowest ones that compute at
              most 2 % less than the slowest.
Ends with 77 where there are no shared traces.
"""
import csv
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from shared_traces import visit_traces
from whole_program import FEW, NOTE

SHARE = 0.01
ROUNDING = 2e-3  # of angles
MOST_JUMPS = 0.01  # share of filtered r
NAMES = ("location", "rank", "thread", "path", "caller_path", "call_path")


def total(values):
    return sum(values.values())


class Answers:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.compared = 0
        self.wrong = []
        self.filtered, self.jumped = 0, 0  # filtered r that were compared, and those that differ by more than 0.1
        self.causes = 0  # that the originals name

    def run(self, *command, stdin=None):
        return subprocess.run([self.tracefold, *map(str, command)], capture_output=True, text=True, input=stdin)

    def expect(self, where, condition, *words):
        self.compared += 1
        if not condition:
            self.wrong.append(f"{where}: {' '.join(map(str, words))[:300]}")
        return condition

    def read_values(self, original):
        """By metric and call path the values by location; and how long each location computes."""
        rows = list(csv.DictReader(io.StringIO(self.run("profile", "--per-process", "--format", "csv", original).stdout)))
        values, times = {}, {}
        for row in rows:
            location = row["location"]
            waits = sum(float(row.get(column) or 0) for column in ("MPI_time_seconds", "OpenMP_time_seconds"))
            times[location] = times.get(location, 0) + float(row["execution_time_seconds"]) - waits
            for column, value in row.items():
                if column not in NAMES and value:
                    name = column.removesuffix("_seconds").replace("_", " ").lower()
                    values.setdefault((name, row["call_path"]), {})[location] = float(value)
        return values, times

    def find_angle(self, view, values, processes):
        """How far a view may have turned, and its variation; none where its values are not known."""
        found = values.get((view["metric"].lower().replace("-", " "), view["call_path"]))
        if found is None:
            return None
        mean = total(found) / processes
        squares = sum(value * value for value in found.values()) / processes
        variation = math.sqrt(max(0, squares - mean * mean)) / mean if mean else 0
        if view["unit"] in ("", "bytes"):
            return 0, variation
        return (math.asin(min(1, SHARE * math.sqrt(1 + 1 / variation**2))) if variation else math.pi), variation

    def compare_correlation(self, name, original, small, values):
        for view in ("*MPI_*", "*"):
            told, right = (self.run("correlate", trace, "--view", view, "--chance", "off", "--top", "0", "--json")
                           for trace in (small, original))
            where = f"{name}: correlate {view}"
            if right.returncode != 0:
                self.expect(where, told.returncode == right.returncode, told.stderr)
                continue
            if not self.expect(where, told.returncode == 0 and NOTE in told.stderr, told.stderr):
                continue
            told, right = json.loads(told.stdout), json.loads(right.stdout)
            for part in ("processes", "grid", "axes", "views"):
                self.expect(where, told[part] == right[part], part, told[part], "instead of", right[part])
            key = lambda found: (found["metric"], found["call_path"])
            if not self.expect(where, key(told["view"]) == key(right["view"]), told["view"], right["view"]):
                continue
            query = right["view"]
            told, right = ({key(one): found for found in report["findings"] for one in [found] + found["identical"]}
                           for report in (told, right))
            turned = self.find_angle(query, values, self.processes)
            for view_key, found in right.items():
                other = self.find_angle(found, values, self.processes)
                if turned is None or other is None:
                    continue
                if view_key not in told:
                    self.expect(where, turned[0] + other[0] > 0.1, view_key, "is missing")
                    continue
                angles = [math.acos(max(-1, min(1, report[view_key]["pearson"]))) for report in (told, right)]
                self.expect(where, abs(angles[0] - angles[1]) <= turned[0] + other[0] + ROUNDING, view_key, angles)
                if min(turned[1], other[1]) >= 0.1:
                    self.filtered += 1
                    self.jumped += abs(told[view_key]["r"] - found["r"]) > 0.1

    def compare_explanation(self, name, original, small, values):
        told, right = (self.run("correlate", trace, "--explain", "--top", "0", "--json") for trace in (small, original))
        where = f"{name}: correlate --explain"
        if not self.expect(where, told.returncode == right.returncode, told.stderr, right.stderr) or right.returncode != 0:
            return
        told, right = ({wait["call_path"] + wait["metric"]: wait for wait in json.loads(text.stdout)["waits"]}
                       for text in (told, right))
        # Those with about the smallest share that counts may be left out.
        sure = {path for path, wait in right.items() if wait["sum"] > 1.03 * min(one["sum"] for one in right.values())}
        self.expect(where, sure <= set(told), sure - set(told))
        for path in sure & set(told):
            a, b = told[path], right[path]
            self.expect(where, abs(a["sum"] - b["sum"]) <= 1.01 * SHARE * b["sum"], path, a["sum"], b["sum"])
            causes = [wait["cause"] for wait in (a, b) if wait["cause"]]
            self.causes += bool(b["cause"])
            if len(causes) == 1:
                turned = self.find_angle(causes[0], values, self.processes)
                is_sure = causes[0]["chance"] <= 0.02 and turned and turned[0] <= 0.1
                self.expect(where, not is_sure, path, "only one has the cause", causes[0])
            elif causes:
                self.expect(where, abs(causes[0]["r"] - causes[1]["r"]) <= 0.05, path, causes)

    def compare_groups(self, name, original, small):
        told, right = (self.run("group", trace, "--format", "csv") for trace in (small, original))
        is_same = told.stdout == right.stdout and NOTE in told.stderr
        self.expect(f"{name}: group", is_same, told.stdout, right.stdout, told.stderr)

    def compare_drawings(self, name, original, small, folder):
        def read(trace):
            drawing = folder / "map.svg"
            done = self.run("iterations", trace, "--map", "MPI time", "-o", drawing, "--force")
            if done.returncode != 0:
                return None
            text = drawing.read_text()
            shown = re.findall(r">((?:reconstruction from|all processes)[^<]*)<", text)
            # Without the loop's number: loops that are not folded have none in the small trace.
            return re.search(r"· loop \d+ · ([^<]*)<", text)[1], shown

        told, right = read(small), read(original)
        self.expect(f"{name}: drawing", told == right or right is None, told, right)

    def compare_selection(self, name, original, small, times):
        plan = small.parent / "tracefold.json"
        grouped = self.run("group", original).stdout
        for choice in ("first", "slowest"):
            with open(plan, encoding="utf-8") as beside:
                command = [self.tracefold, "select", "--representative", choice, "--format", "json"]
                told = subprocess.run(command, stdin=beside, capture_output=True, text=True)
            where = f"{name}: select {choice}"
            if not self.expect(where, told.returncode == 0 and NOTE in told.stderr, told.stderr):
                return
            right = self.run("select", "--representative", choice, "--format", "json", stdin=grouped)
            told, right = ([one["representative"] for one in json.loads(text.stdout)["representatives"]]
                           for text in (told, right))
            if choice == "first":
                self.expect(where, told == right, told, right)
            else:
                slower = [(a, b) for a, b in zip(told, right) if times[a] < (1 - 2 * SHARE) * times[b]]
                self.expect(where, len(told) == len(right) and not slower, slower)

    def check(self, name, original):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            small = folder / "small" / "traces.otf2"
            self.run("reduce", original, "-q", "-o", small.parent)
            if not (small.parent / "tracefold.profiles").exists():
                print(f"{name:24} everything stays")
                return
            compared, wrong = self.compared, len(self.wrong)
            values, times = self.read_values(original)
            self.processes = len(times)
            self.compare_correlation(name, original, small, values)
            self.compare_explanation(name, original, small, values)
            self.compare_groups(name, original, small)
            self.compare_drawings(name, original, small, folder)
            self.compare_selection(name, original, small, times)
            print(f"{name:24} {self.compared - compared:6} compared, {len(self.wrong) - wrong} wrong", flush=True)


def main():
    answers = Answers(sys.argv[1])
    if not visit_traces(sys.argv[2:], FEW, answers.check):
        return 77

    answers.expect("filtered r", answers.jumped <= MOST_JUMPS * answers.filtered, answers.jumped, "differ by more than 0.1")
    print("\n".join(answers.wrong[:int(os.environ.get("SHOWN", 40))]))
    print(f"{answers.compared} answers compared, {len(answers.wrong)} wrong; {answers.causes} causes; "
          f"{answers.jumped} of {answers.filtered} filtered r differ by more than 0.1")
    return bool(answers.wrong)


if __name__ == "__main__":
    sys.exit(main())
