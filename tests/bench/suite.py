#!/usr/bin/env python3
"""Measures tracefold against libotf2 and the tools that come with it, on traces it makes, and says which targets are met.

Rows run in turn: one round to warm up, then rounds that count. A figure is the median of these rounds; a ratio is the median of the ratios
within each round, so that a machine that slows down for a while slows both sides. What two threads gain is told by the rounds in which the
machine was quiet: two processes that only count got nearly two cores right after either. Seconds and memory are the kernel's for the whole process
(wait4); a process smaller than this script (some 20 MiB) shows as large as it. A rate has start-up in it, which for python3-otf2, where only a
share of the events is read, is most of what it does on many locations. Traces and outputs are best on a disk that is not shared, with
as much memory free as the traces are large: the files of a trace are read before each run, so that none waits for the disk.

Exit status: 0 done; 1 a target is missed, or could not be measured (only at --scale 1); 2 wrong use; 3 a program failed.
"""
import argparse, collections, os, platform, resource, select, shutil, signal, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
Shape = collections.namedtuple("Shape", "locations events functions")  # events of each location
TRACES = {"wide": Shape(32, 2_000_000, 300), "many": Shape(4_096, 5_000, 300), "huge": Shape(65_536, 500, 300), "single": Shape(1, 100_000_000, 300)}
LEAST_EVENTS = 500  # of a location; smaller scales have fewer locations instead
LOOPS = {"short": 100, "loops": 1_000, "long": 10_000}  # iterations of made loop programs
LOOP_RANKS = 64
COST = [1_024, 4_096, 16_384, 65_536]  # locations of 500 events each; the last is `huge`
HANDLES = 256  # open files that tracefold may have on `huge`
SHARE = 200_000  # events that python3-otf2 reads
LIMIT = 900  # seconds that a run may take
FLOOR, COPY = "libotf2 read, 1 thread", "libotf2 read + write"
REDUCE, VERIFY = "tracefold reduce, 1 thread", "tracefold verify, 1 thread"
QUADRATIC = "left out: quadratic in locations"
PYTHON_READER = """import sys, otf2
with otf2.reader.open(sys.argv[1]) as trace:
    for n, _ in enumerate(trace.events, 1):
        if n == int(sys.argv[2]): break
"""

Row = collections.namedtuple("Row", "name anchor argv events handles base note prepare", defaults=[None] * 4)  # base: the row with one thread; prepare: a command that runs before, unmeasured
Run = collections.namedtuple("Run", "wall cpu peak cores", defaults=[None])  # s, s, MiB; cores: see Cores, right after it
QUIET, QUIET_ROUNDS = 1.9, 3  # cores that two processes get of two; rounds that were so, before they tell anything


def have_memory(size, folder):
    """Lets the system have memory for a file of so many bytes: a virtual machine may have given it back, and who writes first would pay for it."""
    with tempfile.TemporaryFile(dir=folder) as file:
        block = bytes(1 << 20)
        for _ in range(size >> 20):
            file.write(block)


def have_files_in_memory(anchor):
    """Reads the files of a trace: what is measured is not the disk, and the system may have dropped them since."""
    block = bytearray(1 << 20)
    name = anchor.removesuffix(".otf2")
    for path in [anchor, name + ".def", *(entry.path for entry in os.scandir(name))]:
        with open(path, "rb", buffering=0) as file:
            while file.readinto(block):
                pass


class Cores:
    """Tells how many cores two processes get that only count: 2 where nothing else is at work, on the machines below a virtual one, too."""
    COUNTING = "for _ in range(10_000_000): pass"

    def __init__(self):
        self.alone = min(self.seconds(1) for _ in range(3))

    def seconds(self, processes):
        start = time.perf_counter()
        for child in [subprocess.Popen([sys.executable, "-I", "-S", "-c", self.COUNTING]) for _ in range(processes)]:
            child.wait()
        return time.perf_counter() - start

    def at_hand(self):
        self.alone = min(self.alone, self.seconds(1))
        return 2 * self.alone / self.seconds(2)


class Failed(Exception):
    pass


