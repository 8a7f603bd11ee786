#!/usr/bin/env bash
# reduce --epilogue: what it finds and skips, locks, time limits, signals, damage, rights, a full
# disk, deletion, and that it prints nothing and ends with status 0 whatever happens.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# epilogue ARGUMENTS...: silent, with status 0; a new log in log.jsonl.
epilogue() {
  rm -f log.jsonl
  expect 0 "$TRACEFOLD" reduce --epilogue "$@" --log log.jsonl
  check "it prints on stdout: $(head -c 200 out.txt)" [ ! -s out.txt ]
  check "it prints on stderr: $(head -c 200 err.txt)" [ ! -s err.txt ]
}

# field NAME [LINE]: of a line of the log, the first without a number.
field() { python3 -c 'import json, sys; print(json.loads(open("log.jsonl").readlines()[int(sys.argv[2]) - 1])[sys.argv[1]])' "$1" "${2:-1}"; }

statuses() { python3 -c 'import json; print(", ".join(json.loads(l)["status"] for l in open("log.jsonl")))'; }

# logs WORDS STATUSES
logs() { check "$1: the log says '$(statuses)' instead of '$2': $(cat log.jsonl)" [ "$(statuses)" = "$2" ]; }

# A job whose traces take some time, or a moment. On a busy machine they take much longer, as an epilogue gives way to all others:
# a time limit that is not to be reached is an hour.
long_job() { [ -e long_trace ] || trace_in long_trace --ranks 100 --threads 2 --iterations 200; mkdir -p "$1" && cp -r long_trace "$1/run"; }
job() { for run in "${@:2}"; do trace_in "$1/$run" --ranks 8 --threads 2 --iterations 20; done; }

# What it finds, writes and skips.
job found run deeper/run
trace_in found/other --ranks 2 --threads 1 --iterations 3
before=$(hash_of found/run)
epilogue found
logs "three traces" "done, done, done"
check "run is not reduced" is_clean found/run-small/traces.otf2
check "deeper/run is not reduced" is_clean found/deeper/run-small/traces.otf2
check "the original has changed" [ "$before" = "$(hash_of found/run)" ]
check "a lock or an unfinished output is left" [ -z "$(find found -name '*.lock*' -o -name '.*tracefold*')" ]
check "the trace is $(field trace 3)" [ "$(field trace 3)" = "$work/found/run/traces.otf2" ]
check "the output is $(field output 3)" [ "$(field output 3)" = "$work/found/run-small" ]
bytes_in() { find "$1" -type f -printf '%s\n' | awk '{sum += $1} END {print sum}'; }
check "the trace is $(field bytes 3) bytes" [ "$(field bytes 3)" = "$(bytes_in found/run)" ]
check "the reduced one is $(field small_bytes 3) bytes" [ "$(field small_bytes 3)" = "$(bytes_in found/run-small)" ]
check "the original was $(field original 3)" [ "$(field original 3)" = kept ]
# Beside the trace, too, since the plan names it as seen from there.
expect 0 "$TRACEFOLD" reduce found/run/traces.otf2 -o found/alone -q
check "it is not what reduce makes" cmp -s found/alone/tracefold.json found/run-small/tracefold.json
rm -rf found/alone
epilogue found
logs "once more" "exists, exists, exists"
rm -rf found/run found/other found/deeper/run
epilogue found
logs "only results" "no trace"

# A result of another trace stays unless that is asked for.
job other run
epilogue other
rm -rf other/run
trace_in other/run --ranks 6 --threads 1 --iterations 4
before=$(hash_of other/run-small)
epilogue other
logs "a result of another trace" exists
check "no word of another trace: $(field message)" grep -q "made of another trace" <<< "$(field message)"
check "it was replaced" [ "$before" = "$(hash_of other/run-small)" ]
epilogue other --force
logs "a result of another trace, with --force" "done"

# No trace, no folder, damage, rights.
mkdir empty
epilogue empty
logs "an empty folder" "no trace"
epilogue none
logs "no folder" "no trace"
job damaged one two
head -c 100 damaged/one/traces.def > cut && mv cut damaged/one/traces.def
: > damaged/noise.otf2
epilogue damaged
logs "damage" "damaged, damaged, done"
check "something is written of a damaged trace" [ ! -e damaged/one-small ]

