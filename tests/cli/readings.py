#!/usr/bin/env python3
"""How often commands read a trace: the bytes that they read, over those of its event files.

usage: readings.py TRACEFOLD MAKE_TRACE | TRACEFOLD TRACE.otf2...

With traces: of these, without a bound.

Bytes are those that the process itself has read (rchar of /proc/PID/io), so that neither the
machine's load nor its file cache matter. Traces are one that MAKE_TRACE makes, and of the shared
ones, of $TRACEFOLD_SHARED/traces, by default beside the project, those in which processes of a kind
have the same loops. Without shared traces only the made one is looked at.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKS = pathlib.Path(os.environ.get("TRACEFOLD_SHARED", ROOT.parent / "shared")) / "traces"
# At most so often are the event files read by reduce without a halo, by reduce, and by iterations: all twice, and what stays
# twice more. Partners that stay as halo are read to be chosen, and to be written.
MOST = {"made": (2.3, 2.5, 2.2), "hpccg_64": (2.3, 2.5, 2.2), "npb_lu_W_64": (2.5, 3.0, 2.2)}


def count_bytes(command):
    """The bytes that a command reads, once it has ended well."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    counts = dict(line.split(": ") for line in pathlib.Path(f"/proc/{process.pid}/io").read_text().splitlines())
    if process.wait() != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {process.returncode}")
    return int(counts["rchar"])


def check(tracefold, name, trace, folder, most):
    events = sum(file.stat().st_size for file in (trace.parent / "traces").glob("*.evt"))
    commands = {
        "reduce --halo off": ["reduce", trace, "-o", folder / "off", "--halo", "off"],
        "reduce": ["reduce", trace, "-o", folder / "small"],
        "iterations": ["iterations", trace],
    }
    is_good = True
    for k, (words, command) in enumerate(commands.items()):
        times = count_bytes([tracefold, *command]) / events
        bound = f", at most {most[k]}" if most else ""
        is_one_good = not most or times <= most[k]
        print(f"{name:12} {words:18} {times:.2f} times{bound}", "" if is_one_good else "TOO OFTEN")
        is_good &= is_one_good
    return is_good


def main():
    if sys.argv[2].endswith(".otf2"):
        for trace in map(pathlib.Path, sys.argv[2:]):
            with tempfile.TemporaryDirectory() as name:
                check(sys.argv[1], trace.parent.name, trace, pathlib.Path(name), None)
        return 0
    tracefold, make_trace = sys.argv[1:]
    are_good = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([make_trace, folder / "made", "--ranks", "64", "--threads", "1", "--iterations", "100"], check=True)
        are_good.append(check(tracefold, "made", folder / "made" / "traces.otf2", folder, MOST["made"]))
    for pack in (PACKS / f"{name}.tar.zst" for name in MOST):
        if not pack.exists():
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run(["tar", "--zstd", "-xf", pack, "-C", folder], check=True)
            trace = next(folder.rglob("*.otf2"))
            name = pack.name.split(".")[0]
            are_good.append(check(tracefold, name, trace, folder, MOST[name]))
    return not all(are_good)


if __name__ == "__main__":
    sys.exit(main())
