#!/usr/bin/env bash
# A Slurm of one node, private to one folder, as root, without systemd and control groups.
#   slurm_node.sh start FOLDER USER   prints the SLURM_CONF to export; USER is SlurmUser
#   slurm_node.sh stop FOLDER
# FOLDER/scripts has epilog.sh and epilog_slurmctld.sh. Everybody must be able to read FOLDER.
set -euo pipefail
what=${1:?start or stop} folder=$(realpath -m "${2:?the folder is missing}")
host=$(hostname -s)
daemons="slurmd slurmctld munged"

is_alive() { [ -f "$folder/run/$1.pid" ] && kill -0 "$(cat "$folder/run/$1.pid")" 2> /dev/null; }

stop() {
  local daemon tries=0
  for daemon in $daemons; do
    ! is_alive "$daemon" || kill "$(cat "$folder/run/$daemon.pid")" 2> /dev/null || true
  done
  for daemon in $daemons; do
    while is_alive "$daemon" && ((++tries < 100)); do sleep 0.2; done
    ! is_alive "$daemon" || kill -KILL "$(cat "$folder/run/$daemon.pid")" 2> /dev/null || true
  done
}

write_configuration() {
  cat > "$folder/slurm.conf" << CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16827
SlurmdPort=16828
SlurmUser=$1
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge/socket
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
AccountingStoreFlags=job_comment
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
ReturnToService=2
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
Epilog=$folder/scripts/epilog.sh
EpilogSlurmctld=$folder/scripts/epilog_slurmctld.sh
PrologEpilogTimeout=20
CompleteWait=0
KillWait=5
MinJobAge=600
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=FORCE:8 State=UP
CONF
}

start() {
  mkdir -p "$folder"/{state,spool,log,run,munge}
  chmod 755 "$folder" "$folder/munge"
  head -c 1024 /dev/urandom > "$folder/munge/key"
  chmod 400 "$folder/munge/key"
  chown "$1" "$folder"/{state,log,run}
  write_configuration "$1"
  # --force: munged refuses a socket below a folder that is not its own else.
  munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/run/munged.pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -f "$SLURM_CONF" -c > /dev/null 2>&1  # -c: no state of an earlier run
  slurmd -f "$SLURM_CONF" > /dev/null 2>&1
  for _ in $(seq 150); do
    if [ "$(sinfo -h -o %t 2> /dev/null)" = idle ]; then
      echo "$SLURM_CONF"
      return
    fi
    sleep 0.2
  done
  echo "the node does not come up:" >&2
  tail -n 20 "$folder"/log/*.log >&2
  stop
  return 1
}

case $what in
  start) start "${3:?SlurmUser is missing}" ;;
  stop) stop ;;
  *) exit 2 ;;
esac
