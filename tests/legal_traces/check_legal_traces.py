#!/usr/bin/env python3
"""Reduces legal archives of many features and checks each result.

check_legal_traces.py --build BUILD --shared SHARED [--first SEED] [--seeds N] [--ways N] [--keep FOLDER] [--add FEATURE…]

Every seed makes an archive (make_legal_trace.py) and some reductions of it, with options
that the seed chooses. Each result has to be read by otf2-print without a warning, to
satisfy the judge in SHARED/check where it is there, and to be accepted by `tracefold
verify`; one and two threads, and both readers, have to give the same bytes. What has a halo is reduced again without it,
or with less of it, and holds then as well. `matrix` has to give
the messages that were made, of the reduced trace, too; and what is reduced and expanded again has to
hold the same operations of each rank, in the same calls. Where calls of no length have their Leave before
their Enter, the judge gets the same trace with the Enter before, since it takes records as they stand. With --ways, each seed
is checked in so many ways only, of thirteen, which the seed chooses. The last line
counts seeds and failures; the exit status is 1 where something failed.
"""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
PYTHON = "/usr/bin/python3"


# Rules of the judge that do not hold where only some processes were asked for.
OF_ALL_PROCESSES = ("every original location is stood for exactly once", "one kept location for each distinct kind")
# And where only some functions were.
OF_ALL_CALLS = ("members have the same calls", "a process without calls is not merged")


NOT_COMPLETE = "keeps messages that are not complete"  # some have a partner that cannot be told
COMPARE_OPERATIONS = HERE.parent / "cli" / "compare_operations.py"
SECOND_READER = "a second reader"
READ_BY_PYTHON = "import otf2, sys\nwith otf2.reader.open(sys.argv[1]) as t: print(sum(1 for _ in t.events))"


