"""Pairs of runs of the same simulated program, which differ by noise alone: nothing is to be told of them. See planted_changes.py.

ALLOWED of them may be told nevertheless. Whether a difference is beyond the spread is a question of chance: of so many
functions, each on several ranks, one that is called once now and then differs as much as only one of hundreds does. Of
such pairs about three of a hundred are told; bounds under which none were would hide small changes that are there.
"""

from changed_program import Change, butterfly, halo, krylov, master, multigrid, pipeline, stencil, threaded
from simulated_network import line

EQUAL, ALLOWED = {}, 2
QUIET = r"^no (difference|function differs) beyond the spread"


def called_once(p, noise=0.07, steps=10):
    def begin(p):
        p.every("read_input", 15, [0], noise)
        p.operate("MPI_Bcast", 0)
        p.every("build_matrix", 40, None, noise)
        p.operate("MPI_Barrier")

    def end(p):
        p.every("write_output", 20, None, noise)
        p.operate("MPI_Barrier")
    p.run(steps, lambda p, n: (p.every("stencil", 6), halo(p, line(p.ranks), 4000), p.operate()), before=begin, outside=end)


# By name: a program, and options; of each there are three pairs with other random numbers.
PROGRAMS = {
    "four ranks": (stencil, {"ranks": 4, "noise": 0.1}),
    "normal noise": (lambda p: stencil(p, 12), {"ranks": 16, "noise": 0.05, "draw": "gauss"}),
    "64 ranks": (lambda p: stencil(p, 5), {"ranks": 64, "noise": 0.05, "draw": "exponential"}),
    "ranks that do not wait": (lambda p: stencil(p, 15, near=[[]] * 8, sums=0), {"noise": 0.06, "draw": "gauss"}),
    "solver": (lambda p: krylov(p, 8), {"noise": 0.08}),
    "butterfly": (lambda p: butterfly(p, 8), {"ranks": 16, "noise": 0.04}),
    "pipeline": (lambda p: pipeline(p, 25), {"ranks": 6, "noise": 0.05, "draw": "gauss"}),
    "master": (lambda p: master(p, 100), {"ranks": 9, "noise": 0.1}),
    "recursion": (multigrid, {"noise": 0.03, "draw": "gauss"}),
    "threads": (lambda p: threaded(p, lambda rank, thread: 8, 15), {"ranks": 4, "threads": 4, "noise": 0.04}),
    "called once": (called_once, {"ranks": 16}),
    "few calls": (lambda p: called_once(p, 0.1, 0), {"ranks": 32, "draw": "gauss"}),
}

for name, (build, options) in PROGRAMS.items():
    for number in (1, 2, 3):
        pair = Change(f"{name} {number}", lambda p, _, build=build: build(p), QUIET, options, options, ((1,), (1,)))
        EQUAL[pair.name] = pair
