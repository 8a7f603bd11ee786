#!/usr/bin/env python3
"""Makes a trace whose own functions are called as those of programming interfaces begin, for anonymize.sh.

usage: make_named_trace.py FOLDER

Its functions of interfaces are MPI_Send, omp_set_lock and cudaMemcpy; all other names are the program's own.
"""

import sys

import _otf2
import otf2
from otf2.enums import Paradigm, RegionRole

SECRET = "/home/x/secret.c"
REGIONS = [("main_of_secret", SECRET, Paradigm.COMPILER, RegionRole.FUNCTION),
           ("cuSecretSolver", SECRET, Paradigm.COMPILER, RegionRole.FUNCTION),
           ("acc_force_of_neutron", SECRET, Paradigm.COMPILER, RegionRole.FUNCTION),
           ("clBeamSecret", SECRET, Paradigm.COMPILER, RegionRole.FUNCTION),
           ("hipSecretThing", SECRET, Paradigm.USER, RegionRole.CODE),
           ("MPI_MyWrapper_secret", SECRET, Paradigm.USER, RegionRole.FUNCTION),
           ("omp_secret_phase", SECRET, Paradigm.USER, RegionRole.CODE),
           ("cuSecretKernel", "CUDA_KERNEL", Paradigm.CUDA, RegionRole.FUNCTION),
           ("!$omp critical secretlock @secret.c:7", SECRET, Paradigm.OPENMP, RegionRole.CRITICAL),
           ("!$omp parallel @secret.c:9", SECRET, Paradigm.OPENMP, RegionRole.PARALLEL),
           ("MPI_Send", "MPI", Paradigm.MPI, RegionRole.POINT2POINT),
           ("omp_set_lock", "OMP", Paradigm.OPENMP, RegionRole.WRAPPER),
           ("cudaMemcpy", "CUDART", Paradigm.CUDA, RegionRole.WRAPPER)]


def main():
    with otf2.writer.open(sys.argv[1], timer_resolution=1000) as trace:
        _otf2.Archive_SetProperty(trace.handle, "ACME::SECRETPROJECT", "yes", True)
        regions = [trace.definitions.region(name, source_file=file, paradigm=paradigm, region_role=role)
                   for name, file, paradigm, role in REGIONS]
        top = trace.definitions.system_tree_node("secrethost")
        for rank in range(3):
            group = trace.definitions.location_group(f"MPI Rank {rank}", system_tree_parent=top)
            writer = trace.event_writer("Master thread", group=group)
            time = 0
            writer.enter(time, regions[0])
            for region in regions[1:] * 4:
                writer.enter(time + 1, region)
                time += 5 + rank
                writer.leave(time, region)
            writer.leave(time + 1, regions[0])


if __name__ == "__main__":
    main()
