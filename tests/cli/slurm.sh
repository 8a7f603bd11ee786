#!/usr/bin/env bash
# The four ways of examples/slurm on a real Slurm of one node, with a real MPI program that EZTrace
# traces, for SlurmUser root and slurm. The reduced trace lies beside the original and belongs to
# the user, and the node is not drained, whatever tracefold does. Skipped without root or one of the
# packages slurmctld slurmd slurm-client munge sudo openmpi-bin libopenmpi-dev eztrace. Where tracefold-mpi
# is given, too, several tasks of a job reduce one trace; with a wrong plugin for MPI they refuse to.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for program in slurmctld slurmd sbatch munged sudo runuser mpicc mpirun eztrace otf2-print; do
  command -v "$program" > /dev/null || { skipped "there is no $program"; exit 77; }
done
[ "$(id -u)" = 0 ] || { skipped "not root"; exit 77; }
id slurm > /dev/null 2>&1 || { skipped "there is no user slurm"; exit 77; }

node="$here/slurm/slurm_node.sh"
user=nobody
sudoers=/etc/sudoers.d/tracefold-test-$$
clean_up='"$node" stop "$work/slurm" || true; rm -f "$sudoers"; rm -rf "$work"'
trap "$clean_up" EXIT

# What jobs find: programs that everybody may run, and scripts as an administrator installs them.
chmod 755 "$work"
mkdir -p bin jobs slurm/scripts
cp "$TRACEFOLD" bin/tracefold.good
mpicc "$here/slurm/ring.c" -o bin/ring
if [ -n "${3:-}" ]; then
  cp "$3" bin/tracefold-mpi
  cp "$root/examples/slurm/many_nodes.sbatch" bin/
fi
for script in job_with_follow_up job_that_reduces; do cp "$root/examples/slurm/$script.sh" bin/; done
for script in epilog epilog_slurmctld; do
  printf '#!/bin/sh\nexit 0\n' > "slurm/scripts/$script.sh"
  sed "s#^tracefold=.*#tracefold=$work/bin/tracefold#; s#^limit=45#limit=8#; s#/etc/slurm/slurm.conf#$work/slurm/slurm.conf#" "$root/examples/slurm/$script.sh" > "bin/$script.sh"
done
chmod -R a+rX,a-w bin/* && chmod 755 bin/* slurm/scripts/*
install -m 440 "$root/examples/slurm/sudoers" "$sudoers"
export PATH="$work/bin:$PATH" OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader OMPI_MCA_plm=isolated

# use_tracefold WAY: what runs under this name from now on.
use_tracefold() {
  rm -f bin/tracefold
  case $1 in
    good) cp bin/tracefold.good bin/tracefold ;;
    fails) printf '#!/bin/sh\nexit 3\n' > bin/tracefold ;;
    hangs) printf '#!/bin/sh\ntrap "" TERM\nsleep 300 & wait\nsleep 300\n' > bin/tracefold ;;
    missing) return ;;
  esac
  chmod 755 bin/tracefold
}

# make_job NAME: an empty folder of the user, and `job` is its name.
make_job() {
  job=$work/jobs/$slurm_user-$1
  mkdir -p "$job"
  cp bin/ring "$job/"
  chown -R "$user": "$job"
}

# submit ARGUMENTS...: from the folder of the job; `id` is its number.
submit() {
  id=$(cd "$job" && runuser -u "$user" -- sbatch --parsable --output="$job/out.txt" "$@")
}

# Whether no job is left, not even one that is ending.
is_quiet() { [ -z "$(squeue -h)" ] && [ "$(sinfo -h -o %t)" = idle ]; }

# wait_for SECONDS COMMAND...
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.3
  done
}

wait_for_jobs() { check "$1: the jobs do not end, or the node is not idle: $(squeue -h; sinfo -h -o '%t %E')" wait_for 120 is_quiet; }

node_is_well() {
  check "$1: the node is drained: $(sinfo -h -R)" [ -z "$(sinfo -h -R)" ]
  check "$1: the node is $(sinfo -h -o %t)" [ "$(sinfo -h -o %t)" = idle ]
}

has_status() { grep -qE "\"status\": ?\"$1\"" "$job/tracefold.jsonl" 2> /dev/null; }

# is_reduced WAY: beside the original, and the user's.
is_reduced() {
  check "$1: the job has not made its trace: $(tail -n 3 "$job/out.txt" 2>&1)" [ -e "$job/ring_trace/eztrace_log.otf2" ]
  check "$1: the reduced trace is not clean: $(cat "$job/tracefold.jsonl" 2>&1)" is_clean "$job/ring_trace-small/traces.otf2"
  check "$1: it is not the user's" [ "$(stat -c %U "$job/ring_trace-small" "$job/tracefold.jsonl" 2> /dev/null | sort -u)" = "$user" ]
  check "$1: the log does not say done: $(cat "$job/tracefold.jsonl" 2>&1)" has_status done
  check "$1: a lock is left" [ ! -e "$job/ring_trace-small.lock" ]
}

test_follow_up() {
  make_job follow_up
  submit "$work/bin/job_with_follow_up.sh"
  wait_for_jobs "a second job"
  is_reduced "a second job"

  make_job cancelled
  sed 's/^mpirun.*/&\ntouch made\nsleep 300/' "$work/bin/job_with_follow_up.sh" > "$job/job.sh"
  submit "$job/job.sh"
  check "the job to be cancelled makes no trace: $(tail -n 3 "$job/out.txt" 2>&1)" wait_for 60 test -e "$job/made"
  scancel "$id"
  wait_for_jobs "a second job after scancel"
  is_reduced "a second job after scancel"
}