class Check:
    """One seed; its failures are lines of text."""

    def __init__(self, seed, options):
        self.seed, self.options = seed, options
        self.random = random.Random(seed)
        self.failures = []
        self.tracefold = options.build / "cli" / "tracefold"

    def run(self, words, *command, passing=()):
        """True where it succeeds, or where all that it complains of begins with a passing rule."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, errors="replace", env=self.environment)
        self.printed = done.stdout
        if done.returncode == 0:
            return True
        said = [line for line in (done.stdout + done.stderr).splitlines() if not line.lower().startswith("ok")]
        wrong = [line for line in said if line.startswith(("FAIL", "tracefold: "))]
        if passing and wrong and all(any(rule in line for rule in passing) for line in wrong):
            return True
        said = [line for line in said if not any(rule in line for rule in passing)]
        self.failures.append(f"seed {self.seed}: {words}: status {done.returncode}: " + " | ".join(said[:4])[:500])
        return False

    @property
    def environment(self):
        return {**os.environ, "OTF2FACTS": str(self.options.facts)} if self.options.facts else dict(os.environ)

    def reductions(self):
        """Pairs of options of `reduce` and the flags that tell the judge of them."""
        iterations = self.random.choice([2, 3])
        return [
            (["--exact", "--iterations", "off"], []),
            (["--exact", "--iterations", iterations], ["--collapsed"]),
            (["--threshold", "0.5", "--iterations", iterations], ["--merged", "--collapsed"]),
            (["--exact", "--iterations", "off", "--per-group", "2"], ["--extra"]),
            (["--exact", "--iterations", "off", "--keep-ids", "--plain-names"], ["--keep-ids", "--plain-names"]),
        ]

    def judge(self, small, words, flags, passing=()):
        if self.options.judge:
            self.run(f"judge {words}", PYTHON, self.options.judge, self.judged, small, *flags,
                     passing=(*passing, *self.unreadable))

    def find_unreadable(self, trace):
        """python3-otf2 reads no inter-communicators and not all types of properties."""
        done = subprocess.run([PYTHON, "-I", "-c", READ_BY_PYTHON, trace], capture_output=True)
        return (SECOND_READER,) if done.returncode else ()

    def readable(self, small, words):
        self.run(f"otf2-print {words}", "otf2-print", "-Werror", "--silent", small)

    def verify(self, trace, small, words):
        if self.run(f"verify {words}", self.tracefold, "verify", small, "--against", trace, "-v"):
            for share in re.findall(r": ([0-9.]+) %", self.printed):
                if float(share) > 100:
                    self.failures.append(f"seed {self.seed}: verify {words}: {share} % of all time")

    def check_reduction(self, folder, trace, number, options, flags):
        words = "reduce " + " ".join(map(str, options))
        out = folder / str(number)
        if not self.run(words, self.tracefold, "reduce", trace, "-q", "-o", out, *options):
            return
        small = out / "traces.otf2"
        self.readable(small, words)
        self.judge(small, words, flags)
        self.verify(trace, small, words)
        for name, more in (("threads", ["--threads", "1"]), ("reader", ["--reader", "otf2"])):
            if self.random.random() < 0.3:
                other = folder / f"{number}.{name}"
                if self.run(f"{words} {name}", self.tracefold, "reduce", trace, "-q", "-o", other, *options, *more):
                    self.run(f"{words}: other {name}, other events", "diff", "-rq", out / "traces", other / "traces")

    def check_matrix(self, folder, trace):
        """Of the archive and of its reduction: the messages that were made."""
        made = sorted([str(number) for number in line] for line in self.made["sends"])
        small = folder / "matrix"
        if not self.run("reduce", self.tracefold, "reduce", trace, "-q", "-o", small):
            return
        for words, path in (("matrix", trace), ("matrix of the reduced trace", small / "traces.otf2")):
            if self.run(words, self.tracefold, "matrix", "-q", path, "--format", "csv"):
                found = sorted(line.split(",") for line in self.printed.splitlines()[1:])
                wrong = [line for line in made if line not in found] + [line for line in found if line not in made]
                if wrong:
                    self.failures.append(f"seed {self.seed}: {words}: {len(wrong)} lines differ, {wrong[:3]}")

    def check_expansion(self, folder, trace):
        small, full = folder / "to_expand", folder / "expanded"
        if not self.run("reduce to expand", self.tracefold, "reduce", trace, "-q", "-o", small, "--iterations", "off"):
            return
        passing = (NOT_COMPLETE,) if {"strange_ranks", "self_side"} & set(self.made["features"]) else ()
        if self.run("expand", self.tracefold, "expand", "-q", small / "traces.otf2", "-o", full, passing=passing) and full.exists():
            self.readable(full / "traces.otf2", "expand")
            self.run("operations of the expanded trace", sys.executable, COMPARE_OPERATIONS, self.judged,
                     full / "traces.otf2")

    def list_filters(self, folder, trace):
        """Some processes, functions or times only, then one of each kind, all of them, or their iterations folded."""
        ids = sorted(int(path.stem) for path in (folder / "app" / "traces").glob("*.evt"))
        some = ",".join(map(str, sorted(self.random.sample(ids, max(1, len(ids) * 2 // 3)))))
        functions = self.random.choice([
            "--drop 'MPI_*'", "--drop 'compute*'", "--drop inner --drop refine", "--drop main", "--drop 'step 0'",
            "--drop '*' --drop kernel", "--keep 'MPI_*'", "--keep main --keep 'step *'", "--keep 'MPI_Send' --keep 'MPI_Recv'",
            "--keep '*' --drop 'MPI_Wait'", "--keep 'compute*' --keep inner", "--drop 'sampled*' --drop '*parallel*'"])
        ways = []
        chains = ["group --exact | {0} select | {0} write -q", "write -q", "group --by functions | {0} select --representative first | {0} reduce - -q",
                  "reduce - -q --iterations 2", "reduce - -q --iterations off --threshold 0.5"]
        for number, options in enumerate([f"--locations {some}", functions, f"--locations {some} {functions}"]):
            chain = chains[0] if number == 0 else self.random.choice(chains)
            ways.append(functools.partial(self.check_filter, folder, trace, f"filter {options}", chain))
        begin = self.random.randrange(60)
        window = f"--time {begin}%-{begin + self.random.randrange(30, 40)}%"
        more = self.random.choice(["", "", f" --locations {some}", f" {functions}"])
        ways.append(functools.partial(self.check_filter, folder, trace, f"filter {window}{more}", self.random.choice(chains)))
        return ways

    def check_filter(self, folder, trace, words, chain):
        out = folder / "filtered"
        program = f"'{self.tracefold}'"
        whole = f"{program} {words.replace('filter', f'filter {trace}', 1)} | {program} {chain.format(program)} -o '{out}' --force"
        words += " | " + chain.format("").replace("|  ", "| ")
        if self.run(words, "bash", "-o", "pipefail", "-c", whole):
            self.readable(out / "traces.otf2", words)
            folded = ["--collapsed"] if "--iterations 2" in chain or "reduce - -q" == chain[-len("reduce - -q"):] else []
            merged = ["--merged"] if "--threshold" in chain else []
            flags = ["--filtered", *folded, *merged, *(["--extra"] if chain == "write -q" else [])]
            passing = (*OF_ALL_PROCESSES, *(OF_ALL_CALLS if "--keep" in words or "--drop" in words else ()))
            if "--time" not in words:  # the judge knows no windows
                self.judge(out / "traces.otf2", words, flags, passing=passing)
            self.verify(trace, out / "traces.otf2", words)

    def check_again(self, folder, trace):
        """What is reduced again names nothing of a halo that is gone."""
        first, second = folder / "with_halo", folder / "again"
        less = self.random.choice(["off", "1"])
        words = f"reduce again --halo {less}"
        if self.run("reduce --halo all", self.tracefold, "reduce", trace, "-q", "-o", first, "--halo", "all") and self.run(
                words, self.tracefold, "reduce", first / "traces.otf2", "-q", "-o", second, "--halo", less):
            self.readable(second / "traces.otf2", words)
            self.verify(first / "traces.otf2", second / "traces.otf2", words)

    def check_copy(self, folder, trace):
        """Every process kept."""
        out = folder / "all"
        chain = f"'{self.tracefold}' group --exact '{trace}' | '{self.tracefold}' write -q -o '{out}'"
        if self.run("write all", "bash", "-o", "pipefail", "-c", chain):
            self.readable(out / "traces.otf2", "write all")
            self.judge(out / "traces.otf2", "write all", ["--extra"])

    def make(self, folder, *options):
        return self.run("make", PYTHON, HERE / "make_legal_trace.py", self.seed, folder, *options, *self.options.add)

    def ways(self, folder, trace):
        ways = [functools.partial(self.check_reduction, folder, trace, number, options, flags)
                for number, (options, flags) in enumerate(self.reductions())]
        ways += self.list_filters(folder, trace)
        ways += [functools.partial(way, folder, trace)
                 for way in (self.check_copy, self.check_again, self.check_matrix, self.check_expansion)]
        return self.random.sample(ways, self.options.ways) if self.options.ways else ways

    def all(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"legal-{self.seed}-"))
        try:
            if self.make(folder / "app"):
                self.made = json.loads(self.printed.splitlines()[-1])
                trace = self.judged = folder / "app" / "traces.otf2"
                if "zero_length" in self.made["features"] and self.make(folder / "sorted", "--sorted"):
                    self.judged = folder / "sorted" / "traces.otf2"
                self.readable(trace, "input")
                self.unreadable = self.find_unreadable(trace)
                for way in self.ways(folder, trace):
                    way()
        except subprocess.TimeoutExpired as late:
            self.failures.append(f"seed {self.seed}: {late}")
        finally:
            if self.failures and self.options.keep:
                shutil.copytree(folder, self.options.keep / str(self.seed), dirs_exist_ok=True)
            shutil.rmtree(folder)
        return self.failures


def prepare(options):
    """Builds the judge's reader of facts, where the judge is there."""
    options.judge = options.shared / "check" / "judge.py"
    options.facts = None
    if not options.judge.is_file():
        options.judge = None
        print("the judge is not at hand: results are only verified")
        return
    options.facts = options.build / "otf2facts"
    if not options.facts.is_file():
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "otf2"], capture_output=True, text=True, check=True)
        subprocess.run(["g++", "-std=c++20", "-O1", "-o", options.facts, options.shared / "check" / "otf2facts.cpp",
                        *flags.stdout.split()], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--shared", type=pathlib.Path, default=HERE.parents[2] / "shared")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--ways", type=int, default=0, help="check each seed in so many ways only")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--add", nargs="*", default=[], type=lambda feature: "+" + feature,
                        help="features that all archives have, besides those that the seed chooses")
    options = parser.parse_args()
    options.build = options.build.resolve()
    prepare(options)

    failed = 0
    seeds = range(options.first, options.first + options.seeds)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for failures in pool.map(lambda seed: Check(seed, options).all(), seeds):
            failed += bool(failures)
            for line in failures:
                print(line, flush=True)
    print(f"{options.seeds} legal archives from seed {options.first}: {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
