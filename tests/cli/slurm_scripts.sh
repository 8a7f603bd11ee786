#!/usr/bin/env bash
# What the scripts of examples/slurm call, without a Slurm: programs in its place write down how they are called.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scripts=$root/examples/slurm

mkdir bin
stub() { printf '#!/bin/bash\n%s\n' "$2" > "bin/$1" && chmod 755 "bin/$1"; }
# shellcheck disable=SC2016
stub tracefold 'printf "%s\n" "$*" > called.txt'
# shellcheck disable=SC2016
for name in sudo runuser; do stub "$name" 'while [ "$1" != sbatch ]; do shift; done; exec "$@"'; done
# shellcheck disable=SC2016
stub sbatch "printf '%s\n' \"\$*\" > $work/submitted.txt"

# The end of a batch script.
stub mpirun true
PATH="$work/bin:$PATH" bash "$scripts/job_that_reduces.sh"
check "a job with time left: $(cat called.txt)" grep -q -- '--timeout 1h' called.txt
stub mpirun 'touch runs; exec sleep 60'
rm called.txt
PATH="$work/bin:$PATH" bash "$scripts/job_that_reduces.sh" &
for _ in $(seq 100); do [ -e runs ] && break || sleep 0.1; done
kill -USR1 "$!"
wait "$!" || true
check "a job whose time ends: $(cat called.txt)" grep -q -- '--timeout 100s' called.txt

# EpilogSlurmctld.
sed "s#^export PATH=#&$work/bin:#" "$scripts/epilog_slurmctld.sh" > epilog_slurmctld.sh
submit() {
  rm -f submitted.txt
  env SLURM_JOB_COMMENT=tracefold SLURM_JOB_USER=nobody SLURM_JOB_WORK_DIR=/ "$@" bash epilog_slurmctld.sh
  check "nothing is submitted with $*" [ -s submitted.txt ]
}
submit SLURM_JOB_ACCOUNT=physics SLURM_JOB_PARTITION=short,long
check "no account: $(cat submitted.txt)" grep -q -- ' --account=physics --partition=short,long ' submitted.txt
submit SLURM_JOB_ACCOUNT= SLURM_JOB_PARTITION='(null)'
check "an account that nobody knows: $(cat submitted.txt)" [ -z "$(grep -e --account -e --partition submitted.txt)" ]

# The line that shows the log.
if command -v jq > /dev/null; then
  rm -f called.txt
  trace_in job/app --ranks 2 --threads 1 --iterations 2
  expect 0 "$TRACEFOLD" reduce --epilogue job --log tracefold.jsonl
  command=$(sed -n '/^jq /p' "$scripts/README.md")
  expect 0 bash -c "$command"
  check "'$command' prints $(cat out.txt)" grep -qP "^done\t$work/job/app/traces.otf2\t[0-9]+\t[0-9]+\t[0-9.]+$" out.txt
else
  skipped "there is no jq"
fi
finish
