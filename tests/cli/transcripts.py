#!/usr/bin/env python3
r"""Runs commands of transcripts and compares what they print with what stands there.

usage: transcripts.py TRACEFOLD MAKE_TRACE [TRANSCRIPT...]

A transcript is a text file with one theme. Each of its cases runs in a folder of its
own, with a trace in app/:

  # Words on the case that follows (any number of lines, or none).
  $ a line of a bash script; several such lines are one script
  | a line that it prints on stdout
  ! a line that it prints on stderr
  [2]

The last line is the exit status; without it the status is 0. \r stands for the carriage
return that ends lines of CSV. Everything is compared:
a case without lines that begin with | must print nothing on stdout. `tracefold` is the
program that is tested, also as "$TRACEFOLD"; stdin is empty. What differs from run to
run (seconds, folders, hashes) is replaced by fixed words before it is compared.

With UPDATE=1 the transcripts are written anew: read the difference before you commit it.
"""

import dataclasses
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


@dataclasses.dataclass
class Case:
    comment: list  # lines before it, with blank ones
    script: list
    stdout: list = dataclasses.field(default_factory=list)
    stderr: list = dataclasses.field(default_factory=list)
    status: int = 0

    def lines(self):
        def marked(mark, lines):
            return [f"{mark} {line}" if line else mark for line in lines]

        status = [f"[{self.status}]"] if self.status else []
        return (self.comment + marked("$", self.script) + marked("|", self.stdout)
                + marked("!", self.stderr) + status)


def read_transcript(path):
    """The cases, and the comment lines behind the last one."""
    cases, comment, in_script = [], [], False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        mark, text = line[:1], line[2:]
        if mark == "$":
            if not in_script:
                cases.append(Case(comment, []))
                comment = []
            cases[-1].script.append(text)
        elif mark in ("|", "!") and cases and not comment:
            (cases[-1].stdout if mark == "|" else cases[-1].stderr).append(text)
        elif re.fullmatch(r"\[\d+\]", line) and cases and not comment:
            cases[-1].status = int(line[1:-1])
        elif mark in ("", "#"):
            comment.append(line)
        else:
            sys.exit(f"{path}:{number}: not a line of a transcript: {line}")
        in_script = mark == "$"
    return cases, comment


def make_steady(text, folder):
    """Lines, without what differs from run to run."""
    text = text.replace(f"{folder}/", "FOLDER/").replace("\r", "\\r")
    for pattern, fixed in ((r"[0-9.]+ s$", "N s"),
                           (r"changed at [0-9]+ ns", "changed at N ns"),
                           (r"sha256 [0-9a-f]+", "sha256 X"),
                           (r'"sha256":"[0-9a-f]+"', '"sha256":"X"'),
                           (r"[0-9]+ bytes", "N bytes")):
        text = re.sub(pattern, fixed, text, flags=re.MULTILINE)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines[-1] += "(no end of line)"
    return lines


def run(case, work):
    """A case with what it really prints."""
    folder = work / "case"
    shutil.copytree(work / "example", folder / "app")
    try:
        done = subprocess.run(["bash", "-c", "\n".join(case.script)], cwd=folder,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    finally:
        shutil.rmtree(folder)
    stdout, stderr = (make_steady(text.decode("utf-8", "backslashreplace"), folder)
                      for text in (done.stdout, done.stderr))
    return Case(case.comment, case.script, stdout, stderr, done.returncode)


def can_make_terminals():
    return subprocess.run(["script", "-qec", "true", "/dev/null"], stdin=subprocess.DEVNULL,
                          capture_output=True).returncode == 0


def test_transcript(path, work):
    """How many checks were made, and how many of them failed."""
    cases, rest = read_transcript(path)
    terminals = can_make_terminals()
    checks = failures = 0
    found = []
    for case in cases:
        if not terminals and any(line.startswith("script ") for line in case.script):
            print(f"SKIPPED: {path.name}: no terminal can be made here: {case.script[-1]}")
            found.append(case)
            continue
        got = run(case, work)
        found.append(got)
        for name in ("stdout", "stderr", "status"):
            checks += 1
            failures += getattr(case, name) != getattr(got, name)
        if got != case and not os.environ.get("UPDATE"):
            sys.stderr.write("\n".join(difflib.unified_diff(
                case.lines(), got.lines(), path.name, "found", lineterm="", n=50)) + "\n")
    if os.environ.get("UPDATE"):
        lines = [line for case in found for line in case.lines()] + rest
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        failures = 0
    return checks, failures


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tracefold, make_trace = (os.path.realpath(path) for path in sys.argv[1:3])
    here = pathlib.Path(__file__).resolve().parent / "transcripts"
    paths = [pathlib.Path(name) for name in sys.argv[3:]] or sorted(here.glob("*.txt"))

    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work).resolve()
        (work / "bin").mkdir()
        (work / "bin" / "tracefold").symlink_to(tracefold)
        os.environ.update(LC_ALL="C.UTF-8", TRACEFOLD=tracefold,
                          PATH=f"{work / 'bin'}:{os.environ['PATH']}")
        os.environ["NO_COLOR"] = "1"  # styles would be unreadable here
        subprocess.run([make_trace, work / "example", "--ranks", "8", "--threads", "2"],
                       check=True, stdout=subprocess.DEVNULL)
        checks = failures = 0
        for path in paths:
            more_checks, more_failures = test_transcript(path, work)
            checks += more_checks
            failures += more_failures
    print(f"{checks} checks, {failures} failed")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
