#!/bin/bash
# Epilog of slurm.conf: reduces the traces below the working folder of jobs that were submitted with
# --comment=tracefold. It runs as root on each node of the job when that has ended. Whatever happens,
# it ends in time and with status 0: Slurm drains a node whose epilog fails or takes longer than
# PrologEpilogTimeout.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
tracefold=/usr/bin/tracefold
limit=45  # seconds; the outer limit behind it is PrologEpilogTimeout (60) at most
exec </dev/null >/dev/null 2>&1

[ "${SLURM_JOB_COMMENT:-}" = tracefold ] || exit 0
[ "$SLURM_JOB_USER" != root ] || exit 0

# All else is done as the job's user: root shall neither read nor write in folders of users.
runuser -u "$SLURM_JOB_USER" -- timeout -k 2 $((limit + 3)) \
  "$tracefold" reduce --epilogue "$SLURM_JOB_WORK_DIR" --timeout "${limit}s" \
  --log "$SLURM_JOB_WORK_DIR/tracefold.jsonl"
exit 0
