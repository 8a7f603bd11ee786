#!/usr/bin/env python3
"""Runs each example of docs/jq.md, and compares what it prints with what stands there.

usage: jq_page.py TRACEFOLD

An example is a block of code that begins with ```sh, and what it prints the block that begins with ```text behind it; a block
without one makes files and prints nothing. All run one after the other in one folder that has the shared trace of LU on 16 ranks as
lu/ and the functions for jq in examples/jq/. With UPDATE=1 the page is written anew: read the difference before you commit it.
Needs jq and the shared traces; ends with 77 without them.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from shared_traces import PACKS, ROOT

PAGE = ROOT / "docs" / "jq.md"
PACK = PACKS / "npb_lu_W_16.tar.zst"
EXAMPLE = re.compile(r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
FEWEST = 8


def run(script, folder, tracefold):
    """What a script prints on stdout; a last line tells a status that is not 0, and what stderr says then."""
    path = f"{pathlib.Path(tracefold).resolve().parent}:{os.environ['PATH']}"
    ran = subprocess.run(["bash", "-c", "set -o pipefail\n" + script], cwd=folder, capture_output=True, text=True,
                         env={**os.environ, "PATH": path})
    return ran.stdout + (f"[{ran.returncode}] {ran.stderr}" if ran.returncode else "")


def main():
    tracefold = sys.argv[1]
    if not shutil.which("jq") or not PACK.exists():
        print("SKIPPED: jq is not installed" if PACK.exists() else f"SKIPPED: no shared trace at {PACK}")
        return 77

    page = PAGE.read_text()
    failures = examples = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["tar", "--zstd", "-xf", PACK, "-C", folder], check=True)
        next(folder.rglob("traces.otf2")).parent.rename(folder / "lu")
        (folder / "examples").symlink_to(ROOT / "examples")

        def check(example):
            nonlocal failures, examples
            script, wanted = example.groups()
            printed = run(script, folder, tracefold)
            examples += wanted is not None
            if printed != (wanted or ""):
                failures += 1
                print(f"FAIL: {script}prints\n{printed}instead of\n{wanted or ''}")
            return f"```sh\n{script}```\n" + (f"\n```text\n{printed}```\n" if wanted is not None else "")

        anew = EXAMPLE.sub(check, page)

    if os.environ.get("UPDATE"):
        PAGE.write_text(anew)
    if examples < FEWEST:
        failures += 1
        print(f"FAIL: only {examples} examples were found")
    print(f"{examples} examples, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
