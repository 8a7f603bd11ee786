#!/usr/bin/env python3
"""Computes what folding costs from what the original's processes did, and compares it with what is told.

usage: fold_errors.py TRACEFOLD [--few | TRACE.otf2...]

Without traces: the shared ones, of $TRACEFOLD_SHARED/traces, by default beside the project; with
--few only some of them, of different kinds. Each is reduced to 8 clusters of iterations. The errors in the plan beside
the result, in its anchor, and in what `reduce --json` and `verify --json` say have to be those that follow from
`profile --per-process` and `iterations --map` of the original. Prints a line for each trace:
the errors of processes and of iterations, of all time, and of computation, communication and waiting
over their own times. Ends with 77 where there are no shared traces.
"""
import collections
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

from shared_traces import read_ranges, visit_traces

FEW = ("npb_lu_W_16", "amg_8x2", "luleshph_8x4", "npb_is_S_16", "hpccg_16", "npbph_bt_W_36", "btmz_W_4x4")
WAITS = ("MPI wait-at-barrier time", "MPI late-sender time", "MPI late-receiver time", "MPI wait-at-NxN time",
         "MPI late-broadcast time", "MPI early-reduce time")
NOT_USEFUL = ("MPI time", "OpenMP time", "other file time")  # parts of execution time
STARTS = ("MPI_Init", "MPI_Init_thread")
OTHER_LOOPS = ("npb_ft_S_16",)  # traces whose maps have other loops than those that are folded
KINDS = ("computation", "communication", "waiting")
EXACT = 1e-5  # CSV has whole nanoseconds


class Sums:
    """Differences and times by kind, and of all time."""

    def __init__(self):
        self.differences, self.times, self.useful = [0.0] * 4, [0.0] * 4, 0.0

    def add_useful(self, own, standing):
        self.useful += abs(own - standing)

    def add(self, own, standing):
        own, standing = (*own, sum(own)), (*standing, sum(standing))
        for k in range(4):
            self.differences[k] += abs(own[k] - standing[k])
            self.times[k] += own[k]

    def figures(self, knows_waiting):
        share = lambda a, b: a / b if a > 0 else 0.0
        out = {"of_all_time": share(self.differences[3], self.times[3]),
               "useful_of_all_time": share(self.useful, self.times[3])}
        for k, kind in enumerate(KINDS):
            out[kind] = {"of_own_time": share(self.differences[k], self.times[k]),
                         "of_all_time": share(self.differences[k], self.times[3])}
        if not knows_waiting:
            out["waiting"] = None
        return out