def run(argv, handles=None):
    """One process from start to end; its stdin is empty and its stdout unread."""
    limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (handles, handles))) if handles else None
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limit)
        handle = os.pidfd_open(child.pid)
        try:
            in_time = select.select([handle], [], [], LIMIT)[0]
        except BaseException:
            child.kill()
            raise
        finally:
            os.close(handle)
        if not in_time:
            child.kill()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if not in_time:
            raise Failed(f"stopped after {LIMIT} s")
        if child.returncode:
            errors.seek(0)
            words = errors.read().decode(errors="replace").strip().splitlines()
            raise Failed(f"failed with {child.returncode}: {words[-1] if words else 'no word'}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def python_with_otf2():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-I", "-c", "import otf2.reader"], capture_output=True).returncode == 0:
            return python
    return None


def progress(words):
    if sys.stderr.isatty():
        print(f"\r\033[K{words}", end="", file=sys.stderr, flush=True)


class Bench:
    def __init__(self, args, folder):
        self.scale, self.rounds, self.folder, self.keep = args.scale, args.rounds, folder, bool(args.work)
        self.tracefold = os.path.join(args.build, "cli", "tracefold")
        self.floor, self.make = (os.path.join(args.build, "tests", "bench", name) for name in ("library_floor", "make_bench_trace"))
        self.make_loops = os.path.join(args.build, "examples", "make_trace")
        for tool in (self.tracefold, self.floor, self.make, self.make_loops):
            if not os.access(tool, os.X_OK):
                sys.exit(f"suite.py: {tool} is missing (build it: cmake --preset release && cmake --build --preset release)")
        self.python = python_with_otf2()
        self.out = os.path.join(folder, "out")
        shutil.rmtree(self.out, ignore_errors=True)
        self.failed = False
        self.cores = Cores()
        self.targets = []  # text, what was measured, whether it is met

    def scaled(self, shape):
        events = max(LEAST_EVENTS, round(shape.events * self.scale))
        locations = max(1, round(shape.locations * shape.events * self.scale / events))
        return Shape(min(locations, shape.locations), events // 2 * 2, shape.functions)

    def trace(self, name, shape):
        """The anchor of a trace, made where it is not there yet."""
        folder = os.path.join(self.folder, name if self.scale == 1 else f"{name}-{self.scale:g}")
        if not os.path.exists(folder):
            progress(f"{name}: making {shape.locations:,} x {shape.events:,} events")
            shutil.rmtree(folder + ".part", ignore_errors=True)
            sizes = [word for field, value in shape._asdict().items() for word in (f"--{field}", str(value))]
            subprocess.run([self.make, folder + ".part", *sizes], check=True)
            os.rename(folder + ".part", folder)
        return os.path.join(folder, "traces.otf2")

    def drop(self, anchor):
        if not self.keep:
            shutil.rmtree(os.path.dirname(anchor))

    def rows(self, name, anchor, events):
        huge = name == "huge"
        handles = HANDLES if huge else None
        slow = QUADRATIC if huge else None
        share = min(SHARE, events)
        yield Row(FLOOR, anchor, [self.floor, "read", anchor, "1"], events, note=slow)
        yield Row("libotf2 read, 2 threads", anchor, [self.floor, "read", anchor, "2"], events, base=FLOOR, note=slow)
        yield Row("otf2-print --silent", anchor, ["otf2-print", "--silent", anchor], events, note=slow or (None if shutil.which("otf2-print") else "not installed"))
        yield Row(f"python3-otf2, on a share: {share:,}", anchor, [self.python, "-I", "-c", PYTHON_READER, anchor, str(share)], share,
                  note=slow or (None if self.python else "not installed"))
        yield Row(COPY, anchor, [self.floor, "copy", anchor, self.out], events, note=slow)
        output = ["-o", self.out, "--force", "-q"]
        for command, options in {"group": ["--exact", "-q"], "reduce": ["--exact", "--iterations", "off", *output], "write": output}.items():
            for threads in (1, 2):
                yield Row(f"tracefold {command}, {threads} thread{'s' * (threads - 1)}", anchor, [self.tracefold, command, anchor, *options, "--threads", str(threads)],
                          events, handles, base=f"tracefold {command}, 1 thread" if threads > 1 else None)
        for what, options in {"by signature": ["--by", "signature"], "with messages": ["--exact", "--messages", "on"]}.items():
            yield Row(f"tracefold group {what}, 2 threads", anchor, [self.tracefold, "group", anchor, *options, "-q", "--threads", "2"], events, handles)
        small = os.path.join(self.folder, "small")  # stays until the next trace
        reduce = [self.tracefold, "reduce", anchor, "--exact", "--iterations", "off", "-o", small, "--force", "-q"]
        yield Row(VERIFY, anchor, [self.tracefold, "verify", os.path.join(small, "traces.otf2"), "--against", anchor, "-q", "--threads", "1"], events, handles, prepare=reduce)
        yield Row("cat of the event files", anchor, ["find", anchor.removesuffix(".otf2"), "-name", "*.evt", "-exec", "cat", "{}", "+"], events)

    def measure(self, what, rows, size=0):
        """The runs of each row, by name, and why others have none; `size` bytes are what a row may write."""
        runs, notes = {row.name: [] for row in rows}, {row.name: row.note for row in rows if row.note}
        bases = {row.base for row in rows}
        for row in rows:
            if row.prepare and row.name not in notes:
                try:
                    run(row.prepare, row.handles)
                except Failed as why:
                    notes[row.name] = str(why)
                    self.failed = True
        for turn in range(self.rounds + 1):
            for row in rows:
                if row.name in notes:
                    continue
                progress(f"{what}: round {turn} of {self.rounds}: {row.name}")
                if self.out in row.argv:
                    have_memory(size, self.folder)
                have_files_in_memory(row.anchor)
                try:
                    found = run(row.argv, row.handles)
                    if row.base or row.name in bases:
                        found = found._replace(cores=self.cores.at_hand())
                    if turn:
                        runs[row.name].append(found)
                except Failed as why:
                    notes[row.name] = str(why)
                    self.failed = True
                shutil.rmtree(self.out, ignore_errors=True)
                if self.out in row.argv:
                    os.sync()  # the next row should not share the machine with what this one left to do
        progress("")
        return {name: found for name, found in runs.items() if name not in notes}, notes

    def target(self, words, value, met, said):
        """Records a target; where what it needs was not measured, `value` is None."""
        self.targets.append((words, said.format(value) if value is not None else "not measured", value is not None and met(value)))

    def memory_target(self, name, locations, found):
        limit = 64 + 4 * locations / 1024
        peaks = [median(runs, "peak") for row, runs in found.items() if row.startswith("tracefold group,")]
        self.target(f"{name}: group takes at most {limit:.0f} MiB (64 MiB + 4 KiB per location)", max(peaks, default=None), lambda v: v <= limit, "{:.1f} MiB")

    def compare(self, name, shape):
        shape = self.scaled(shape)
        anchor, events = self.trace(name, shape), shape.locations * shape.events
        rows = list(self.rows(name, anchor, events))
        size = sum(entry.stat().st_size for entry in os.scandir(anchor.removesuffix(".otf2")) if entry.name.endswith(".evt"))
        found, notes = self.measure(name, rows, size)
        print(f"\n{name}: {shape.locations:,} locations x {shape.events:,} events = {events / 1e6:,.1f} M events, {shape.functions} functions, "
              f"{size / 2**20:,.0f} MiB of event files" + (f"; tracefold with {HANDLES} file handles" if name == "huge" else ""))
        print(f"{'':38}{'wall s':>9}{'CPU s':>9}{'M ev/CPU s':>12}{'x floor':>9}{'x 1 thread':>12}{'peak MiB':>10}")
        for row in rows:
            if row.name in notes:
                print(f"{row.name:38}  {notes[row.name]}")
                continue
            runs = found[row.name]
            cpu = median(runs, "cpu")
            to_floor = ratio(found, FLOOR, row.name, "cpu", row.events / events)
            speedup = ratio(found, row.base, row.name, "wall", quiet=True) if row.base else None
            print(f"{row.name:38}{median(runs, 'wall'):9.3f}{cpu:9.3f}{row.events / max(cpu, 1e-9) / 1e6:12.2f}{shown(to_floor):>9}{shown(speedup):>12}"
                  f"{median(runs, 'peak'):10.1f}" + (f"  {len(quiet_rounds(found, row.base, row.name))} quiet rounds" if row.base else ""), flush=True)
        self.judge(name, shape, found)
        if name != "huge":  # still needed for the cost of locations
            self.drop(anchor)

    def judge(self, name, shape, found):
        if name != "huge":
            self.target(f"{name}: group reads at least 5 times the events per CPU second of the floor",
                        ratio(found, FLOOR, "tracefold group, 1 thread", "cpu"), lambda v: v >= 5, "{:.2f} times")
            self.target(f"{name}: keep-everything write takes at most a fourth of the CPU time of libotf2's read + write",
                        ratio(found, COPY, "tracefold write, 1 thread", "cpu"), lambda v: v >= 4, "{:.2f} times as fast")
        if name != "single":
            self.target(f"{name}: group with 2 threads is at least 1.8 times as fast as with 1, where the machine is quiet",
                        ratio(found, "tracefold group, 1 thread", "tracefold group, 2 threads", "wall", quiet=True), lambda v: v >= 1.8, "{:.2f} times")
        self.target(f"{name}: verify takes at most 2.5 times the time of reduce (1 thread each)",
                    ratio(found, VERIFY, REDUCE, "wall"), lambda v: v <= 2.5, "{:.2f} times")
        if name == "wide":
            self.target("wide: reduce --exact takes at most 0.4 of the wall time of the floor (1 thread each)",
                        ratio(found, REDUCE, FLOOR, "wall"), lambda v: v <= 0.4, "{:.2f}")
        if name == "huge":
            for what in "by signature", "with messages":
                runs = found.get(f"tracefold group {what}, 2 threads")
                self.target(f"huge: group {what} takes at most 500 MiB with {HANDLES} file handles (2 threads)", median(runs, "peak"), lambda v: v <= 500, "{:.1f} MiB")
            runs = found.get("tracefold group, 2 threads")
            self.target(f"huge: group takes at most 10 s with {HANDLES} file handles (2 threads)", median(runs, "wall"), lambda v: v <= 10, "{:.2f} s")
            self.target(f"huge: group takes at most 500 MiB with {HANDLES} file handles (2 threads)", median(runs, "peak"), lambda v: v <= 500, "{:.1f} MiB")
        self.memory_target(name, shape.locations, found)

    def cost(self):
        """What a location costs, by how many there are; start-up does not count, because differences do."""
        shapes = [self.scaled(Shape(n, LEAST_EVENTS, 300)) for n in COST]
        anchors = [self.trace("huge" if n == COST[-1] else f"cost-{n}", shape) for n, shape in zip(COST, shapes)]
        rows = [Row(f"tracefold group, {s.locations:,} locations", anchor, [self.tracefold, "group", anchor, "--exact", "-q", "--threads", "1"], s.locations * s.events)
                for s, anchor in zip(shapes, anchors)]
        found, notes = self.measure("cost", rows)
        print(f"\ncost of locations of {LEAST_EVENTS} events: group --exact, 1 thread")
        print(f"{'':38}{'wall s':>9}{'CPU s':>9}{'us/location':>13}{'us/further location':>21}{'peak MiB':>10}{'KiB/location':>14}")
        further, before = [], None
        for row, shape in zip(rows, shapes):
            if row.name in notes:
                print(f"{row.name:38}  {notes[row.name]}")
                continue
            runs = found[row.name]
            wall, cpu, peak = (median(runs, field) for field in ("wall", "cpu", "peak"))
            if before and shape.locations > before[0]:
                further.append((cpu - before[1]) / (shape.locations - before[0]) * 1e6)
            before = shape.locations, cpu
            print(f"{row.name:38}{wall:9.3f}{cpu:9.3f}{cpu / shape.locations * 1e6:13.1f}{shown(further[-1] if further else None, 1):>21}"
                  f"{peak:10.1f}{peak * 1024 / shape.locations:14.1f}", flush=True)
            self.memory_target(f"{shape.locations:,} locations", shape.locations, {row.name: runs})
        growth = further[-1] / further[0] if len(further) == len(COST) - 1 and further[0] > 0 else None
        self.target(f"a further location costs at most 1.5 times as much up to {shapes[-1].locations:,} as up to {shapes[1].locations:,} (linear)",
                    growth, lambda v: v <= 1.5, "{:.2f} times")
        for anchor in anchors:
            self.drop(anchor)

    def loops(self):
        """What folding iterations costs beside folding processes only, on made programs with one loop."""
        print(f"\nfolding iterations: reduce, 1 thread, made loop programs of {LOOP_RANKS} processes")
        print(f"{'':38}{'wall s':>9}{'CPU s':>9}{'x --iterations off':>20}{'peak MiB':>10}")
        for name, iterations in LOOPS.items():
            iterations = max(10, round(iterations * self.scale))
            folder = os.path.join(self.folder, f"loops-{iterations}")
            if not os.path.exists(folder):
                subprocess.run([self.make_loops, folder + ".part", "--ranks", str(LOOP_RANKS), "--threads", "1", "--iterations", str(iterations)],
                               check=True, stdout=subprocess.DEVNULL)
                os.rename(folder + ".part", folder)
            anchor = os.path.join(folder, "traces.otf2")
            off, sums, every = (f"{iterations:,} iterations, {what}" for what in ("off", "--profiles off", "default"))
            reduce = [self.tracefold, "reduce", anchor, "-o", self.out, "--force", "-q", "--threads", "1"]
            rows = [Row(off, anchor, [*reduce, "--iterations", "off"], 0), Row(sums, anchor, [*reduce, "--profiles", "off"], 0), Row(every, anchor, reduce, 0)]
            found, notes = self.measure(name, rows)
            for row in rows:
                if row.name in notes:
                    print(f"{row.name:38}  {notes[row.name]}")
                    continue
                runs = found[row.name]
                print(f"{row.name:38}{median(runs, 'wall'):9.3f}{median(runs, 'cpu'):9.3f}{shown(ratio(found, row.name, off, 'cpu')):>20}{median(runs, 'peak'):10.1f}", flush=True)
            for row, most in ((sums, 1.6), (every, 2.5)):
                self.target(f"{row}: reduce takes at most {most} times the CPU time of reduce --iterations off", ratio(found, row, off, "cpu"),
                            lambda v, most=most: v <= most, "{:.2f} times")
            self.drop(anchor)

    def verdict(self):
        print("\ntargets" + ("" if self.scale == 1 else f" (meant for --scale 1, not for {self.scale:g})"))
        for words, said, met in self.targets:
            print(f"{'pass' if met else 'FAIL'}  {words}: {said}")
        if self.failed:
            return 3
        return 0 if self.scale != 1 or all(met for _, _, met in self.targets) else 1


def median(runs, field):
    return statistics.median(getattr(r, field) for r in runs) if runs else None


def ratio(found, one, other, field, share=1.0, quiet=False):
    """How many times as much `one` takes as `other`, in which `other` did only a share of the work; in all rounds, or those that were quiet."""
    rounds = quiet_rounds(found, one, other) if quiet else list(zip(found.get(one, []), found.get(other, [])))
    if len(rounds) < (QUIET_ROUNDS if quiet else 1):
        return None
    return statistics.median(share * getattr(a, field) / max(getattr(b, field), 1e-9) for a, b in rounds)


def quiet_rounds(found, one, other):
    return [(a, b) for a, b in zip(found.get(one, []), found.get(other, [])) if min(a.cores, b.cores) >= QUIET]


def shown(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def machine():
    model = "unknown processor"
    with open("/proc/cpuinfo") as info:
        model = next((line.split(":")[1].strip() for line in info if line.startswith("model name")), model)
    return f"{model}, {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f} at the start, Linux {platform.release()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1, metavar="F", help="of all event counts; 0.01 for a quick try (1)")
    parser.add_argument("--rounds", type=int, default=5, metavar="R", help="that count (5)")
    parser.add_argument("--work", metavar="DIR", help="where traces are made, kept and found again (a temporary folder in $TMPDIR)")
    parser.add_argument("--only", action="append", choices=[*TRACES, "cost", "loops"], help="one part; may be given more than once")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"), metavar="DIR", help="where tracefold is built (build/release)")
    args = parser.parse_args()
    if not 0 < args.scale <= 1 or args.rounds < 1:
        parser.error("--scale is above 0 and at most 1, --rounds at least 1")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parts = args.only or [*TRACES, "cost", "loops"]
    with tempfile.TemporaryDirectory(prefix="tracefold-bench-") as folder:
        if args.work:
            os.makedirs(args.work, exist_ok=True)
        bench = Bench(args, os.path.abspath(args.work) if args.work else folder)
        print(f"{machine()}\nmedians of {args.rounds} rounds; x floor: how many times the events per CPU second of '{FLOOR}'; x 1 thread: by wall time")
        for name, shape in TRACES.items():
            if name in parts:
                bench.compare(name, shape)
        if "cost" in parts:
            bench.cost()
        if "loops" in parts:
            bench.loops()
        return bench.verdict()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, subprocess.CalledProcessError) as problem:
        print(f"suite.py: {problem}", file=sys.stderr)
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(130)
