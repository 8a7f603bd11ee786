#!/usr/bin/env python3
"""Runs tracefold on damaged and hostile archives and tells which it does not survive.

    damage.py PROGRAM BASES COUNT [FIRST_SEED] [--workers N] [--seconds S]
    damage.py PROGRAM BASES --make SEED FOLDER

BASES is a folder of whole archives, one in each folder of it. Archive number N
is made from seed N. The program survives it where it ends within 10 s (or S)
of processor time and 1 GiB, with status 0 and an output that otf2-print reads
without a warning, or with one line that says what is wrong and no output.
"""
import argparse
import collections
import multiprocessing
import os
import random
import re
import shutil
import signal
import sys
import tempfile

import crafted
import small_damage
from archive import Archive

PATIENCE, KIBIBYTES = 120, 1 << 20
COMMANDS = [["reduce"]] * 12 + [["reduce", "--partial"]] * 2 + [["reduce", "--iterations", "off"]] * 2 + [["reduce", "--iterations", "3"]] * 3 + [["reduce", "--verify"], ["reduce", "--exact"], ["reduce", "--reader", "otf2"], ["info"], ["info", "--partial"], ["group"], ["group", "--partial"],
                                ["profile"], ["profile", "--call-paths"], ["iterations"], ["similarity"], ["pairs"], ["filter"], ["verify"]]
KINDS = list(dict.fromkeys(small_damage.ALL + crafted.ALL))  # the first archives are of one each


def make(bases, seed):
    """The archive of a seed, the command for it, and how it was made."""
    dice = random.Random(seed)
    made, real = ([n for n in sorted(bases) if n.startswith("made") == wanted] for wanted in (True, False))
    base = dice.choice(made), dice.choice(real or made)
    base = base[dice.random() < 0.4]
    archive = Archive(bases[base].files)
    if seed <= len(KINDS):
        damage = [KINDS[seed - 1]]
    elif dice.random() < 0.06:
        damage = [dice.choice(crafted.ALL)]
    else:
        damage = [dice.choice(small_damage.ALL) for _ in range(dice.choice([1, 1, 1, 2, 3]))]
    command = dice.choice(COMMANDS) + ["--threads", dice.choice("12")]
    done = []
    for change in damage:
        try:
            change(dice, archive)
            done.append(change.__name__)
        except (IndexError, ValueError, KeyError, TypeError):  # what came before left nothing to take apart
            pass
    return archive, command, f"{base}: {', '.join(done) or 'nothing'}"


