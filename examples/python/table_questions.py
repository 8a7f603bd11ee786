#!/usr/bin/env python3
"""Answers the ten questions of docs/dataframes.md by pandas.

usage: table_questions.py FOLDER

FOLDER is what `tracefold export` has written. Each function takes the tables and gives a data frame, with the columns that the page's SQL
gives, in the same order.
"""

import sys

import pandas

from tracefold_tables import Tables


def find_where_time_goes(t):
    """Where does the time go?"""
    return (t.calls.groupby("function").exclusive_ns.agg(["count", "sum"]).reset_index()
            .sort_values(["sum", "function"], ascending=[False, True]).head(10))


def find_slow_ranks(t):
    """Which ranks are slow in a function?"""
    of = t.calls[t.calls.function == "MPI_Allreduce"].dropna(subset=["rank"])
    return (of.groupby("rank").exclusive_ns.sum().reset_index()
            .sort_values(["exclusive_ns", "rank"], ascending=[False, True]).head(5))


def find_large_messages(t):
    """Who sends large messages to whom, and in which iteration?"""
    steps = t.calls[t.calls.function == "MPI_Allreduce"][["process", "end_ns"]].sort_values("end_ns")
    steps["iteration"] = steps.groupby("process").cumcount()
    large = t.messages[t.messages.bytes >= 1024].dropna(subset=["send_end_ns"])
    large = large.assign(send_end_ns=large.send_end_ns.astype("int64")).sort_values("send_end_ns")
    found = pandas.merge_asof(large, steps, left_on="send_end_ns", right_on="end_ns", left_by="sender", right_by="process",
                              direction="forward").dropna(subset=["iteration"])
    return (found.groupby(["iteration", "sender", "receiver"]).bytes.agg(["count", "max"]).reset_index()
            .sort_values(["iteration", "sender", "receiver"]))


def find_late_senders(t):
    """Who waits for late senders?"""
    late = t.messages[t.messages.late_sender_ns.fillna(0) > 0]
    return (late.groupby(["receiver", "sender"]).late_sender_ns.sum().reset_index()
            .sort_values(["late_sender_ns", "receiver", "sender"], ascending=[False, True, True]).head(10))


def find_uneven_begins(t):
    """Which collective operations begin at very different times?"""
    of = t.collectives[t.collectives.kind == "blocking"].copy()
    of["begin_ns"] = of.end_ns - of.duration_ns
    spread = of.groupby(["operation", "communicator", "instance"]).begin_ns.agg(["max", "min"]).reset_index()
    spread["ns"] = spread["max"] - spread["min"]
    return (spread[["operation", "communicator", "instance", "ns"]]
            .sort_values(["ns", "operation", "communicator", "instance"], ascending=[False, True, True, True]).head(5))


def find_call_paths(t):
    """Which call paths take the time of a rank?"""
    of = t.profile[t.profile.process == 0].merge(t.call_paths, on="call_path")
    return (of.sort_values(["inclusive_ns", "path"], ascending=[False, True])
            [["path", "visits", "inclusive_ns"]].head(10))


def find_slow_iterations(t):
    """Which iterations are slow?"""
    of = t.iterations[t.iterations.metric == "execution time"]
    return (of.groupby("iteration").value.agg(["max", "mean"]).reset_index()
            .sort_values(["max", "iteration"], ascending=[False, True]).head(5))


def find_uneven_functions(t):
    """How uneven is a function over the ranks?"""
    per_rank = t.calls.dropna(subset=["rank"]).groupby(["function", "rank"]).exclusive_ns.sum().reset_index()
    of = per_rank.groupby("function").exclusive_ns.agg(["max", "mean"])
    of = of[of["mean"] > 0]
    of["imbalance"] = of["max"] / of["mean"]
    return (of.reset_index()[["function", "imbalance"]]
            .sort_values(["imbalance", "function"], ascending=[False, True]).head(10))


def find_overlap(t):
    """How much of the time do kernels of a stream overlap?"""
    streams = t.processes[t.processes.type == "accelerator stream"].process
    of = t.calls[t.calls.process.isin(streams)].copy()
    of["begin_ns"] = of.end_ns - of.duration_ns
    of = of.sort_values(["process", "begin_ns", "end_ns"])
    until = of.groupby("process").end_ns.cummax().groupby(of.process).shift(1).fillna(of.begin_ns)
    of["any_ns"] = (of.end_ns - of.begin_ns.where(of.begin_ns > until, until)).clip(lower=0)
    return of.groupby("process")[["duration_ns", "any_ns"]].sum().reset_index().sort_values("process")


def find_bytes_under_way(t):
    """How many bytes are under way at a time?"""
    of = t.messages.assign(ms=t.messages.send_end_ns // 1_000_000)
    return of.groupby("ms").bytes.sum().reset_index().sort_values("ms").head(20)


QUESTIONS = [
    find_where_time_goes,
    find_slow_ranks,
    find_large_messages,
    find_late_senders,
    find_uneven_begins,
    find_call_paths,
    find_slow_iterations,
    find_uneven_functions,
    find_overlap,
    find_bytes_under_way,
]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tables = Tables(sys.argv[1])
    for ask in QUESTIONS:
        print(f"{ask.__doc__}\n{ask(tables).to_string(index=False)}\n")


if __name__ == "__main__":
    main()