test_end_of_job() {
  make_job end
  submit "$work/bin/job_that_reduces.sh"
  wait_for_jobs "the end of a job"
  is_reduced "the end of a job"

  # A second program runs when the signal comes.
  make_job signalled
  sed 's/^mpirun.*/(mpirun eztrace -t openmpi .\/ring; touch made; exec sleep 300) \&/' "$work/bin/job_that_reduces.sh" > "$job/job.sh"
  submit "$job/job.sh"
  check "the job to be signalled makes no trace: $(tail -n 3 "$job/out.txt" 2>&1)" wait_for 60 test -e "$job/made"
  scancel -b -s USR1 "$id"
  wait_for_jobs "USR1"
  is_reduced "USR1"
}

epilog_job=$work/epilog_job.sh
printf '#!/bin/bash\nmpirun eztrace -t openmpi ./ring\n' > "$epilog_job"
chmod 644 "$epilog_job"

# install_only SCRIPT: the other one does nothing, since one comment asks for both.
install_only() {
  local script
  for script in epilog epilog_slurmctld; do printf '#!/bin/sh\nexit 0\n' > "slurm/scripts/$script.sh"; done
  [ "$1" = none ] || cp "bin/$1.sh" slurm/scripts/
  chmod 755 slurm/scripts/*
}

test_epilog() {
  local way
  install_only epilog
  make_job epilog
  submit -n2 --comment=tracefold "$epilog_job"
  wait_for_jobs Epilog
  is_reduced Epilog
  node_is_well Epilog

  make_job epilog_unasked
  submit -n2 "$epilog_job"
  wait_for_jobs "an Epilog that nobody asked for"
  check "an Epilog that nobody asked for has reduced" [ ! -e "$job/ring_trace-small" ]

  make_job epilog_without_trace
  submit --comment=tracefold --wrap true
  wait_for_jobs "an Epilog without traces"
  check "an Epilog without traces logs $(cat "$job/tracefold.jsonl" 2>&1)" has_status "no trace"
  node_is_well "an Epilog without traces"

  for way in fails hangs missing; do
    use_tracefold "$way"
    make_job "epilog_$way"
    submit --comment=tracefold --wrap true
    wait_for_jobs "an Epilog whose tracefold $way"
    node_is_well "an Epilog whose tracefold $way"
  done
  use_tracefold good
}

test_epilog_slurmctld() {
  install_only epilog_slurmctld
  make_job epilog_slurmctld
  submit -n2 --comment=tracefold "$epilog_job"
  check "EpilogSlurmctld submits no job" wait_for 60 eval 'is_quiet && [ -e "$job/tracefold.jsonl" ]'
  wait_for_jobs EpilogSlurmctld
  is_reduced EpilogSlurmctld
  node_is_well EpilogSlurmctld

  use_tracefold missing
  make_job epilog_slurmctld_missing
  submit --comment=tracefold --wrap true
  wait_for_jobs "EpilogSlurmctld without tracefold"
  sleep 2
  wait_for_jobs "EpilogSlurmctld without tracefold"
  node_is_well "EpilogSlurmctld without tracefold"
  use_tracefold good
}

test_many_nodes() {
  [ -x bin/tracefold-mpi ] || return 0
  make_job many_nodes
  "$MAKE_TRACE" "$job/big" > /dev/null
  "$work/bin/tracefold" reduce -q "$job/big/traces.otf2" -o "$job/alone"
  chown -R "$user": "$job"
  submit --nodes=1 --ntasks-per-node=2 --cpus-per-task=1 "$work/bin/many_nodes.sbatch" big/traces.otf2 small
  wait_for_jobs "a job of two tasks"
  check "two tasks have written something else: $(tail -n 3 "$job/out.txt" 2>&1)" diff -rq --exclude=traces.otf2 "$job/alone" "$job/small"
  check "what two tasks have written is not clean" is_clean "$job/small/traces.otf2"

  make_job wrong_plugin
  "$MAKE_TRACE" "$job/big" > /dev/null
  chown -R "$user": "$job"
  TRACEFOLD_SLURM_MPI=none submit --nodes=1 --ntasks-per-node=2 --cpus-per-task=1 "$work/bin/many_nodes.sbatch" big/traces.otf2 small
  wait_for_jobs "a job with a wrong plugin"
  check "a wrong plugin is not named once: $(cat "$job/out.txt" 2>&1)" [ "$(grep -c 'tracefold: .*--mpi=pmix' "$job/out.txt")" = 1 ]
  check "tasks that are alone have written" [ ! -e "$job/small" ]
}

use_tracefold good
for slurm_user in ${TRACEFOLD_SLURM_USERS:-root slurm}; do
  SLURM_CONF=$("$node" start "$work/slurm" "$slurm_user")
  export SLURM_CONF
  install_only none
  for test in ${TRACEFOLD_SLURM_TESTS:-follow_up end_of_job epilog epilog_slurmctld many_nodes}; do
    "test_$test"
    printf '%s, SlurmUser=%s: %s checks, %s failed\n' "$test" "$slurm_user" "$checks" "$failures"
  done
  "$node" stop "$work/slurm"
  rm -rf slurm.old
  mv slurm slurm.old
  mkdir slurm
  mv slurm.old/scripts slurm/
done
finish
