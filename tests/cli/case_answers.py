#!/usr/bin/env python3
"""Small traces of which the right answers are known: what commands must say of them, and must not.

usage: case_answers.py TRACEFOLD [CASE...]

The traces are in ../shared/cases-wrong, cases-public and cases-answers, each with a README that says why.
Ends with 77 where they are not there.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from shared_traces import SHARED

COMPARE = ("compare", "{0}", "{1}", "--fail-over", "5%")

# Case, its inputs, then for each command: the status, what must be found in stdout, and what must not.
CASES = [
    ("cases-wrong/compare_balance", ["b/traces.otf2", "a/traces.otf2"],
     [(COMPARE, 1, ["run of 6.02 ms", "run of 9.02 ms"], ["no difference"])]),
    ("cases-wrong/user_mpi_name", ["traces.otf2"],
     [(("summary", "{0}"), 0, ["99 % of the time .* is useful"], ["transfer: "])]),
    ("cases-wrong/global_members_permuted", ["traces.otf2"],
     [(("matrix", "{0}", "--format", "csv"), 0, ["1,3,3,300"], ["1,0,3,300"])]),
    ("cases-wrong/unequal_iterations", ["traces.otf2"],
     [(("summary", "{0}"), 0, [r"load balance +0\.66[67]"], ["become faster"])]),
    ("cases-wrong/only_collectives", ["traces.otf2"],
     [(("matrix", "{0}", "--metric", "waiting"), 0, ["barrier"], [])]),
    ("cases-wrong/no_mpi_in_loop", ["traces.otf2"],
     [(("summary", "{0}"), 0, [r"load balance +0\.66[67]"], ["no MPI was recorded", "become faster"])]),
    ("cases-public/compare-1and1", ["monday/traces.otf2", "today/traces.otf2"],
     [(COMPARE, 1, [r"^kernel_a takes 1\.8 times as long"], ["no difference"])]),
    ("cases-public/compare-gpu", ["monday/traces.otf2", "today/traces.otf2"],
     [(COMPARE, 1, [r"^kernel_a takes 1\.8 times as long"], ["no difference"])]),
    ("cases-public/compare-gpu", ["monday/traces.otf2", "renamed/traces.otf2"],
     [(COMPARE, 1, [r"^\S+ takes 1\.8 times as long", "renamed"], ["no difference"])]),
    ("cases-public/short-main-thread", ["APEX.otf2"],
     [(("summary", "{0}"), 0, [r"the whole run: 1\.8\d* s", "3 of 5 threads"], ["OpenMP", "100 % .* useful", "whole run: 125 us"]),
      (("info", "{0}"), 0, [r"1\.8"], [])]),
    ("cases-public/cpu-rows-called-openmp", ["traces.otf2"],
     [(("summary", "{0}"), 0, [], ["OpenMP"])]),
    ("cases-public/gpu-copies-count-as-kernels", ["traces.otf2"],
     [(("summary", "{0}"), 0, [r"compute\w*( only)? (8\.9|9\.9|10) % of the time", r"copies: 85 % of the time of the accelerator, none"], ["compute\w*( only)? 86 %"])]),
    ("cases-public/host-file-missing", ["traces.otf2"],
     [(("summary", "{0}", "--partial"), 0, ["event files of ranks 0-1 are missing"], ["no MPI was recorded", "whole run: 0"])]),
    ("cases-public/buffer-full-on-some-ranks", ["traces.otf2"],
     [(("summary", "{0}"), 0, [r"^records of ranks 1,3,5,7 end at 23 % of the run", r"load balance +(0\.9[5-9]|1\.0)"],
       ["ranks 0-6:2 compute"]),
      (("select", "{0}", "--json"), 0, [r'"representative":"[0246]"'], [r'"representative":"[1357]"']),
      (("select", "{0}", "--json", "--representative", "slowest"), 0, [], [r'"representative":"[1357]"']),
      (("select", "{0}", "--json", "--to", "1"), 0, [r'"representative":"[0246]"'], []),
      (("iterations", "{0}", "--map", "execution time", "--format", "csv", "--csv", "map"), 0, [r"^1,1,.*,,,$"], [r"^1,1,.*,0,"])]),
    ("cases-public/energy-of-functions-shown-as-0", ["traces.otf2"],
     [(("summary", "{0}"), 0, [r"276 J +energy_count:device=0"], []),
      (("profile", "{0}"), 0, [r"not known +dgemm", r"not known +panel", r"not known +main"], []),
      (("profile", "{0}", "--json"), 0, [r'"percentiles":\[null,null,null,null,null\],"total":null'], []),
      (("profile", "{0}", "--per-process", "--format", "csv"), 0, [r"main > dgemm,.*,$", r",276000000$"], [r"dgemm,.*,0$"])]),
    ("cases-public/recording-off", ["traces.otf2"],
     [(("summary", "{0}"), 0, [r"\nnote: recording was off for 87 % of the run", r"91 % of the time in the main loop"], ["99 %", "10[0-9] ms"]),
      (("summary", "{0}", "--format", "json"), 0, [r'"recording_off_share": 0\.873', "off for 87 % of the run"], []),
      (("profile", "{0}"), 0, [r"3\.9\d ms .*main"], [r"9\d\.\d ms"])]),
    ("cases-public/kernels-overlap-on-a-stream", ["traces.otf2"],
     [(("profile", "{0}"), 0, ["200 us .*short_kernel", "650 us .*long_kernel"], ["550 us", "150 us"]),
      (("summary", "{0}"), 0, ["computes 58 % of the time"], [])]),
    ("cases-public/node-metrics", ["traces.otf2"],
     [(("group", "{0}", "--format", "table"), 0, [], ["of every rank"])]),
    ("cases-public/git-lfs-pointers", ["traces.otf2"],
     [(("summary", "{0}"), 3, [], [])]),
    ("cases-answers/cmp_gpu_1rank", ["A.tar.zst", "B.tar.zst"],
     [(COMPARE, 1, [r"^kernel_big takes 1\.5 times as long"], ["no difference"])]),
    ("cases-answers/compare_gpu_kernel", ["A.tar.zst", "B.tar.zst"],
     [(COMPARE, 1, [r"^kernel_big takes 1\.5 times as long", "40.0 ms → 60.0 ms"], ["no difference"])]),
    ("cases-answers/compare_calls_not_bytes", ["A.tar.zst", "B.tar.zst"],
     [(("compare", "{0}", "{1}"), 0, [r"^MPI_Allreduce is called 20\.0 times as often"], ["in as many messages"])]),
    ("cases-answers/compare_iteration_count", ["A.tar.zst", "B.tar.zst"],
     [(("compare", "{0}", "{1}"), 0, ["^B has 30 iterations, A has 20"], [])]),
    ("cases-answers/compare_moved_call", ["A.tar.zst", "B.tar.zst"],
     [(("compare", "{0}", "{1}"), 0, ["eos is called by correct in B, and no longer by predict"], ["no difference"])]),
    ("cases-answers/compare_shifted_work", ["A.tar.zst", "B.tar.zst"],
     [(("compare", "{0}", "{1}"), 0, ["40 % longer .* ranks 4-7", "40 % less time .* ranks 0-3"], [])]),
    ("cases-answers/compare_threads", ["A.tar.zst", "B.tar.zst"],
     [(("compare", "{0}", "{1}"), 0, ["^B has 8 threads in each rank, A has 4"], [r"-50\.\d % .*serial_part"])]),
    ("cases-answers/weak_scaling", ["A.tar.zst", "B.tar.zst"],
     [(("compare", "{0}", "{1}"), 0, [r"B has 16 ranks, A has 4 \(weak scaling, 0\.8\d of ideal\); sort_all", r"that costs [56]\.\d+ ms"], []),
      (("compare", "{0}", "{1}", "--scaling", "strong"), 0, [r"\(strong scaling, 0\.2\d of ideal\)"], ["counts as"]),
      (("summary", "{0}", "{1}"), 0, [r"computation scaling +1\.000 +0\.784", "counts as weak scaling"], []),
      (("summary", "{0}", "{1}", "--scaling", "strong"), 0, [r"computation scaling +1\.000 +0\.196"], ["counts as"])]),
    ("cases-answers/message_growth", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, [r"240 messages, 121 KiB each on average, which grow with the iterations from \S+ \S+ to \S+ KiB"], [])]),
    ("cases-answers/io_is_useful", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, [r"39 % of the time", r"I/O.*write", r"I/O: 38.1 MiB written to shared.out by all 4 ranks in 30.3 ms each"], ["others 0", "98 %"])]),
    ("cases-answers/place_and_amount", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, [], [r"257 ms of waiting in MPI_Waitall, called by exch_b"])]),
    ("cases-answers/omp_vs_growth", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, [r"Largest loss: OpenMP", "serial_part"], [])]),
    ("cases-answers/trend_in_noise", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, [], ["become faster", "become slower"])]),
    ("cases-answers/coupled_iterations", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, [r"two loops of 10 \(ranks 0-5\) and 50 iterations \(ranks 6-7\)"], ["become faster", "loop of"])]),
    ("cases-answers/checkpoint_period", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ["the main loop of 40 iterations", "rank 0 alone", "in every 10th iteration", "30.5 MiB written to ckpt.dat by rank 0 of 4 in 80.0 ms"], [])]),
    ("cases-answers/delay_hidden_by_neighbour", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['rank 3 takes 40.1 ms for stencil, the others 20.0 ms; without that 21.\\d ms instead of 41.3 ms'], ['Largest loss.*rank 4', 'rank 4 makes'])]),
    ("cases-answers/moving_slow", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['stencil is uneven, and the slowest rank changes again and again; without that 3[34].\\d ms instead of 65.7 ms'], [])]),
    ("cases-answers/transient", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['rank 4 takes longer than the others for stencil in iterations 10-12; without that 4[23].\\d ms'], [])]),
    ("cases-answers/periodic_regrid", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['every 8th iteration takes 8.06 ms, most others 2.03 ms; without that 6[45].\\d ms instead of 89.0 ms \\(27 % less\\)', 'regrid'], [])]),
    ("cases-answers/copy_to_gpu", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['ranks copy from and to accelerators for 77 % of the time: 33.1 ms on average in cudaMemcpy', 'its 2 streams compute 23 %'], [])]),
    ("cases-answers/fork_overhead", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['to start and join threads'], ['thread 0'])]),
    ("cases-answers/poll_pipeline", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['0 → 1 → 2 → 3 → 4 → 5; without that 3.\\d\\d ms instead of 18.5 ms'], ['rank 5 reaches', 'rank 5 makes'])]),
    ("cases-answers/slow_link", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['messages between rank 3 and rank 4', 'transfer +0.62'], ['rank 4 reaches'])]),
    ("cases-answers/latency_as_chain", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['Largest loss: transfer', 'small messages, 8 bytes each', 'transfer +0.46'], ['a chain of late'])]),
    ("cases-answers/hot_receiver", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['transfer: messages from and to rank 0', 'without that 21.3 ms instead of 43.3 ms'], [])]),
    ("cases-answers/low_ipc", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, ['rank 6 takes 40.2 ms for stencil, the others 20.0 ms', 'same instructions, 2.0 times the cycles'], [])]),
    ("cases-answers/win_fence", ["trace.tar.zst"],
     [(("summary", "{0}"), 0, [], ["without waiting"])]),
]

HINTS = {"cases-public/git-lfs-pointers": "git lfs pull"}


def check(tracefold, case, inputs, commands):
    wrong = []
    paths = [SHARED / case / one for one in inputs]
    for command, status, found, absent in commands:
        words = [part.format(*map(str, paths)) for part in command]
        done = subprocess.run([tracefold, *words], capture_output=True, text=True)
        text = done.stdout
        here = " ".join([words[0], case, *words[1 + len(paths):]])
        if done.returncode != status:
            wrong.append(f"{here}: status {done.returncode} instead of {status} {done.stderr[-300:]}")
        wrong += [f"{here}: no '{one}' in\n{text[:900]}" for one in found if not re.search(one, text, re.MULTILINE)]
        wrong += [f"{here}: '{one}' in\n{text[:900]}" for one in absent if re.search(one, text, re.MULTILINE)]
        if case in HINTS and HINTS[case] not in done.stderr:
            wrong.append(f"{here}: no '{HINTS[case]}' in {done.stderr}")
    return wrong


def check_cut_iteration(tracefold):
    """A thread's call ends in the midst of an iteration that is folded: the trace holds, and its calls are all there when expanded."""
    trace = SHARED / "cases-wrong/call_ends_in_folded_iteration/traces.otf2"
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        small, large = f"{folder}/small", f"{folder}/large"
        for command in (["reduce", trace, "-o", small, "--iterations", "2", "-q"],
                        ["verify", f"{small}/traces.otf2", "--against", trace, "-q"],
                        ["expand", f"{small}/traces.otf2", "-o", large, "-q"]):
            done = subprocess.run([tracefold, *command], capture_output=True, text=True)
            if done.returncode:
                return [f"{command[0]}: status {done.returncode}, {done.stdout}{done.stderr}"]
        tables = [json.loads(subprocess.run([tracefold, "profile", one, "--format", "json", "-q"], capture_output=True, text=True).stdout)
                  for one in (trace, f"{large}/traces.otf2")]
        visits = [{row["function"]["name"]: row["visits"]["total"] for row in table["all"]["rows"]} for table in tables]
        if visits[0] != visits[1] or visits[1]["work"] != 10:
            wrong.append(f"call_ends_in_folded_iteration: calls {visits[1]} instead of {visits[0]}")
    return wrong


