#!/bin/bash
# A job that reduces its traces itself, in its own time. Two minutes before its time limit the shell
# gets USR1: then the program is ended, so that what it has written until then is reduced, and this
# has to be done in what is left. Else it may take an hour, or what is left of the job.
# Nothing is reduced after scancel.
#SBATCH --job-name=ring
#SBATCH --ntasks=2
#SBATCH --signal=B:USR1@120

program=
limit=1h
end_program() {
  limit=100s
  [ -z "$program" ] || kill -TERM "$program" 2>/dev/null
}
trap end_program USR1

# A shell handles no signal while it waits for a program in the foreground.
mpirun eztrace -t openmpi ./ring &
program=$!
while kill -0 "$program" 2>/dev/null; do wait "$program"; done

tracefold reduce --epilogue . --timeout "$limit" --log tracefold.jsonl
