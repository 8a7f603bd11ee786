#!/usr/bin/env python3
"""How fast a trace is exported as tables, beside other converters.

usage: export_bench.py TRACEFOLD MAKE_BENCH_TRACE [--locations N] [--events N] [--threads N] [--runs N]
                       [--beside NAME=COMMAND…]

In a COMMAND, {trace} is the anchor and {out} an empty folder. All are run in turn, and the table has the median of each: wall
time, CPU time, largest memory and what is written. Syncs to the device count, as for all who write; converters do not sync.
By python3-otf2: --beside 'python3-otf2=/usr/bin/python3 tests/bench/export_by_python.py {trace} {out}', with few events.

Where tests/parquet/node_modules is installed (tests/install_packages.sh), the last line compares the bytes of calls without
their paths with those of begin, end, duration, exclusive and ids that are written plainly, each column by zstd 1.
"""
import argparse
import array
import csv
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time

import zstandard


def measure(command, out, needs_folder):
    shutil.rmtree(out, ignore_errors=True)
    if needs_folder:
        out.mkdir()
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.monotonic() - begin
    if status:
        raise SystemExit(f"{shlex.join(command)}: status {status}")
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, size / 1e6


LIST_COLUMNS = """
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(process.argv[1]));
let bytes = 0;
for (const { columns } of row_groups)
  for (const { meta_data: column } of columns)
    if (column.path_in_schema[0] !== "call_path") bytes += Number(column.total_compressed_size);
console.log(bytes);
"""


def compare_bytes(tracefold, trace, work):
    """Bytes of calls without paths; those of the same columns, plainly. None without hyparquet."""
    readers = pathlib.Path(__file__).parents[1] / "parquet"
    if not (readers / "node_modules/hyparquet").exists():
        return None
    for format in ("parquet", "csv"):
        subprocess.run([tracefold, "export", trace, "-o", work / format, "-q", "--tables", "calls", "--format", format],
                       check=True, stdout=subprocess.DEVNULL)
    ours = subprocess.run(["node", "--input-type=module", "-e", LIST_COLUMNS, str(work / "parquet/calls.parquet")],
                          cwd=readers, check=True, capture_output=True, text=True).stdout
    columns = {name: array.array("q" if name.endswith("ns") else "I")
               for name in ("begin_ns", "end_ns", "duration_ns", "exclusive_ns", "process", "rank", "thread", "depth", "function")}
    ids = {}
    with open(work / "csv/calls.csv", newline="") as rows:
        for row in csv.DictReader(rows):
            row["begin_ns"] = int(row["end_ns"]) - int(row["duration_ns"])
            row["function"] = ids.setdefault(row["function"], len(ids))
            for name, values in columns.items():
                values.append(int(row[name] or 0))
    return int(ours), sum(len(zstandard.compress(values.tobytes(), 1)) for values in columns.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tracefold")
    parser.add_argument("make_bench_trace")
    parser.add_argument("--locations", type=int, default=64)
    parser.add_argument("--events", type=int, default=250_000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--beside", action="append", default=[], metavar="NAME=COMMAND")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as work:
        app, out = pathlib.Path(work) / "app", pathlib.Path(work) / "out"
        subprocess.run([options.make_bench_trace, app, "--locations", str(options.locations), "--events", str(options.events),
                        "--functions", "100"], check=True, stdout=subprocess.DEVNULL)
        trace = str(app / "traces.otf2")
        commands = {f"{format}, {threads} threads": [options.tracefold, "export", trace, "-o", str(out), "-q", "--tables", "calls",
                                                     "--format", format, "--threads", str(threads)]
                    for format in ("parquet", "csv") for threads in sorted({1, options.threads})}
        for one in options.beside:
            name, command = one.split("=", 1)
            commands[name] = shlex.split(command.format(trace=trace, out=out))

        found = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                found[name].append(measure(command, out, needs_folder=command[0] != options.tracefold))
        print(f"calls of {options.locations} × {options.events} events")
        print(f"{'':24}{'wall s':>9}{'CPU s':>9}{'MiB':>9}{'MB written':>12}")
        for name, runs in found.items():
            wall, cpu, memory, size = (statistics.median(values) for values in zip(*runs))
            print(f"{name:24}{wall:9.2f}{cpu:9.2f}{memory:9.0f}{size:12.1f}")
        if found := compare_bytes(options.tracefold, trace, pathlib.Path(work)):
            print(f"bytes of calls without their paths: {found[0]}, {found[0] / found[1]:.2f} of {found[1]} that are written plainly")


if __name__ == "__main__":
    main()
