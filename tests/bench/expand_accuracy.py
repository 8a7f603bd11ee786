#!/usr/bin/env python3
"""How near a trace that was reduced and expanded again comes to its original, when both are played.

    expand_accuracy.py [--build BUILD] [--traces FOLDER] [--quick] [--reduce 'OPTIONS'] [NAME…]

Reduces, expands and plays (tests/support/replay.cpp) traces of the NAS benchmarks and of HPCCG, and prints a
table: times of the original and of what was expanded, and 1 - |t - t'| / t. All messages must match, nothing may
lock up, otf2-print must take what is written, and the decoded operations must be the original's: `tracefold
matrix` of both, by communicator, tag and call path, is compared. Exit status 1 where a trace comes below 84 % or
the mean below 92 %. FOLDER holds the packs of the shared traces, $TRACEFOLD_SHARED/traces by default; without
them the status is 77.
"""
import argparse, os, re, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("TRACEFOLD_SHARED", os.path.join(ROOT, "..", "shared"))
NAMES = ["npb_bt_W_16", "npbph_bt_W_36", "npb_bt_W_64", "npb_is_S_16", "npb_is_S_64", "npb_lu_W_16", "npb_lu_W_64",
         "npb_ft_S_16", "npb_mg_S_16", "npb_mg_S_64", "hpccg_16", "hpccg_64"]
QUICK = ["npb_is_S_16", "npb_ft_S_16", "npb_mg_S_16"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}")
    return done.stdout


def measure(args, name, folder):
    subprocess.run(["tar", "--zstd", "-xf", os.path.join(args.traces, name + ".tar.zst"), "-C", folder], check=True)
    anchor = next(os.path.join(path, file) for path, _, files in sorted(os.walk(os.path.join(folder, name)))
                  for file in files if file.endswith(".otf2"))
    tool = os.path.join(args.build, "cli", "tracefold")
    small, full = os.path.join(folder, "small"), os.path.join(folder, "full")
    run(tool, "reduce", "-q", anchor, "-o", small, "--force", *args.reduce.split())
    run(tool, "expand", "-q", f"{small}/traces.otf2", "-o", full, "--force")
    if shutil.which("otf2-print"):
        run("otf2-print", "-Werror", "--silent", f"{full}/traces.otf2")

    for split in "communicator", "tag", "call-path":
        one, other = (sorted(re.sub(r"\(\d+\)", "", run(tool, "matrix", "-q", trace, "--split", split, "--format", "csv"))
                             .splitlines()) for trace in (anchor, f"{full}/traces.otf2"))
        if one != other:
            sys.exit(f"{name}: the matrix by {split} of what was expanded is another one")

    said = run(os.path.join(args.build, "tests", "replay"), anchor, f"{full}/traces.otf2")
    times = [float(t) for t in re.findall(r": ([0-9.]+) s,", said)]
    accuracy = float(re.search(r"accuracy (\S+)", said).group(1))
    shutil.rmtree(os.path.join(folder, name))
    return times[0], times[1], accuracy


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--traces", default=os.path.join(SHARED, "traces"))
    parser.add_argument("--reduce", default="--by signature", help="options of reduce (--by signature)")
    parser.add_argument("--quick", action="store_true", help="a few small traces")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names = args.names or (QUICK if args.quick else NAMES)
    if not all(os.path.exists(os.path.join(args.traces, name + ".tar.zst")) for name in names):
        print(f"skipped: no shared traces at {args.traces}")
        return 77

    print(f"{'trace':16} {'t':>10} {'t expanded':>11} {'accuracy':>9}")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            before, after, accuracy = measure(args, name, folder)
            found.append(accuracy)
            print(f"{name:16} {before:10.6f} {after:11.6f} {100 * accuracy:8.2f}%", flush=True)
    mean = sum(found) / len(found)
    print(f"{'mean':16} {'':10} {'':11} {100 * mean:8.2f}%   least {100 * min(found):.2f}%")
    return 0 if mean >= 0.92 and min(found) >= 0.84 else 1


if __name__ == "__main__":
    sys.exit(main())
