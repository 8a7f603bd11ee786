#!/usr/bin/env python3
"""Teams whose members are threads reduce real traces as one process does, byte for byte.

usage: reduce_in_team.py REDUCE_IN_TEAM [--few | ANCHOR...]   (77: traces are missing)

Without a trace it takes all shared ones, with --few some of them, of different kinds.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cli"))
from shared_traces import visit_traces

FEW = ("npb_lu_W_16", "hpccg_16", "lulesh_8x2", "npb_is_S_4", "miniamr_8")
SIZES = ("2", "3", "5")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    failed = []

    def visit(name, anchor):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([program, anchor, folder, *SIZES], capture_output=True, text=True)
        print(f"{name}: {'ok' if done.returncode == 0 else done.stdout + done.stderr}", flush=True)
        if done.returncode != 0:
            failed.append(name)

    if not visit_traces(sys.argv[2:], FEW, visit):
        sys.exit(77)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