# Names that hold anything but a slash are no more than names, and a line of the log stays one.
trace_in hostile_trace --ranks 2 --threads 1 --iterations 3
mkdir hostile
(
  cd hostile
  for name in '-rf' $'two\nlines' '"quoted"' '$(touch made)' $'\e[31mred' $'\xff\xfe' ' blank '; do
    cp -r ../hostile_trace "./$name"
  done
)
epilogue hostile
logs "hostile names" "done, done, done, done, done, done, done"
check "a hostile name was run" [ ! -e made -a ! -e hostile/made ]
check "a control character is in the log" [ "$(tr -d '\n' < log.jsonl | tr -cd '\000-\037' | wc -c)" = 0 ]
for folder in hostile/*-small; do check "$folder is not reduced" is_clean "$folder/traces.otf2"; done

# Two traces that would be reduced to one name are told, and none replaces the result of the other.
job collide run-one
trace_in collide/run --ranks 2 --threads 1 --iterations 3
cp -r collide/run/traces collide/run/one && cp collide/run/traces.def collide/run/one.def && cp collide/run/traces.otf2 collide/run/one.otf2
epilogue collide --force --then-delete original
logs "one name for two" "failed, done, failed"
check "the one name was used" [ ! -e collide/run-one-small ]
check "a trace without a result was deleted" [ -e collide/run-one/traces.otf2 -a -e collide/run/one.otf2 ]

# Wrong use is told, and no failure either.
wrong_use() {
  rm -f log.jsonl
  expect 0 "$TRACEFOLD" "$@" --log log.jsonl
  check "$*: nothing is said" [ -s err.txt ]
  logs "$*" "wrong use"
}
wrong_use reduce --epilogue empty --timeout soon
wrong_use reduce --epilogue empty --timeout 0
wrong_use reduce --epilogue empty --no-such-option
wrong_use reduce --epilogue empty -o out
wrong_use reduce --epilogue empty x/traces.otf2
check "the argument is not named: $(field message)" grep -q "'x/traces.otf2' means nothing with --epilogue" <<< "$(field message)"
wrong_use reduce --epilogue= --timeout 1s
wrong_use reduce --epilogue empty --then-delete all
wrong_use reduce --epilogue empty --then-delete original --partial
wrong_use redcue --epilogue empty
expect 2 "$TRACEFOLD" reduce --timeout 5s
expect 2 "$TRACEFOLD" reduce x/traces.otf2 -o out --then-delete original

# A log that cannot be written is told, and no failure.
expect 0 "$TRACEFOLD" reduce --epilogue empty --log none/log.jsonl
check "nothing is said of a log that cannot be written" grep -q "none/log.jsonl" err.txt
expect 0 "$TRACEFOLD" reduce --epilogue empty --log -
check "no log on stdout" grep -q '"no trace"' out.txt

# start ARGUMENTS...: in the background, with a new log in log.jsonl and enough time; `pid` is the process.
start() {
  rm -f log.jsonl
  (trap - EXIT; exec "$TRACEFOLD" reduce --epilogue "$@" --timeout 1h --log log.jsonl) > out.txt 2> err.txt &
  pid=$!
}

# wait_until TEST FILE: as [ TEST FILE ], or until the process has ended.
wait_until() { until [ "$@" ] || ! kill -0 "$pid" 2> /dev/null; do sleep 0.01; done; }

# Locks.
job locked run
lock=locked/run-small.lock
printf '{"host":"elsewhere","process":1,"job":"7","seconds":60}' > "$lock"
epilogue locked --timeout 60s
logs "a lock of another host" busy
check "it is not said who: $(field message)" grep -q "host elsewhere, process 1, job 7" <<< "$(field message)"
check "something is written beside a lock" [ ! -e locked/run-small ]
touch -d "1 hour ago" "$lock"
epilogue locked --timeout 60s
logs "an old lock" "done"
check "the lock is left" [ ! -e "$lock" ]

long_job together
for k in 1 2 3; do
  (trap - EXIT; exec "$TRACEFOLD" reduce --epilogue together --timeout 1h --log "together.$k") > /dev/null 2>&1 &
done
wait
cat together.? > log.jsonl
check "three at once: $(statuses)" [ "$(statuses | tr -d ' ' | tr , '\n' | grep -c done)" = 1 ]
check "three at once: half an output" is_clean together/run-small/traces.otf2

rm -rf together/run-small
epilogue together --timeout 1h --memory 1MiB
logs "little memory" "done"
expect 0 "$TRACEFOLD" reduce together/run/traces.otf2 -o together/enough -q
for file in traces.otf2 traces.def tracefold.profiles tracefold.json traces/0.evt; do
  check "little memory changes $file" cmp -s "together/enough/$file" "together/run-small/$file"
done

# A process that is killed leaves a lock that the next one takes over, and its child ends.
has_ended() {
  local k
  for k in $(seq 100); do
    [ -e "/proc/$1" ] || return 0
    sleep 0.1
  done
  return 1
}
long_job killed
start killed
wait_until -s killed/run-small.lock
child=$(pgrep -P "$pid") || fail "there is no child to outlive its parent"
kill -KILL "$pid"
wait "$pid" 2> /dev/null || true
check "the child of a killed process goes on" has_ended "$child"
check "a killed process leaves no lock" [ -s killed/run-small.lock ]
epilogue killed --timeout 1h
logs "after a killed one" "done"

# A child that is killed, as where memory ends: what it left is removed, and the log alone tells of it.
rm -rf killed/run-small
start killed
wait_until -s killed/run-small.lock
child=$(pgrep -P "$pid") || fail "there is no child to kill"
until compgen -G 'killed/.run-small.tracefold-*/*' > /dev/null || ! kill -0 "$pid" 2> /dev/null; do :; done
kill -KILL "$child" || fail "no child was writing"
wait "$pid" || fail "it ends with status $?"
check "it prints on stderr: $(head -c 200 err.txt)" [ ! -s err.txt ]
logs "a child that was killed" failed
check "something is left of a killed child: $(ls -A killed)" [ -z "$(find killed -name '*.lock*' -o -name '.*tracefold*')" ]

