#!/usr/bin/env python3
"""The line that says on a terminal how far a command is.

usage: progress.py TRACEFOLD MAKE_TRACE

Commands run with a terminal of 60 or 200 columns as stderr. Whatever they read, and how often, there is
one line at a time, of at most 79 columns and narrower than the terminal; the share that is done only
grows, the time left only falls, and nothing of the line is left in the end. Without a terminal, and
with --quiet, there is none.
"""
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

LINE = re.compile(r"(\d+) %(?:, ([^:]+) left)?: ([a-z ]+)(?: \([a-z]+\))?, (\d+) of (\d+) locations")
SECONDS = {"s": 1, "min": 60, "h": 3600}
wrong = 0


def complain(words):
    global wrong
    wrong += 1
    print(f"FAIL: {words}", file=sys.stderr)


def run(command, folder, columns):
    """What a command writes on a terminal of so many columns that is its stderr."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    written = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the terminal's other end is closed
            break
        if not more:
            break
        written += more
    os.close(ours)
    if process.wait() not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}: status {process.returncode}: {written.decode()}")
    return written.decode()


def count_seconds(words):
    numbers = re.findall(r"(\d+) (s|min|h)\b", words)
    return sum(int(number) * SECONDS[unit] for number, unit in numbers)


def check(name, written, columns):
    """How many lines were drawn, and what was done in them."""
    *lines, after = written.split("\r\x1b[K")
    if "locations" in after:
        complain(f"{name}: a line is left: {after!r}")
    share, left, passes = 0, None, []
    lines = [line for line in lines if line]
    for line in lines:
        found = LINE.match(line)
        if len(line) > min(79, columns - 1):
            complain(f"{name}: {len(line)} columns: {line}")
        if not found:
            if columns >= 80:
                complain(f"{name}: not a line of progress: {line!r}")
            continue
        if int(found[1]) < share or int(found[1]) > 99:
            complain(f"{name}: {found[1]} % after {share} %")
        share = int(found[1])
        if found[2]:
            seconds = count_seconds(found[2])
            if left is not None and seconds > left:
                complain(f"{name}: {seconds} s left after {left} s")
            left = seconds
        passes += [found[3]] if found[3] not in passes else []
    return len(lines), share, left, passes


def main():
    tracefold, make_trace = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        # It takes a second to read.
        for name, iterations in (("app", "600"), ("job/app", "10")):
            subprocess.run([make_trace, name, "--ranks", "32", "--threads", "2", "--iterations", iterations],
                           cwd=folder, check=True)
        app = "app/traces.otf2"
        commands = {
            "reduce": ["reduce", app, "-o", "small"],
            "reduce of two": ["reduce", app, "small/traces.otf2", "-o", "two"],
            "summary": ["summary", app],
            "compare": ["compare", app, app],
            "iterations": ["iterations", app],
            "matrix": ["matrix", app, "--metric", "waiting"],
            "verify": ["verify", "small/traces.otf2", "--against", app],
            "verify alone": ["verify", "small/traces.otf2"],
        }
        for name, command in commands.items():
            for columns in (200, 60) if name == "reduce" else (200,):
                written = run([tracefold, *command, "--threads", "1"], folder, columns)
                if name == "reduce":
                    subprocess.run(["rm", "-rf", "wide"], cwd=folder, check=True)
                    os.rename(f"{folder}/small", f"{folder}/wide")
                lines, share, left, passes = check(f"{name}, {columns} columns", written, columns)
                print(f"{name:14} {columns:3} columns: {lines:3} lines, to {share:2} %, {left} s left in the end: {', '.join(passes)}")
                if lines == 0:
                    complain(f"{name}: no line was drawn")
            if name == "reduce":
                os.rename(f"{folder}/wide", f"{folder}/small")
        if not LINE.search(run([tracefold, "group", app], folder, 200)):
            complain("group: no line was drawn")
        if written := run([tracefold, "group", app, "--quiet"], folder, 200):
            complain(f"--quiet: {written!r}")
        if written := run([tracefold, "reduce", "--epilogue", "job"], folder, 200):
            complain(f"--epilogue: {written!r}")
        for command in (["group", app], ["reduce", app, "-o", "again"]):
            done = subprocess.run([tracefold, *command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
            if b"\r" in done.stderr or b"locations" in done.stderr:
                complain(f"no terminal: {done.stderr}")
    sys.exit(wrong > 0)


main()