class Comparison:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.figures, self.wrong = 0, []

    def run(self, *command):
        return subprocess.run([self.tracefold, *map(str, command)], capture_output=True, text=True)

    def compare(self, where, told, right):
        if isinstance(right, dict):
            for name, value in right.items():
                self.compare(f"{where}.{name}", told.get(name, "missing") if isinstance(told, dict) else "missing", value)
            return
        self.figures += 1
        if right is None or not isinstance(told, (int, float)):
            is_same = told == right
        else:
            is_same = abs(told - right) <= EXACT * max(right, 1e-3)
        if not is_same:
            self.wrong.append(f"{where}: {told} instead of {right}")

    def knows(self, original):
        """The metrics of the original."""
        return self.run("iterations", "--map", "#", original).stderr.split("one of: ")[-1].strip().rstrip(")").split(", ")

    def of_processes(self, original, plan, metrics):
        rows = csv.DictReader(io.StringIO(self.run("profile", "--per-process", "--format", "csv", "-q", original).stdout))
        column = lambda metric: metric.replace("-", "_").replace(" ", "_") + "_seconds"
        waits = [column(metric) for metric in WAITS if metric in metrics]
        times = collections.defaultdict(dict)  # by process and call path
        useful = collections.defaultdict(dict)
        for row in rows:
            if row["call_path"].split(" > ")[-1] in STARTS:
                continue
            time, in_mpi = float(row["execution_time_seconds"]), float(row.get("MPI_time_seconds") or 0)
            waiting = sum(float(row.get(name) or 0) for name in waits)
            times[int(row["location"])][row["path"]] = (time - in_mpi, in_mpi - waiting, waiting)
            if not any(float(row.get(column(metric)) or 0) for metric in NOT_USEFUL):
                useful[int(row["location"])][row["path"]] = (row["call_path"].split(" > ")[-1], time)
        sums, nothing = Sums(), (0.0, 0.0, 0.0)
        largest = 0.0
        for one in plan["representatives"]:
            standing = times[int(one["representative"])]
            for member in read_ranges(one["members"]):
                for path in times[member].keys() | standing.keys():
                    sums.add(times[member].get(path, nothing), standing.get(path, nothing))
                largest = max(largest, self.compare_useful(sums, useful[member], useful[int(one["representative"])]))
        out = sums.figures(bool(waits) or "MPI time" not in metrics)
        if largest > 0:
            out["hidden"] = {"of_run": largest / self.read_run_time(original)}
        return out

    @staticmethod
    def compare_useful(sums, own, standing):
        """The largest difference in a function that has nearly all of it, or in all together."""
        functions = collections.Counter()
        for path in own.keys() | standing.keys():
            name, seconds = own.get(path, (None, 0.0))
            other_name, other = standing.get(path, (None, 0.0))
            sums.add_useful(seconds, other)
            functions[name or other_name] += seconds - other
        largest = max(map(abs, functions.values()), default=0.0)
        together = abs(sum(functions.values()))
        return largest if largest >= 0.8 * together else together

    def read_run_time(self, original):
        told = json.loads(self.run("summary", "--json", "-q", "--scope", "run", original).stdout)
        return told["runs"][0]["runtime_s"]

    def read_map(self, original, metric, loop):
        told = self.run("iterations", "--map", metric, "--loop", loop, "--format", "json", "-q",
                        "--bins", "9999999x9999999", original)
        if told.returncode != 0:
            return None
        told = json.loads(told.stdout)["map"]
        processes = [process for text in told["processes"] for process in read_ranges(text)]
        return {process: [value for value in row if value is not None] for process, row in zip(processes, told["means"])}

    def of_iterations(self, original, plan, metrics):
        """The errors of all loops and of each; none where the map has other loops than the plan."""
        section = plan["iterations"]
        folding = {int(one["process"]) for one in section["processes"]}
        members = [member for one in plan["representatives"] if int(one["representative"]) in folding
                   for member in read_ranges(one["members"])]
        lengths = [loop["iterations"] for loop in section["loops"]]
        maps, useful, other_loops = [], [], {}
        for number in range(1, 100):
            time = self.read_map(original, "execution time", number)
            if time is None:
                break
            kept = [l for l in range(len(maps), len(lengths)) if any(len(time.get(p, ())) == lengths[l] for p in folding)]
            if not kept:
                other_loops[number] = time
                continue
            in_mpi = self.read_map(original, "MPI time", number) if "MPI time" in metrics else {}
            others = [self.read_map(original, metric, number) for metric in NOT_USEFUL if metric in metrics]
            waits = [self.read_map(original, metric, number) for metric in WAITS if metric in metrics]

            def read_times(process, i):
                return time[process][i], in_mpi[process][i] if in_mpi else 0.0, sum(w[process][i] for w in waits)

            maps.append({process: [read_times(process, i) for i in range(len(row))] for process, row in time.items()})
            useful.append({process: [row[i] - sum(other[process][i] for other in others) for i in range(len(row))]
                           for process, row in time.items()})

        if len(maps) != len(lengths):
            return None
        sums, of_loops, measured = Sums(), [Sums() for _ in lengths], 0
        for process in members:
            if any(len(m.get(process, ())) != length for m, length in zip(maps, lengths)):
                continue
            measured += 1
            for l, loop in enumerate(section["loops"]):
                kept = read_ranges(loop["kept"])
                split = [(t - m, m - w, w) for t, m, w in maps[l][process]]
                for i, place in enumerate(loop["kept_of"]):
                    for one in (sums, of_loops[l]):
                        one.add(split[i], split[kept[place]])
                        one.add_useful(useful[l][process][i], useful[l][process][kept[place]])
        knows_waiting = any(metric in metrics for metric in WAITS) or "MPI time" not in metrics
        if measured + plan["errors"]["of_iterations"]["unmeasured_processes"] != len(members):
            return None  # the map of a process shows loops that its stand-in does not have
        return sums.figures(knows_waiting), [one.figures(knows_waiting) for one in of_loops]

    def check(self, name, original):
        with tempfile.TemporaryDirectory() as folder:
            small = pathlib.Path(folder) / "small"
            done = self.run("reduce", original, "-q", "-o", small, "--iterations", "8", "--json")
            if done.returncode != 0:
                self.wrong.append(f"{name}: {done.stderr}")
                return
            plan = json.loads((small / "tracefold.json").read_text(errors="replace"))
            if "errors" not in plan:
                print(f"{name:24} everything stays")
                return
            before, errors = len(self.wrong), plan["errors"]
            metrics = self.knows(original)
            verified = self.run("verify", small / "traces.otf2", "--against", original, "--json")
            for words, told in ("reduce", json.loads(done.stdout)), ("verify", json.loads(verified.stdout)):
                if told.get("errors") != errors:
                    self.wrong.append(f"{name}: {words} tells other errors than the plan")
            self.compare_anchor(name, small, errors)
            right = self.of_processes(original, plan, metrics)
            self.compare(f"{name}: of processes", errors["of_processes"], right)
            words = self.show(right)
            if "of_iterations" in errors:
                found = self.of_iterations(original, plan, metrics)
                if found:
                    self.compare(f"{name}: of iterations", errors["of_iterations"], found[0])
                    for l, loop in enumerate(found[1]):
                        self.compare(f"{name}: of loop {l + 1}", errors["of_iterations"]["loops"][l], loop)
                    words += f"; of iterations {self.show(found[0])}"
                else:
                    words += "; of iterations not compared: maps have other loops"
                    if name not in OTHER_LOOPS:
                        self.wrong.append(f"{name}: errors of iterations could not be compared")
            print(f"{name:24} of processes {words}, {len(self.wrong) - before} wrong", flush=True)

    def compare_anchor(self, name, small, errors):
        """The anchor says the same, rounded to three digits."""
        anchor = (small / "traces.otf2").read_bytes()
        for part in "of_processes", "of_iterations":
            if part in errors:
                text = ", ".join(f"{100 * errors[part][kind]['of_own_time']:.3g} % of {kind}"
                                 for kind in ("computation", "communication"))
                self.figures += 1
                if text.encode() not in anchor:
                    self.wrong.append(f"{name}: the anchor does not say '{text}' {part}")

    @staticmethod
    def show(figures):
        words = [f"{100 * figures[kind]['of_own_time']:6.2f}" if figures[kind] else "unknown" for kind in KINDS]
        return " ".join([f"{100 * figures['of_all_time']:6.2f} %:", *words])


def main():
    comparison = Comparison(sys.argv[1])
    if not visit_traces(sys.argv[2:], FEW, comparison.check):
        return 77

    print("\n".join(comparison.wrong[:40]))
    print(f"{comparison.figures} figures compared, {len(comparison.wrong)} wrong")
    return bool(comparison.wrong)


if __name__ == "__main__":
    sys.exit(main())
