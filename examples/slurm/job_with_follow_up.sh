#!/bin/bash
# A job whose traces a second job reduces. Needs no administrator, and the second job runs however
# this one ends: after an error, at the time limit, and after scancel.
#SBATCH --job-name=ring
#SBATCH --ntasks=2

# Submitted first, since nothing behind the program runs after scancel. The second job begins in
# the same folder; it needs one core, and its own time.
sbatch --dependency="afterany:$SLURM_JOB_ID" --job-name=tracefold --ntasks=1 --time=30 \
  --export=PATH --output=/dev/null \
  --wrap 'tracefold reduce --epilogue . --timeout 25m --log tracefold.jsonl'

mpirun eztrace -t openmpi ./ring
