#!/usr/bin/env python3
"""Writes pages of traces with one planted cause each, and of made traces: make_pages.py TRACEFOLD MAKE_TRACE FOLDER

FOLDER/causes/NAME.html is of every second cause of tests/cli/planted_causes.py, with $TRACEFOLD_ALL_WAYS of every one, and NAME.json beside it what `summary` finds;
FOLDER/NAME.html is of a trace of make_trace, of what `reduce` makes of it, and beside another run; where the shared
traces are, of real ones: that of the README's picture, with many functions, with streams of an accelerator, and with long ids in place of ranks.
"""

import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cli"))
import planted_causes  # noqa: E402


REAL = {
    "readme": "traces/lulesh_27x1.tar.zst",
    "functions": "traces/lulesh_8x2.tar.zst",
    "streams": "traces-public/scorep90-mi300-metrics-32.tar.zst",
    "ids": "traces-public/scorep40-ompt-nested-10.tar.zst",
}


def main():
    tracefold, make_trace, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

    def run(*command):
        subprocess.run([str(part) for part in command], check=True)

    def write_page(name, *traces):
        run(tracefold, "report", *traces, "-o", folder / f"{name}.html", "--force", "-q")

    def write_summary(name, trace):
        summary = subprocess.run([tracefold, "summary", trace, "--json"], capture_output=True, check=True)
        (folder / f"{name}.json").write_text(json.dumps(json.loads(summary.stdout)["runs"][0]))

    (folder / "causes").mkdir(parents=True)
    (folder / "traces").mkdir()
    for cause in planted_causes.CAUSES[::1 if os.environ.get("TRACEFOLD_ALL_WAYS") else 2]:
        trace = folder / "traces" / cause.__name__
        cause(str(trace))
        write_page(f"causes/{cause.__name__}", trace / "traces.otf2")
        write_summary(f"causes/{cause.__name__}", trace / "traces.otf2")

    shapes = {"many": (256, 1, 60), "threads": (8, 4, 20), "few": (4, 1, 10)}
    for name, (ranks, threads, iterations) in shapes.items():
        trace = folder / "traces" / name
        run(make_trace, trace, "--ranks", ranks, "--threads", threads, "--iterations", iterations)
        write_page(name, trace / "traces.otf2")
        write_summary(name, trace / "traces.otf2")
    run(tracefold, "reduce", folder / "traces/many/traces.otf2", "-o", folder / "traces/small", "-q")
    write_page("small", folder / "traces/small/traces.otf2")
    shared = pathlib.Path(os.environ.get("TRACEFOLD_SHARED", pathlib.Path(__file__).parents[3] / "shared"))
    for name, pack in REAL.items():
        if not (shared / pack).exists():
            continue
        trace = folder / "traces" / name
        trace.mkdir()
        run("tar", "--zstd", "-xf", shared / pack, "-C", trace)
        write_page(name, next(trace.glob("**/traces.otf2")))
    write_page("against", folder / "traces/many/traces.otf2", "--against", folder / "traces/threads/traces.otf2")


main()
