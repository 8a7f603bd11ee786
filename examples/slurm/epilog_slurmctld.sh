#!/bin/bash
# EpilogSlurmctld of slurm.conf: submits, as the job's user, a second job that reduces the traces of
# jobs that were submitted with --comment=tracefold. It runs once for each job, where slurmctld
# runs, as SlurmUser, with neither PATH nor SLURM_CONF.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
export SLURM_CONF=${SLURM_CONF:-/etc/slurm/slurm.conf}
tracefold=/usr/bin/tracefold
exec </dev/null >/dev/null 2>&1

[ "${SLURM_JOB_COMMENT:-}" = tracefold ] || exit 0
[ "$SLURM_JOB_USER" != root ] || exit 0

# Only root may submit for others (--uid); SlurmUser is let by sudo, see the file sudoers.
if [ "$(id -u)" = 0 ]; then
  as_user=(runuser -u "$SLURM_JOB_USER" --)
else
  as_user=(sudo -n -u "$SLURM_JOB_USER")
fi
# Many clusters take no job without an account or a partition: those of the first job.
options=()
is_known() { [ -n "${1:-}" ] && [ "$1" != "(null)" ]; }
if is_known "${SLURM_JOB_ACCOUNT:-}"; then options+=(--account="$SLURM_JOB_ACCOUNT"); fi
if is_known "${SLURM_JOB_PARTITION:-}"; then options+=(--partition="$SLURM_JOB_PARTITION"); fi
timeout -k 2 30 "${as_user[@]}" sbatch --job-name=tracefold --ntasks=1 --time=30 --export=NONE "${options[@]}" \
  --chdir="$SLURM_JOB_WORK_DIR" --output=/dev/null \
  --wrap "$tracefold reduce --epilogue . --timeout 25m --log tracefold.jsonl"
exit 0