def check_behind_end(tracefold):
    """Bytes behind the end of an event file are damage, and zeros are none."""
    wrong = []
    for size, byte, status in ((200_000, b"x", 3), (1000, b"\0", 0), (1, b"\n", 0)):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "copy"
            shutil.copytree(SHARED / "cases-wrong/user_mpi_name", copy)
            events = sorted(copy.rglob("*.evt"))[0]
            events.write_bytes(events.read_bytes() + size * byte)
            for partial in ([], ["--partial"]):
                done = subprocess.run([tracefold, "info", str(copy / "traces.otf2"), *partial], capture_output=True, text=True)
                expected = 0 if partial else status
                is_told = "damaged" in done.stderr
                if done.returncode != expected or is_told != (status == 3):
                    wrong.append(f"{size} bytes {byte} {partial}: status {done.returncode}, {done.stderr}")
    return wrong


def main():
    tracefold, only = sys.argv[1], sys.argv[2:]
    if not (SHARED / "cases-wrong").exists():
        sys.exit(77)
    wrong = [] if only else check_behind_end(tracefold) + check_cut_iteration(tracefold)
    for case, inputs, commands in CASES:
        if not only or any(one in case for one in only):
            wrong += check(tracefold, case, inputs, commands)
    print("\n".join(wrong) if wrong else f"{len(CASES)} cases are answered rightly")
    sys.exit(1 if wrong else 0)


main()
