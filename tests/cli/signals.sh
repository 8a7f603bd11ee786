#!/usr/bin/env bash
# A signal at any moment leaves the input as it is and no half output. Some moments
# are fixed; others are drawn with TRACEFOLD_SEED (1): TRACEFOLD_MOMENTS (1) for each
# command and signal.
[ -w /dev/shm ] && export TMPDIR=${TMPDIR:-/dev/shm}  # where a sync costs nothing
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

delays="0.01 0.05 0.1 0.15 0.2 0.3 0.4"
interrupted=0

command_line() {
  case $1 in
    reduce) exec "$TRACEFOLD" reduce big/traces.otf2 -o out --exact -q < /dev/null ;;
    group) exec "$TRACEFOLD" group big/traces.otf2 < /dev/null ;;
    write) exec "$TRACEFOLD" write -o out -q < plan.json ;;
    lattice) exec "$TRACEFOLD" lattice big/traces.otf2 -o out.dot -q < /dev/null ;;
    verify) exec "$TRACEFOLD" verify small/traces.otf2 --against big/traces.otf2 < /dev/null ;;
    pairs) exec "$TRACEFOLD" similarity --pairs big/traces.otf2 < /dev/null ;;
    why) exec "$TRACEFOLD" group --why big/traces.otf2 < /dev/null ;;
    call_paths) exec "$TRACEFOLD" profile big/traces.otf2 --call-paths < /dev/null ;;
    *) exec "$TRACEFOLD" "$1" big/traces.otf2 < /dev/null ;;
  esac
}

# start COMMAND: in the background, as $pid. A child that a signal meets before it has
# become the program would run the trap of this shell.
start() {
  trap - EXIT
  command_line "$1" > out.txt 2> err.txt &
  pid=$!
  trap "$clean_up" EXIT
}

# Ends when the rewrite pass has begun, or the program has ended.
wait_for_rewrite() {
  local pid=$1
  until pending . || ! kill -0 "$pid" 2> /dev/null; do :; done
}

# stop SIGNAL COMMAND DELAY: DELAY in seconds, or `rewrite`: once that pass runs.
stop() {
  local signal=$1 command=$2 delay=$3 status=0 pid
  rm -rf out
  start "$command"
  if [ "$delay" = rewrite ]; then wait_for_rewrite "$pid"; else sleep "$delay"; fi
  kill -"$signal" "$pid" 2> /dev/null || true
  wait "$pid" || status=$?
  checks=$((checks + 1))
  if [ "$status" = 0 ]; then
    after_the_end "$command"
    return
  fi
  interrupted=$((interrupted + 1))
  case $signal:$status in
    INT:130 | TERM:143 | HUP:129) ;;
    *) fail "$command, $signal after $delay: status $status ($(head -n 1 err.txt))" ;;
  esac
  check "$command, $signal after $delay: more than a line on stderr: $(head -c 300 err.txt)" [ "$(wc -l < err.txt)" -le 1 ]
  check "$command, $signal after $delay: half a result on stdout" [ ! -s out.txt ]
  no_output out
}

# The signal came too late: then the output is whole.
after_the_end() {
  if [ "$1" = group ]; then
    check "group: half a plan" python3 -m json.tool out.txt /dev/null
  else
    check "$1: half an output" is_clean out/traces.otf2
    check "$1: an unfinished output is left" no_pending
  fi
}

# Nothing can be removed after SIGKILL, but nothing may look finished.
kill_hard() {
  local status=0 pid
  rm -rf out
  start write
  if [ "$1" = rewrite ]; then wait_for_rewrite "$pid"; else sleep "$1"; fi
  kill -KILL "$pid" 2> /dev/null || true
  wait "$pid" 2> /dev/null || status=$?
  checks=$((checks + 1))
  if [ "$status" = 137 ]; then
    [ ! -e out ] || is_clean out/traces.otf2 || fail "SIGKILL after $1 left half an output"
    check "unexpected names are left: $(ls -A)" [ -z "$(ls -A | grep -Ev '^(big|out|plan\.json|(out|err)\.txt|\.out\.tracefold-.*)$')" ]
  fi
}

# anytime COMMAND: signals at moments between its beginning and its end.
anytime() {
  local command=$1 signal status pid took delay
  rm -rf out out.dot
  took=$(date +%s%N)
  (command_line "$command") > /dev/null 2>&1
  took=$((($(date +%s%N) - took) / 1000))
  for signal in INT TERM HUP PIPE KILL; do
    for ((k = 0; k < ${TRACEFOLD_MOMENTS:-1}; ++k)); do
      rm -rf out out.dot
      : > out.txt
      : > err.txt
      delay=$((took * (RANDOM % 1000) / 1000))
      start "$command"
      sleep "$(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000)))"
      kill -"$signal" "$pid" 2> /dev/null || true
      wait "$pid" 2> /dev/null && status=0 || status=$?
      sound "$command" "$signal" "$status" "$delay"
    done
  done
}

# What is left after a signal, whether it came in time or not.
sound() {
  local story="$1, $2 after $4 us, status $3"
  checks=$((checks + 1))
  case $2:$3 in
    *:0) ;;
    KILL:137) moments_met=$((moments_met + 1)) ;;
    INT:130 | TERM:143 | HUP:129) moments_met=$((moments_met + 1)) && [ ! -s out.txt ] || fail "$story: half a result on stdout" ;;
    # Before its handlers are there a signal ends it, as any program.
    PIPE:141) [ ! -s err.txt ] || fail "$story: $(head -n 1 err.txt)" ;;
    *) fail "$story: $(head -n 1 err.txt)" ;;
  esac
  [ ! -e out ] || is_clean out/traces.otf2 || fail "$story: half an output"
  [ ! -e out.dot ] || [ "$(tail -n 1 out.dot)" = "}" ] || fail "$story: half a drawing"
  if [ "$2" = KILL ]; then
    rm -rf out out.dot
    (command_line "$1") > out.txt 2> err.txt || fail "$story: the next run fails: $(cat err.txt)"
  fi
  no_pending || fail "$story: an unfinished output is left"
  [ "$(wc -l < err.txt)" -le 1 ] || [ "$3" = 0 ] || fail "$story: more than a line on stderr: $(head -c 300 err.txt)"
}

RANDOM=${TRACEFOLD_SEED:-1}
moments_met=0
trace_in big --ranks 200 --threads 2 --iterations 200
before=$(hash_of big)
"$TRACEFOLD" filter big/traces.otf2 > filter.json
"$TRACEFOLD" group --exact < filter.json > plan.json
rm filter.json

for signal in INT TERM; do
  for delay in $delays; do
    stop "$signal" group "$delay"
    stop "$signal" reduce "$delay"
    stop "$signal" write "$delay"
  done
  stop "$signal" reduce rewrite
  stop "$signal" write rewrite
done
stop HUP write rewrite
[ "$interrupted" -ge 4 ] || fail "only $interrupted runs were interrupted: the trace is too small for this test"
for delay in 0.05 0.1 0.2 rewrite; do kill_hard "$delay"; done

"$TRACEFOLD" reduce big/traces.otf2 -o small -q
for command in reduce write lattice filter group select similarity pairs why profile call_paths iterations info verify; do anytime "$command"; done

check "the input has changed" [ "$before" = "$(hash_of big)" ]
printf '%s runs were interrupted\n' "$((interrupted + moments_met))"
finish
