#!/usr/bin/env python3
"""Checks what `tracefold summary` tells of programs with planted causes of many kinds, and of programs without any.

usage: planted_kinds.py TRACEFOLD [KIND…]

Of each program two runs are simulated, with the cause and without it. The headline, and the gain it is of, have to
name the cause: what kind of change, in which function, of which ranks, in which iterations; what is gained is the
difference of both runs, to 15 %. Of balanced and noisy programs nobody and nothing may be named. All of this of the
trace and of a reduced one. Shares no code with tracefold.

Programs of which something else is told stand in KNOWN_WRONG; one that is right is to be taken from there.
"""

import re
import sys

# Each makes its programs known.
import kinds_of_computation  # noqa: F401
import kinds_of_threads  # noqa: F401
import kinds_of_waiting  # noqa: F401
import kinds_without_cause  # noqa: F401
from planted_checks import check_causes, is_gain, reduce, summarize
from planted_kind import KINDS

BOUND = 0.15

# What is told of these is wrong, and how. They are run: one that is right is to be taken from here.
KNOWN_WRONG = {
    "no_communication": "no amount",
}

# The loss of the finding.
NOT_PLAYED = {"openmp": "openmp", "accelerator": "accelerator", "thread": "load_balance", "less": "load_balance"}


def check_told(kind, run, gained, also_gained):
    """What is wrong in a summary, where the cause gains so many seconds."""
    finding, gains, text = run["finding"], run["gains"], "\n".join(run["headline"])
    faults = [f"does not say '{words}'" for words in kind.says if not re.search(words, text)]
    if kind.kind in ("even", "noise"):
        faults += check_nothing_invented(kind, run, gained)
        return faults
    if kind.kind in NOT_PLAYED:
        if finding["loss"] != NOT_PLAYED[kind.kind]:
            faults.append(f"the loss is {finding['loss']}")
    else:
        right = [gain for gain in gains if is_gain(gain, kind.gain, gained, BOUND) and gain["iterations"] == kind.when]
        if not right:
            faults.append(f"no gain is {kind.gain} in '{kind.when}' of {gained:.4f} s")
    costs = finding.get("cost_s")
    if kind.kind == "accelerator":  # a share of the time, and no more
        costs = finding["share"] * run["runtime_s"]
    if costs is None:
        faults.append("no amount is told")
    elif abs(costs - gained) > BOUND * gained:
        faults.append(f"costs {costs:.4f} s, and should {gained:.4f} s")
    if kind.kind not in ("thread", "openmp") and finding["who"] != [f"rank {rank}" for rank in kind.named]:
        faults.append(f"names {finding['who']}, not {kind.named}")
    if kind.function and kind.function not in text:
        faults.append(f"does not say {kind.function}")
    if kind.also and not any(is_gain(gain, kind.also, also_gained, BOUND) for gain in gains):
        faults.append(f"no gain is {kind.also} of {also_gained:.4f} s")
    return faults


def check_nothing_invented(kind, run, gained):
    faults, text = [], "\n".join(run["headline"])
    named = re.search(r"\branks? \d|\bthread \d|iterations? \d|become|every \d|node\d", text)
    if named or run["finding"]["who"] or any(gain["who"] or gain["iterations"] for gain in run["gains"]):
        faults.append(f"names {named and named[0]}, {run['gains']}")
    if kind.kind == "even":
        return faults + ([] if "no loss is" in text and not run["gains"] else ["a loss is told"])
    for gain in run["gains"]:
        # Some iterations are longer than others by chance, and may be so, as long as none of them is named.
        if gain["kind"] not in ("function", "computation", "iterations"):
            faults.append(f"tells a gain by {gain['kind']}")
        elif gain["kind"] != "iterations" and abs(gain["seconds"] - gained) > BOUND * gained:
            faults.append(f"gains {gain['seconds']:.4f} s, and should {gained:.4f} s")
    return faults


def check(tracefold, kind, folder):
    trace = folder / "trace" / "traces.otf2"
    program = kind.make(folder / "trace", 1)
    gained = (program.runtime() - kind.make(folder / "without", 0).runtime()) / 1e9
    also_gained = 0
    if kind.also:
        also_gained = (program.runtime() - kind.make(folder / "without_also", 1, 0).runtime()) / 1e9
    if fault := reduce(tracefold, trace, folder / "reduced"):
        return [fault], ""
    faults, said = [], []
    for what, archive in (("trace", trace), ("reduced", folder / "reduced" / "traces.otf2")):
        run, fault = summarize(tracefold, archive)
        if not run:
            return faults + [fault], ""
        told = check_told(kind, run, gained, also_gained)
        said.append("\n".join(run["headline"]))
        faults += [f"{what}: {fault}" for fault in told]
        if told:
            faults.append(f"{what}: gains {[{k: v for k, v in gain.items() if k != 'share'} for gain in run['gains']]}")
    if faults and said[1] != said[0]:
        faults.append("reduced: " + said[1])
    return faults, said[0]


def main():
    tracefold, names = sys.argv[1], sys.argv[2:]
    assert KNOWN_WRONG.keys() <= {kind.__name__ for kind in KINDS}
    chosen = [kind for kind in KINDS if not names or kind.__name__ in names]
    wrong = [kind for kind in chosen if kind.__name__ in KNOWN_WRONG]
    right = [kind for kind in chosen if kind not in wrong]
    bad = check_causes(right, lambda kind, folder: check(tracefold, kind, folder))
    mended = len(wrong) - check_causes(wrong, lambda kind, folder: check(tracefold, kind, folder), "known")
    print(f"{len(chosen)} programs: {len(right) - bad} right, {bad} wrong, {len(wrong)} in KNOWN_WRONG, "
          f"of which {mended} are right")
    return 1 if bad or mended else 0


if __name__ == "__main__":
    sys.exit(main())