# A signal.
rm -rf killed/run-small
start killed
wait_until -s killed/run-small.lock
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
check "status $status after a signal" [ "$status" = 0 ]
logs "a signal" interrupted
check "something is left after a signal: $(ls -A killed)" [ "$(ls -A killed)" = run ]

# A trace that is still being written: what was read of it need not fit together.
long_job written
start written
wait_until -s written/run-small.lock
touch written/run/traces/3.evt
wait "$pid"
logs "a trace that is being written" changing
check "something stays of a trace that is being written: $(ls -A written)" [ "$(ls -A written)" = run ]
epilogue written --timeout 1h
logs "a trace that was being written" "done"

# Time is over for all traces, and nothing half made stays.
long_job late
cp -r late/run late/second
began=$(date +%s%N)
epilogue late --timeout 100ms
took=$((($(date +%s%N) - began) / 1000000))
logs "no time" "timeout, timeout"
check "it took $took ms instead of 100" [ "$took" -lt 5000 ]
check "something is left when time was over: $(ls -A late)" [ "$(ls -A late)" = "$(printf 'run\nsecond')" ]

# A full disk, and a folder of somebody else.
if [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=4m none full 2> /dev/null; then
  clean_up="umount '$work/full'; $clean_up"
  trap "$clean_up" EXIT
  trace_in full/run --ranks 16 --threads 2 --iterations 60
  cat /dev/zero > full/rest 2> /dev/null || true
  epilogue full
  logs "a full disk" "disk full"
  check "something is left on a full disk: $(ls -A full)" [ "$(ls -A full | tr '\n' ' ')" = "rest run " ]
else
  skipped "no disk can be made full here"
fi
if [ "$(id -u)" = 0 ] && command -v runuser > /dev/null; then
  job foreign run
  chmod 755 "$work"
  cp "$TRACEFOLD" tracefold.copy
  : > foreign.log
  chown nobody foreign.log
  expect 0 runuser -u nobody -- "$work/tracefold.copy" reduce --epilogue "$work/foreign" --log "$work/foreign.log"
  cp foreign.log log.jsonl
  logs "a folder of somebody else" "no permission"
fi

# The original goes only where nothing was odd.
deletes() {
  epilogue "$1" --then-delete original
  logs "$1" "done"
  check "$1: the original was $(field original): $(field message)" [ "$(field original)" = "$2" ]
  check "$1: half an output" is_clean "$1/run-small/traces.otf2"
}
job deleted run
echo mine > deleted/run/notes.txt
deletes deleted deleted
check "what is left of it: $(ls deleted/run)" [ "$(ls deleted/run)" = notes.txt ]

mkdir small
trace_in small/run --ranks 2 --threads 1 --iterations 2
deletes small kept
check "the reduced trace is smaller: $(field bytes) -> $(field small_bytes)" [ "$(field small_bytes)" -ge "$(field bytes)" ]
check "a small original is not said to stay: $(field message)" grep -q "is not smaller" <<< "$(field message)"

job strange run
echo mine > strange/run/traces/notes.txt
deletes strange kept

job linked run
mv linked/run/traces elsewhere
ln -s "$work/elsewhere" linked/run/traces
deletes linked kept
check "what a link leads to was deleted" [ -n "$(ls elsewhere)" ]

job warned run
rm warned/run/traces/3.def
deletes warned kept
check "no warning is in the log: $(cat log.jsonl)" grep -q "local definition" <<< "$(field warnings)"

# Its files change once its output is there: before that is known to be whole, or when it is verified.
long_job touched
start touched --then-delete original
wait_until -e touched/run-small
touch touched/run/traces/3.evt
wait "$pid"
check "files that changed were deleted: $(cat log.jsonl)" [ "$(field original)" != deleted -a -e touched/run/traces.otf2 ]
check "why they stay is not said: $(field message)" grep -q "have changed" <<< "$(field message)"

job earlier run
epilogue earlier
epilogue earlier --then-delete original
logs "a result of an earlier run" exists
check "an original was deleted that was reduced earlier" [ -e earlier/run/traces.otf2 ]

finish
