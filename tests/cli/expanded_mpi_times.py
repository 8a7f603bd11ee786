#!/usr/bin/env python3
"""Checks how long ranks of expanded traces are in MPI.

usage: expanded_mpi_times.py TRACEFOLD [--few | TRACE.otf2...]

Traces are as for whole_program.py. Each is reduced by default and expanded again; then each rank has to
be in MPI as long as in the original, to 5 % (compare_mpi_times.py), but for those that are listed with
more. Ends with 77 where there are no shared traces, or no otf2.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import otf2
except ImportError:
    otf2 = None

from shared_traces import visit_traces

FEW = ("npb_lu_W_16", "npb_is_S_4", "amg_8x2", "npb_ft_S_16", "npbph_bt_W_36")
MOST = 5  # percent
# What is known to be more, and at most how much: ranks that wait for each other too long cannot make up for it later.
KNOWN = {"btmz_W_4x4": 25, "lulesh_8x2": 8, "luleshph_8x4": 8, "npb_bt_W_64": 8, "npb_cg_S_16": 10,
         "npb_cg_S_4": 8, "npb_lu_W_64": 8}


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True)


def check(tracefold, name, original):
    with tempfile.TemporaryDirectory() as folder:
        small, full = pathlib.Path(folder) / "small", pathlib.Path(folder) / "full"
        done = run(tracefold, "reduce", original, "-q", "-o", small)
        if done.returncode == 0:
            done = run(tracefold, "expand", small / "traces.otf2", "-q", "-o", full)
        if done.returncode != 0:
            print(f"{name:20} {done.stderr.strip()[-120:]}")
            return "keeps messages that are not complete" not in done.stderr
        compare = pathlib.Path(__file__).parent / "compare_mpi_times.py"
        compared = run(sys.executable, compare, original, full / "traces.otf2", "--percent", KNOWN.get(name, MOST))
        print(f"{name:20} {compared.stdout.strip()}{compared.stderr.strip()[-200:]}", flush=True)
        return compared.returncode != 0


def main():
    if otf2 is None:
        print("python3 has no otf2")
        return 77
    wrong = []
    if not visit_traces(sys.argv[2:], FEW, lambda name, trace: wrong.append(check(sys.argv[1], name, trace))):
        return 77
    print(f"{sum(wrong)} of them differ by more")
    return any(wrong)


if __name__ == "__main__":
    sys.exit(main())
