#!/usr/bin/env python3
"""Runs tracefold on traces of unusual size, under a limit of memory, and tells time and peak memory.

One location with very many events; very many regions and call pairs; very many communicators; very many iterations. A run that needs more than the limit and a
tolerance (half of it, and 64 MiB for what does not depend on it) is too large.

Exit status: 0 done; 1 a run was too large; 2 wrong use; 3 a program failed.
"""
import argparse, os, shutil, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FULL = {"one location": ("make_bench_trace", "--locations 1 --events 200000000 --functions 300"),
        "call pairs": ("make_many_definitions", "--locations 16 --regions 10000 --pairs 100000 --communicators 16"),
        "communicators": ("make_many_definitions", "--locations 64 --regions 100 --pairs 1000 --communicators 100000"),
        "iterations": ("../../examples/make_trace", "--ranks 16 --threads 1 --iterations 100000")}
QUICK = {"one location": ("make_bench_trace", "--locations 1 --events 2000000 --functions 300"),
         "call pairs": ("make_many_definitions", "--locations 4 --regions 1000 --pairs 10000 --communicators 16"),
         "communicators": ("make_many_definitions", "--locations 8 --regions 100 --pairs 1000 --communicators 5000"),
         "iterations": ("../../examples/make_trace", "--ranks 4 --threads 1 --iterations 5000")}
COMMANDS = ["group --exact", "profile", "iterations", "reduce --exact -o {out}", "verify {out}/traces.otf2 --against {trace}"]
MIB = 1 << 20


def run(argv):
    """Wall and CPU seconds and peak bytes of a process."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            errors.seek(0)
            print(f"sizes: {' '.join(argv)}: status {child.returncode}: {errors.read().decode(errors='replace')}", file=sys.stderr)
            sys.exit(3)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options.add_argument("--work", help="folder for traces, which are kept there (a temporary one)")
    options.add_argument("--memory", type=int, default=512, help="limit in MiB (512)")
    options.add_argument("--quick", action="store_true", help="small traces")
    given = options.parse_args()
    work = given.work or tempfile.mkdtemp()
    too_large = []
    try:
        print(f"--memory {given.memory}M\n{'trace':14} {'command':16} {'wall s':>8} {'CPU s':>8} {'peak MiB':>9}")
        for name, (maker, words) in (QUICK if given.quick else FULL).items():
            folder = os.path.join(work, name.replace(" ", "_") + ("_quick" if given.quick else ""))
            if not os.path.exists(folder):
                subprocess.run([os.path.join(given.build, "tests", "bench", maker), folder, *words.split()], check=True)
            trace, out = os.path.join(folder, "traces.otf2"), os.path.join(work, "reduced")
            shutil.rmtree(out, ignore_errors=True)
            for command in COMMANDS:
                argv = [word.format(out=out, trace=trace) for word in command.split()]
                if "{trace}" not in command:
                    argv.append(trace)
                wall, cpu, peak = run([os.path.join(given.build, "cli", "tracefold"), *argv, "--memory", f"{given.memory}M"])
                large = peak > 1.5 * given.memory * MIB + 64 * MIB
                too_large += [f"{name}, {argv[0]}"] if large else []
                print(f"{name:14} {' '.join(argv[:2]) if argv[1].startswith('--') else argv[0]:16} {wall:8.2f} {cpu:8.2f} {peak / MIB:9.0f}{'  too large' if large else ''}", flush=True)
            shutil.rmtree(out, ignore_errors=True)
    finally:
        if not given.work:
            shutil.rmtree(work, ignore_errors=True)
    return 1 if too_large else 0


sys.exit(main())
