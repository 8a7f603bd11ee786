#!/usr/bin/env bash
# A signal at any moment leaves the input as it is and no half output.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

delays="0.01 0.05 0.1 0.15 0.2 0.3 0.4"
interrupted=0

command_line() {
  case $1 in
    reduce) exec "$TRACEFOLD" reduce big/traces.otf2 -o out --exact -q < /dev/null ;;
    group) exec "$TRACEFOLD" group big/traces.otf2 < /dev/null ;;
    write) exec "$TRACEFOLD" write -o out -q < plan.json ;;
  esac
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
  command_line "$command" > out.txt 2> err.txt &
  pid=$!
  if [ "$delay" = rewrite ]; then wait_for_rewrite "$pid"; else sleep "$delay"; fi
  kill -"$signal" "$pid" 2> /dev/null || true
  wait "$pid" || status=$?
  checks=$((checks + 1))
  if [ "$status" = 0 ]; then
    after_the_end "$command"
    return
  fi
  interrupted=$((interrupted + 1))
  [ "$status" = 130 ] || fail "$command, $signal after $delay: status $status instead of 130 ($(head -n 1 err.txt))"
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
  command_line write &
  pid=$!
  if [ "$1" = rewrite ]; then wait_for_rewrite "$pid"; else sleep "$1"; fi
  kill -KILL "$pid" 2> /dev/null || true
  wait "$pid" 2> /dev/null || status=$?
  checks=$((checks + 1))
  if [ "$status" = 137 ]; then
    [ ! -e out ] || is_clean out/traces.otf2 || fail "SIGKILL after $1 left half an output"
    check "unexpected names are left: $(ls -A)" [ -z "$(ls -A | grep -Ev '^(big|out|plan\.json|(out|err)\.txt|\.out\.tracefold-.*)$')" ]
  fi
  rm -rf .out.tracefold-*
}

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

# What a killed run left behind does not bother the next.
expect 0 "$TRACEFOLD" reduce big/traces.otf2 -o out --force
check "the input has changed" [ "$before" = "$(hash_of big)" ]
printf '%s runs were interrupted\n' "$interrupted"
finish
