#!/usr/bin/env python3
"""Compares how `reduce` ends on a terminal of 80 columns with what stands in endings.txt.

usage: endings.py TRACEFOLD MAKE_TRACE   (77: traces are missing)

Traces are the made one of examples/demo.sh, and shared ones: with MPI, with a loop of many iterations, and without MPI. Bold and
coloured words stand there as `<bold>`, `<red>` and so on; where the output is no terminal, nothing may be bold or coloured. Sizes and
times are not compared. With UPDATE=1 endings.txt is written anew.
"""
import difflib
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

from shared_traces import PACKS, PUBLIC_PACKS

EXPECTED = pathlib.Path(__file__).with_name("endings.txt")
SHARED = (PACKS / "npb_lu_W_64", PACKS / "hpccg_64", PUBLIC_PACKS / "apex12-fibonacci-3")
LINES, COLUMNS = 16, 80
STYLES = {"0": "<plain>", "1": "<bold>", "31": "<red>", "32": "<green>", "33": "<yellow>"}


def clean(text):
    text = re.sub(r"\x1b\[(\d*)m", lambda style: STYLES.get(style[1] or "0", style[0]), text.replace("\r\n", "\n"))
    return re.sub(r"\d\S* [KMG]?i?B → \d\S* [KMG]?i?B \(.*\),\s+\S+ s$", "SIZES and TIME", text, flags=re.MULTILINE)


def run_on_terminal(command, environment):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL, env=environment) as process:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 65536):
                text += part
        except OSError:  # what Linux says where the other end is closed
            pass
    os.close(ours)
    assert process.returncode == 0, command
    return text.decode()


def find_ending(tracefold, trace, folder, complain):
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    environment["TERM"] = "xterm"
    command = [tracefold, "reduce", trace, "-o", "small", "--force"]
    os.chdir(folder)
    shown = run_on_terminal(command, environment)
    piped = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, env=environment)
    if "\x1b" in piped.stdout + piped.stderr:
        complain("bold or colours where the output is no terminal")
    lines = re.sub(r"\x1b\[\d*m", "", shown).splitlines()
    if len(lines) > LINES or max(map(len, lines)) > COLUMNS:
        complain(f"{len(lines)} lines of at most {max(map(len, lines))} columns")
    return clean(shown)


def main():
    tracefold, make_trace = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:])
    if not all(pack.with_suffix(".tar.zst").exists() for pack in SHARED):
        print(f"no shared traces at {PACKS.parent}")
        return 77

    endings, wrong = [], []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([make_trace, f"{folder}/demo", "--ranks", "32", "--threads", "4"], stdout=subprocess.DEVNULL, check=True)
        for pack in SHARED:
            pathlib.Path(folder, pack.name).mkdir()
            subprocess.run(["tar", "--zstd", "-xf", pack.with_suffix(".tar.zst"), "-C", pathlib.Path(folder, pack.name)], check=True)
        for name in ("demo", *(pack.name for pack in SHARED)):
            trace = next(pathlib.Path(folder, name).rglob("*.otf2"))
            text = find_ending(tracefold, trace, folder, lambda words, name=name: wrong.append(f"{name}: {words}"))
            endings.append(f"# {name}\n{text}")
        os.chdir("/")
    found = "\n".join(endings)
    if os.environ.get("UPDATE"):
        EXPECTED.write_text(found, encoding="utf-8")
    difference = list(difflib.unified_diff(EXPECTED.read_text(encoding="utf-8").splitlines(), found.splitlines(), "endings.txt", "found", lineterm=""))
    print("\n".join([*difference, *wrong]))
    print(f"{len(endings)} endings, {'as they should be' if not difference and not wrong else 'something is wrong'}")
    return bool(difference or wrong)


if __name__ == "__main__":
    sys.exit(main())
