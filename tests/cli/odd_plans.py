"""Changes values of a plan at random and gives it to commands: each is done or
refuses in one line, and what `write` makes of it is clean.
usage: odd_plans.py TRACEFOLD PLAN.json RUNS SEED"""
import copy
import json
import os
import random
import shutil
import subprocess
import sys

COMMANDS = [["write", "-o", "out"], ["write", "-o", "out"], ["select"], ["iterations"], ["similarity", "--pairs"], ["group", "--why"], ["profile"], ["lattice", "-o", "-"], ["similarity"]]


def places(value, found):
    """All containers with a key of each."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        found.append((value, key))
        if isinstance(value[key], (dict, list)):
            places(value[key], found)
    return found


def odd(dice, at):
    values = [None, True, -1, 0.5, 1e300, 2**64 - 1, 2**32, dice.randrange(8), str(dice.randrange(8)), f"0-{dice.randrange(8)}", "", "\0*\x1b[\u0085", [], {}]
    container, key = dice.choice(at)
    return dice.choice(values + [copy.deepcopy(container[key])] * 6)


def changed(plan, dice):
    plan = copy.deepcopy(plan)
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        at = [(c, k) for c, k in places(plan, []) if c is not plan["trace"]]  # a plan of another trace is refused at once
        container, key = dice.choice(at)
        what = dice.randrange(4)
        if what == 0:
            del container[key]
        elif what == 1 and isinstance(container, list):
            container.append(odd(dice, at))
        elif isinstance(container[key], int) and not isinstance(container[key], bool) and what == 2:
            container[key] = max(0, container[key] + dice.choice([-1, 1]))
        else:
            container[key] = odd(dice, at)
    return plan


def complaint(tracefold, command, text):
    """What is wrong with how a command takes a plan, or None."""
    shutil.rmtree("out", ignore_errors=True)
    ran = subprocess.run([tracefold, *command, "--threads", "2"], input=text.encode(), capture_output=True)
    lines = [line for line in ran.stderr.decode(errors="replace").splitlines() if line.startswith("tracefold: ") and "warning" not in line]
    if ran.returncode not in (0, 1, 2, 3):
        return f"status {ran.returncode}: {ran.stderr[:300]}"
    if ran.returncode and len(lines) != 1:
        return f"not one line: {ran.stderr[:300]}"
    if ran.returncode and os.path.exists("out"):
        return "a refused plan made an output"
    if not ran.returncode and command[0] == "write":
        judged = subprocess.run(["otf2-print", "-Werror", "--silent", "out/traces.otf2"], capture_output=True)
        if judged.returncode:
            return f"the output is not clean: {judged.stderr[:300]}"
    return None


def main(tracefold, plan, runs, seed):
    dice = random.Random(int(seed))
    plan = json.load(open(plan))
    done = failures = 0
    for number in range(int(runs)):
        text = json.dumps(changed(plan, dice))
        command = dice.choice(COMMANDS)
        wrong = complaint(tracefold, command, text)
        if wrong:
            failures += 1
            print(f"FAIL: plan {number} of seed {seed}, {command[0]}: {wrong}")
            open(f"odd-{number}.json", "w").write(text)
        done += 1
    print(f"{done} odd plans, {failures} failed")
    return failures > 0


sys.exit(main(*sys.argv[1:]))
