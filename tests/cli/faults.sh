#!/usr/bin/env bash
# Something goes wrong at one call of the program that reads or writes files: the
# disk is full, the device fails, the program is killed, another program takes its
# input or output away. The input stays as it is, the output is whole or absent,
# and the next run finds its way: faults.sh TRACEFOLD MAKE_TRACE FAULT_INJECTION
#
# By default at some calls, drawn with TRACEFOLD_SEED (1); TRACEFOLD_MOMENTS=100
# draws so many per command and fault, and =all takes every call.
injection=$(realpath "${3:?the preloaded library is missing}")
[ -w /dev/shm ] && export TMPDIR=${TMPDIR:-/dev/shm}  # where a sync costs nothing
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

moments=${TRACEFOLD_MOMENTS:-3}
RANDOM=${TRACEFOLD_SEED:-1}
enospc=28 eio=5 emfile=24

# The commands under test, each with an output `out` or one on stdout.
run() {
  case $1 in
    write) "$TRACEFOLD" write -o out --threads 1 -q < plan.json ;;
    force) "$TRACEFOLD" write -o out --threads 1 -q --force < plan.json ;;
    reduce) "$TRACEFOLD" reduce app/traces.otf2 -o out --threads 1 -q ;;
    lattice) "$TRACEFOLD" lattice app/traces.otf2 -o out.dot --threads 1 -q ;;
    verify) "$TRACEFOLD" verify small/traces.otf2 --against app/traces.otf2 --threads 1 ;;
    export) "$TRACEFOLD" export app/traces.otf2 -o out --threads 1 -q ;;
    expand) "$TRACEFOLD" expand small/traces.otf2 -o out --threads 1 -q ;;
    call_paths) "$TRACEFOLD" profile app/traces.otf2 --call-paths --threads 1 ;;
    *) "$TRACEFOLD" "$1" app/traces.otf2 --threads 1 ;;
  esac
}

# with_fault CALLS AT FAULT COMMAND: status in $status.
with_fault() {
  status=0
  (export LD_PRELOAD=$injection FAULT_CALLS=$1 FAULT_AT=$2 FAULT=$3 && run "$4") > out.txt 2> err.txt < /dev/null || status=$?
  story="$4 with $3 at call $2 ($1)"
  checks=$((checks + 1))
}

# How many calls a command makes.
calls_of() {
  (export LD_PRELOAD=$injection FAULT_CALLS=$1 FAULT_COUNT=$work/count && run "$2") > /dev/null 2>&1 < /dev/null
  cat "$work/count"
}

# Numbers from 1 to $1: all, or as many as are wanted, the last among them.
drawn() {
  if [ "$moments" = all ]; then seq "$1"; return; fi
  for ((i = 1; i < moments; ++i)); do echo $((1 + RANDOM % $1)); done
  echo "$1"
}