class Run:
    """One run of a program: its status or what killed it, what it said, and what it cost."""

    def __init__(self, words, folder):
        out, err = os.path.join(folder, "stdout"), os.path.join(folder, "stderr")
        actions = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                   (os.POSIX_SPAWN_OPEN, 2, err, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
        pid = os.posix_spawnp(words[0], words, {**os.environ, "LC_ALL": "C.UTF-8"}, file_actions=actions)
        self.late = False

        def stop(*_):
            self.late = True
            os.kill(pid, signal.SIGKILL)
        signal.signal(signal.SIGALRM, stop)
        signal.alarm(PATIENCE)
        _, status, used = os.wait4(pid, 0)
        signal.alarm(0)
        self.status = os.waitstatus_to_exitcode(status)
        self.seconds, self.kibibytes = used.ru_utime + used.ru_stime, used.ru_maxrss
        with open(out, "rb") as file:
            self.out = file.read()
        with open(err, "rb") as file:
            self.err = file.read().decode("utf-8", "replace")


def cost(run):
    if run.late:
        return f"did not end in {PATIENCE} s"
    if run.status < 0:
        return f"signal {-run.status}"
    if run.seconds > options.seconds:
        return f"took {run.seconds:.1f} s"
    if run.kibibytes > KIBIBYTES:
        return f"took {run.kibibytes >> 10} MiB"
    return None


def refusal(run, command, left):
    lines = run.err.splitlines()
    wrong = [line for line in lines if not line.startswith("tracefold: ")]
    if run.status not in ((0, 1, 3) if command == "verify" else (0, 2, 3)):
        return f"status {run.status}: {run.err[:300]}"
    if run.status > 1 and (len(lines) != 1 or wrong or run.out):
        return f"status {run.status} and not one line: {run.err[:300]!r} {run.out[:100]!r}"
    if run.status == 3 and not re.match(r"tracefold: .*: .* \(.*\)$", lines[0]):
        return f"names no file or no way out: {lines[0]}"
    if run.status and left:
        return f"status {run.status} and left {left}"
    if "OTF2" in "".join(wrong):
        return f"libotf2 prints: {run.err[:300]}"
    return None


def try_seed(seed):
    """What is wrong, or None; the status; how the archive was made."""
    with tempfile.TemporaryDirectory(dir=options.folder, prefix=f"{seed}-") as folder:
        archive, command, how = make(bases, seed)
        archive.write(os.path.join(folder, "app"))
        anchor, out = os.path.join(folder, "app/traces.otf2"), os.path.join(folder, "out")
        if command[0] == "verify":
            words = ["verify", anchor, "--against", anchor, *command[1:]]
        else:
            words = [command[0], anchor, *command[1:]] + (["-o", out] if command[0] == "reduce" else [])
        run = Run([options.program, *words], folder)
        left = sorted(set(os.listdir(folder)) - {"app", "stdout", "stderr"})
        wrong = cost(run) or refusal(run, command[0], left)
        if not wrong and run.status == 0 and command[0] == "reduce":
            read = Run(["otf2-print", "-Werror", "--silent", os.path.join(out, "traces.otf2")], folder)
            slow = read.late and ("many_definitions" in how or "backward_chain" in how)  # it looks at each with all others, or all its parents
            if (read.late or read.status) and not slow:
                wrong = f"otf2-print: {read.status} {(read.err or read.out.decode('utf-8', 'replace'))[:300]}"
            elif seed % 4 == 0 and "--partial" not in command:
                checked = Run([options.program, "verify", os.path.join(out, "traces.otf2"), "--against", anchor], folder)
                if cost(checked) or checked.status:
                    wrong = f"verify: {cost(checked) or checked.status} {checked.err[:200]} {checked.out.decode('utf-8', 'replace')[-600:]}"
        return seed, wrong, run.status, f"{how}; {' '.join(command)}", run.seconds


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("bases")
    parser.add_argument("count", type=int, nargs="?", default=150)
    parser.add_argument("first", type=int, nargs="?", default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--make", nargs=2, metavar=("SEED", "FOLDER"))
    return parser.parse_args()


def main():
    if options.make:
        archive, command, how = make(bases, int(options.make[0]))
        archive.write(options.make[1])
        print(how, "|", *command)
        return 0
    statuses, failed, slowest = collections.Counter(), 0, (0, 0)
    with multiprocessing.Pool(options.workers) as pool:
        for seed, wrong, status, how, seconds in pool.imap_unordered(try_seed, range(options.first, options.first + options.count), chunksize=4):
            statuses[status] += 1
            if statuses.total() % 1000 == 0:
                print(f"{statuses.total()} archives, {failed} failed", flush=True)
            slowest = max(slowest, (seconds, seed))
            if wrong:
                failed += 1
                print(f"FAIL seed {seed} ({how}): {wrong}", flush=True)
    told = ", ".join(f"status {s}: {n}" for s, n in sorted(statuses.items()))
    print(f"{options.count} archives from seed {options.first}: {failed} failed ({told}; slowest {slowest[0]:.1f} s, seed {slowest[1]})")
    return 1 if failed else 0


if __name__ == "__main__":
    options = parse()
    bases = {name: Archive.load(os.path.join(options.bases, name)) for name in sorted(os.listdir(options.bases))}
    options.folder = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None, prefix="tracefold-damage-")
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(options.folder)