# What a folder of `out` holds: a trace, or tables.
is_whole_folder() {
  [ -e out/traces.otf2 ] && { is_clean out/traces.otf2; return; }
  [ "$(ls out | wc -l)" = 16 ] && for table in out/*.parquet; do
    [ "$(tail -c 4 "$table")" = PAR1 ] || return 1
  done
}

whole_or_absent() {
  [ ! -e out ] || is_whole_folder || fail "$story left half an output"
  [ ! -e out.dot ] || [ "$(tail -n 1 out.dot)" = "}" ] || fail "$story left half a drawing"
}

one_line() { [ "$(wc -l < err.txt)" = 1 ] && grep -q '^tracefold: ' err.txt; }

is_old() { [ -e out/traces/0.evt ] && tail -c 4 out/traces/0.evt | grep -q old; }

# refused_with STATUS...: the program said so in one line, and left nothing. Success
# is right as well: not every call matters.
refused_with() {
  case " $* 0 " in
    *" $status "*) ;;
    *) fail "$story: status $status ($(head -c 300 err.txt))" ;;
  esac
  whole_or_absent
  no_pending || fail "$story left $(compgen -G '.*.tracefold-*')"
  [ "$status" = 0 ] && return
  one_line || fail "$story: not one line on stderr: $(head -c 300 err.txt)"
  [ ! -e out.dot ] || fail "$story: status $status, and an output"
  case $story in
    force*) is_old || fail "$story: the old output is gone" ;;
    *) [ ! -e out ] || fail "$story: status $status, and an output" ;;
  esac
}

# What the next command needs.
fresh_output() {
  rm -rf out out.dot
  [ "$1" != force ] || { cp -r small out && echo old >> out/traces/0.evt; }
}

# A device that is full from some call on, or fails.
failing_output() {
  local command call fault
  for command in write force reduce lattice export; do
    fresh_output "$command"
    for call in $(drawn "$(calls_of write "$command")"); do
      for fault in $enospc $eio; do
        fresh_output "$command"
        with_fault write "$call" "$fault" "$command"
        refused_with 4
      done
    done
  done
}

# A call that reads fails: files of the trace, or too many of them open. `verify` reads every file of
# both archives, so each of its calls is taken.
failing_input() {
  local command call fault calls
  for command in info group reduce export profile call_paths iterations verify; do
    fresh_output "$command"
    calls=$(calls_of read "$command")
    for call in $([ "$command" = verify ] && seq "$calls" || drawn "$calls"); do
      for fault in $eio $emfile; do
        fresh_output "$command"
        with_fault read "$call" "$fault" "$command"
        refused_with 3 4
      done
    done
  done
}

# Killed at some call, the program leaves a hidden name at most, which the next run
# to that output removes; other runs leave it, and so does one while it is in use.
killed() {
  local command call left=0
  for command in write force reduce lattice export; do
    fresh_output "$command"
    for call in $(drawn "$(calls_of all "$command")"); do
      fresh_output "$command"
      with_fault all "$call" kill=9 "$command"
      [ "$status" = 137 ] || fail "$story: status $status"
      no_pending || left=$((left + 1))
      whole_or_absent
      rm -rf out.dot out
      run "$command" > /dev/null 2> err.txt || fail "$story: the next run fails: $(cat err.txt)"
      no_pending || fail "$story: the next run left $(compgen -G '.*.tracefold-*')"
    done
  done
  check "no killed run left anything" [ "$left" -gt 0 ]
}

# Of what has a hidden name, only what a killed run of this host left is removed.
left_by_others() {
  fresh_output write
  local stem=.out.tracefold-$(hostname) name
  local others=".out.tracefold-elsewhere-abcdef .out.tracefold-abcdef .out2.tracefold-$(hostname)-abcdef $stem-abcdef7 $stem-abc:ef"
  for name in $others; do mkdir "$name" && echo mine > "$name/notes"; done
  mkdir mine && echo mine > mine/notes && ln -s mine "$stem-linked"
  mkdir "$stem-folder" && echo old > "$stem-folder/traces.def"
  echo old > "$stem-a1file"
  run write || fail "the run beside others' files fails"
  for name in $others; do check "$name is gone" grep -q mine "$name/notes"; done
  check "the link is gone" [ -L "$stem-linked" ]
  check "what the link means is gone" grep -q mine mine/notes
  check "what a killed run left is still there" [ ! -e "$stem-folder" ]
  check "the file that a killed run left is still there" [ ! -e "$stem-a1file" ]
  # shellcheck disable=SC2086  # several names
  rm -rf $others mine "$stem-linked"
}

# While it is made, nobody else may look into it; then it has the rights that others get here.
private_while_made() {
  local command mask call calls
  for command in write lattice; do
    fresh_output "$command"
    calls=$(calls_of write "$command")
    for mask in 022 077; do
      rm -f modes
      # The first call of the second half at which there is something: before that, it may be tried
      # whether anything can be written.
      for call in $(seq $((calls / 2)) "$calls"); do
        fresh_output "$command"
        with_fault write "$call" "run=stat -c %a .out*.tracefold-* > modes 2> /dev/null || true" "$command"
        [ ! -s modes ] || break
      done
      (umask $mask && fresh_output "$command" && run "$command") > /dev/null 2>&1
      case $command in
        write) check "$command: others may look into it: $(cat modes)" [ "$(cat modes)" = 700 ] ;;
        *) check "$command: others may look into it: $(cat modes)" [ "$(cat modes)" = 600 ] ;;
      esac
      case $command$mask in
        write022) check "$command: rights $(stat -c %a out)" [ "$(stat -c %a out out/traces.otf2 out/traces/0.evt | paste -sd ' ')" = "755 644 644" ] ;;
        write077) check "$command: rights $(stat -c %a out)" [ "$(stat -c %a out out/tracefold.json out/traces/0.evt | paste -sd ' ')" = "700 600 600" ] ;;
        lattice022) check "$command: rights $(stat -c %a out.dot)" [ "$(stat -c %a out.dot)" = 644 ] ;;
        lattice077) check "$command: rights $(stat -c %a out.dot)" [ "$(stat -c %a out.dot)" = 600 ] ;;
      esac
    done
  done
}

# Two runs to one output: what one fills the other leaves alone, and the first to
# be done has it.
two_at_once() {
  local command call pid first
  for command in write reduce; do
    for call in $(drawn "$(fresh_output "$command"; calls_of write "$command")"); do
      fresh_output "$command"
      (export LD_PRELOAD=$injection FAULT_CALLS=write FAULT_AT=$call FAULT=kill=19 && run "$command") > /dev/null 2> first.txt &
      pid=$!
      until child=$(pgrep -P $pid) && [[ $(ps -o state= -p "$child") == T* ]]; do sleep 0.01; done
      first=$(compgen -G '.out.tracefold-*' || true)
      run "$command" > out.txt 2> err.txt && status=0 || status=$?
      story="two runs of $command, one stopped at call $call"
      checks=$((checks + 1))
      [ -z "$first" ] || [ -e "$first" ] || [ "$status" = 4 ] || fail "$story: the other took its folder"
      kill -CONT "$child"
      wait $pid && other=0 || other=$?
      case $other$status in
        04 | 40) ;;
        *) fail "$story: status $other and $status" ;;
      esac
      whole_or_absent
      no_pending || fail "$story: something is left"
    done
  done
}

# File systems that know no locks, and no way to exchange two names.
simple_file_system() {
  local command
  export FAULT_SIMPLE=1
  for command in write force reduce lattice export; do
    fresh_output "$command"
    with_fault all -1 0 "$command"
    refused_with
    ! is_old || fail "$story: the old output is still there"
  done
  mkdir -p out && echo mine > out/notes
  with_fault all -1 0 write
  check "$story: status $status" [ "$status" = 4 ]
  check "a folder was replaced" grep -q mine out/notes
  unset FAULT_SIMPLE
}

# Room is looked for before anything is written, and before a long reading.
little_room() {
  local command
  rm -rf out
  for command in write reduce expand; do
    status=0
    (export LD_PRELOAD=$injection FAULT_FREE=1000 && run "$command") > out.txt 2> err.txt < /dev/null || status=$?
    story="$command with 1000 free bytes"
    check "$story: status $status, $(cat err.txt)" [ "$status" = 4 ]
    check "$story: no room is not the reason: $(cat err.txt)" grep -q 'are needed, and 1000 bytes are free' err.txt
    check "$story: an output" [ ! -e out ]
    no_pending || fail "$story: something is left"
  done
}

# Few open files, little memory.
limits() {
  local command kib
  fresh_output reduce
  expect 0 bash -c 'ulimit -n 64; exec "$1" reduce many/traces.otf2 -o out -q' - "$TRACEFOLD"
  check "with few open files: not clean" is_clean out/traces.otf2
  for command in reduce profile verify; do
    for kib in 50000 80000 120000 200000 400000; do
      fresh_output "$command"
      status=0
      (ulimit -v "$kib" && run "$command") > out.txt 2> err.txt || status=$?
      story="$command with $kib KiB of memory"
      checks=$((checks + 1))
      [ "$status" = 127 ] || refused_with 3  # 127: not even its libraries fit in
    done
  done
}

# Asked to stop at some call, it does, and leaves nothing.
stopped() {
  local command call signal
  for command in write force reduce lattice export group verify; do
    fresh_output "$command"
    for call in $(drawn "$(calls_of all "$command")"); do
      for signal in 2 15 13; do
        fresh_output "$command"
        with_fault all "$call" kill=$signal "$command"
        refused_with $((signal == 13 ? 130 : 128 + signal))
      done
    done
  done
}

# Other programs work on the trace while it is read: none may end this one with a
# signal, and what comes out is clean.
changed_input() {
  local command call change
  rm -rf app && cp -rp kept_long app && rm -rf small && "$TRACEFOLD" reduce app/traces.otf2 -o small -q
  for command in info group reduce profile call_paths iterations verify; do
    fresh_output "$command"
    for call in $(drawn "$(calls_of read "$command")"); do
      for change in "truncate -s 30 app/traces/*.evt" "truncate -s 0 app/traces/*" "rm -r app/traces" "rm -r app" "cp other/traces/*.evt app/traces/" \
        "mv other/traces app/moved && mv app/traces other/traces && mv app/moved app/traces" "truncate -s 40 app/traces.def" "chmod -R a-r app"; do
        fresh_output "$command"
        rm -rf app other && cp -rp kept_long app && cp -rp kept other
        with_fault read "$call" "run=$change" "$command"
        [ "$command" = verify ] && [ "$status" = 1 ] && continue  # other events are not what the reduced trace stands for
        refused_with 3
      done
    done
  done
  rm -rf app small && cp -rp kept app && "$TRACEFOLD" reduce app/traces.otf2 -o small -q
}

# The output's folder is taken away, or another run is sooner.
changed_output() {
  local command call change
  for command in write force reduce; do
    fresh_output "$command"
    for call in $(drawn "$(calls_of write "$command")"); do
      for change in "rm -rf .out.tracefold-*" "mkdir -p out/mine" "ln -sfn /nowhere out" "echo mine > out"; do
        fresh_output "$command"
        with_fault write "$call" "run=($change) 2> /dev/null; true" "$command"
        [ "$status" = 0 ] || [ "$status" = 4 ] || fail "$story: status $status ($(cat err.txt))"
        [ "$status" = 0 ] || one_line || fail "$story: not one line on stderr: $(head -c 300 err.txt)"
        [ "$status" = 4 ] || is_clean out/traces.otf2 || fail "$story: the output is not clean"
        case $command:$change in
          force:*) ;;
          *:mkdir*) [ "$status" = 4 ] && [ ! -d out/mine ] && fail "$story: another's folder is gone" ;;
          *:echo*) [ "$status" = 4 ] && [ "$(cat out)" != mine ] && fail "$story: another's file is gone" ;;
        esac
        no_pending || fail "$story left $(compgen -G '.*.tracefold-*')"
      done
    done
  done
}

trace_in app --ranks 3 --threads 2 --iterations 2
cp -rp app kept
trace_in kept_long --ranks 2 --threads 1 --iterations 10000  # of several chunks
before=$(hash_of kept)
trace_in many --ranks 150 --threads 4 --iterations 1
"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select > plan.json
"$TRACEFOLD" reduce app/traces.otf2 -o small -q

for part in ${TRACEFOLD_FAULTS:-failing_output failing_input killed left_by_others private_while_made two_at_once simple_file_system little_room limits stopped changed_input changed_output}; do
  "$part"
  check "$part: the input has changed" [ "$before" = "$(hash_of app)" ]
done
finish
