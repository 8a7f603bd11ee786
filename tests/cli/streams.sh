#!/usr/bin/env bash
# Traces as streams: what comes out of a tar is what a folder would hold, a trace in a tar is the
# trace that was packed, plans travel with their traces, and nothing is left in $TMPDIR.
#   streams.sh TRACEFOLD MAKE_TRACE [shared]   only real traces, of which TRACEFOLD_FEW names some
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

shared=${TRACEFOLD_SHARED:-$root/../shared}/traces
export TMPDIR=$work/tmp
mkdir "$TMPDIR"

nothing_is_left() { check "left in TMPDIR after $1: $(ls -A "$TMPDIR")" [ -z "$(ls -A "$TMPDIR")" ]; }

same_folders() { check "$1: $2 and $3 differ" diff -r "$2" "$3"; }

unpacked() {
  rm -rf unpacked
  mkdir unpacked
  tar -xf "$1" -C unpacked
}

# A trace as a folder and through each kind of stream; $1 is its anchor.
written() {
  local trace=$1
  rm -rf small stream.tar packed.*
  expect 0 "$TRACEFOLD" reduce "$trace" -o small -q
  "$TRACEFOLD" reduce "$trace" -o - -q < /dev/null > stream.tar || fail "reduce $trace -o -: status $?"
  unpacked stream.tar
  same_folders "$trace, -o -" small unpacked
  check "$trace: the anchor is not last" [ "$(tar -tf stream.tar | tail -n 1)" = traces.otf2 ]

  local file
  for file in traces.otf2 traces.def tracefold.json tracefold.profiles; do
    check "$trace: no $file in the tar" grep -qx "$file" <(tar -tf stream.tar)
  done
  local ending
  for ending in tar tar.gz tar.zst; do
    expect 0 "$TRACEFOLD" reduce "$trace" -o packed.$ending -q
    unpacked packed.$ending
    same_folders "$trace, $ending" small unpacked
  done
  check "$trace: -o - and -o FILE.tar differ" cmp stream.tar packed.tar
  expect 0 "$TRACEFOLD" reduce "$trace" -o packed.tar.gz -q --force --threads 1
  cp packed.tar.gz again.tar.gz
  expect 0 "$TRACEFOLD" reduce "$trace" -o packed.tar.gz -q --force
  check "$trace: two times are not the same" cmp packed.tar.gz again.tar.gz
  nothing_is_left "writing $trace"
}

# The same result, but that the plan, and with it the anchor, says where the trace came from.
same_result() {
  check "$1: other files" diff -rq -x tracefold.json -x traces.otf2 "$2" "$3"
  check "$1: another plan" diff <(without_name "$2") <(without_name "$3")
}

without_name() {
  python3 -c 'import json, sys
plan = json.load(open(sys.argv[1] + "/tracefold.json"))
del plan["trace"]["anchor"]
print(json.dumps(plan))' "$1"
}

# A tar $2 of the trace $1, in every way that traces are read.
read_back() {
  local trace=$1 pack=$2
  rm -rf small from_*
  expect 0 "$TRACEFOLD" reduce "$trace" -o small -q
  expect 0 "$TRACEFOLD" reduce "$pack" -o from_file -q
  same_result "$pack" small from_file
  "$TRACEFOLD" reduce - -o from_pipe -q < <(cat "$pack") || fail "reduce - < $pack: status $?"
  same_result "$pack, a pipe" small from_pipe
  "$TRACEFOLD" reduce - -o from_stdin -q < "$pack" || fail "reduce - < $pack: status $?"
  same_result "$pack, a file on stdin" small from_stdin
  expect 0 "$TRACEFOLD" verify small/traces.otf2 --against "$pack"
  expect 0 "$TRACEFOLD" verify from_pipe/traces.otf2 --against "$trace"

  "$TRACEFOLD" group "$trace" < /dev/null > plan.json
  "$TRACEFOLD" group "$pack" < /dev/null > packed.json
  check "$pack: another identity" diff <(identity plan.json) <(identity packed.json)
  "$TRACEFOLD" select --trace "$pack" < plan.json > chosen.json || fail "--trace $pack: status $?"
  nothing_is_left "reading $pack"
}

identity() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["trace"]["identity"])' "$1"; }

made_trace() {
  trace_in app --ranks 8 --threads 2
  written app/traces.otf2

  tar -cf flat.tar -C app .
  tar -czf folder.tar.gz app
  tar --zstd --format=posix -cf pax.tar.zst app
  tar -cJf xz.tar.xz app
  tar -cjf bzip2.tbz2 app
  echo "of the measurement" > app/scorep.cfg
  tar --format=gnu -cf more.tar app
  rm app/scorep.cfg
  local pack
  for pack in flat.tar folder.tar.gz pax.tar.zst xz.tar.xz bzip2.tbz2 more.tar; do read_back app/traces.otf2 "$pack"; done
}

# A reduced trace that was packed still answers for all processes.
reading_commands() {
  tar --zstd -cf app.tar.zst app
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small -q --force
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o small.tar.zst -q --force
  local command
  for command in info "summary --json" "compare --between rank:0,rank:1 --json" "profile --json" "matrix --json" \
    "matrix --metric waiting --json" "similarity --pairs --json" similarity "correlate --all-pairs --json" iterations \
    "iterations --map visits" "iterations --map sends --json" lattice "group --format csv"; do
    # shellcheck disable=SC2086
    "$TRACEFOLD" $command small/traces.otf2 > of_folder.txt 2> /dev/null < /dev/null || fail "$command"
    # shellcheck disable=SC2086
    "$TRACEFOLD" $command small.tar.zst > of_tar.txt 2> /dev/null < /dev/null || fail "$command of a tar"
    check "$command of a tar says something else" diff <(without_trace of_folder.txt) <(without_trace of_tar.txt)
  done
  expect 0 "$TRACEFOLD" compare small/traces.otf2 small.tar.zst
  check "a trace and its tar differ" grep -q "no difference" out.txt
  expect 0 "$TRACEFOLD" summary small/traces.otf2 small.tar.zst app.tar.zst
  expect 0 "$TRACEFOLD" expand small/traces.otf2 -o full -q
  expect 0 "$TRACEFOLD" expand small.tar.zst -o full.tar -q
  unpacked full.tar
  same_folders "expand" full unpacked
  "$TRACEFOLD" expand small.tar.zst -o - -q < /dev/null | cmp - full.tar || fail "expand -o -"
  expect 0 "$TRACEFOLD" filter app/traces.otf2 --locations 0-3
  cp out.txt filtered.json
  "$TRACEFOLD" write -o - -q < filtered.json > written.tar || fail "write -o -"
  expect 0 "$TRACEFOLD" info written.tar
  nothing_is_left "reading commands"
}
without_trace() { sed -E "s#($work/)?small(/traces\.otf2|\.tar\.zst)##" "$1"; }

refusals() {
  if script -qec true /dev/null > /dev/null 2>&1 < /dev/null; then
    local status=0
    script -qec "'$TRACEFOLD' reduce app/traces.otf2 -o - 2> err.txt" /dev/null > out.txt < /dev/null || status=$?
    check "a trace went to a terminal" [ "$status" = 2 ]
    check "no word of the terminal" grep -q terminal err.txt
  fi
  expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o - --json
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o packed.tar
  expect 4 bash -c '"$TRACEFOLD" reduce app/traces.otf2 -o - -q > /dev/full'
  local before
  before=$(sha256sum < flat.tar)
  expect 4 "$TRACEFOLD" reduce flat.tar -o flat.tar --force
  check "the input was replaced" [ "$before" = "$(sha256sum < flat.tar)" ]
  expect 4 bash -c '"$TRACEFOLD" reduce app/traces.otf2 -o - -q | true; exit "${PIPESTATUS[0]}"'
  check "advice that fits no pipe: $(cat err.txt)" grep -q 'the command that reads it has ended' err.txt
  expect 2 bash -c '"$TRACEFOLD" group - < flat.tar'
  expect 2 bash -c '"$TRACEFOLD" reduce - --trace app/traces.otf2 -o x < flat.tar'
  expect 3 "$TRACEFOLD" info flat.tar --max-size 64K
  check "--max-size is not named: $(cat err.txt)" grep -q 'unpacks to more than 64.0 KiB (--max-size allows more)' err.txt
  expect 4 env TMPDIR=/nowhere "$TRACEFOLD" info flat.tar
  expect 4 env TMPDIR=/proc "$TRACEFOLD" info flat.tar
  check "the message does not name TMPDIR" grep -q TMPDIR err.txt
  expect 4 env TMPDIR=/proc "$TRACEFOLD" reduce app/traces.otf2 -o -
  check "the message of a stream does not name TMPDIR" grep -q TMPDIR err.txt
  check "x is there" [ ! -e x ]
  if [ "$(id -u)" = 0 ] && mkdir tiny && mount -t tmpfs -o size=100k none tiny 2> /dev/null; then
    clean_up="umount '$work/tiny'; $clean_up"
    trap "$clean_up" EXIT
    expect 4 env TMPDIR="$work/tiny" "$TRACEFOLD" info flat.tar
    check "half of the room is not named: $(cat err.txt)" grep -q "half of the free space in tiny.*TMPDIR names another folder" err.txt
    expect 4 env TMPDIR="$work/tiny" "$TRACEFOLD" info flat.tar --max-size 1G
    check "free space is not named: $(cat err.txt)" grep -q "the free space in tiny.*TMPDIR names another folder" err.txt
  else
    skipped "no small TMPDIR can be made here"
  fi
  nothing_is_left "refusals"
}

signals() {
  # A pipe that stays open: only the signal ends the command.
  local signal status pipe
  mkfifo pipe
  exec {pipe}<> pipe
  for signal in INT TERM HUP; do
    status=0
    head -c 20000 flat.tar >&"$pipe"
    "$TRACEFOLD" reduce - -o never -q < pipe 2> err.txt &
    sleep 0.5
    kill -"$signal" "$!" || true
    wait "$!" || status=$?
    check "$signal: status $status" [ "$status" = $((128 + $(kill -l $signal))) ]
    check "$signal: not one line" [ "$(wc -l < err.txt)" = 1 ]
    check "$signal: an output" [ ! -e never ]
    nothing_is_left "$signal"
  done
  exec {pipe}>&-

  # A pipe that nobody reads, and that is full.
  mkfifo unread
  exec {pipe}<> unread
  for signal in INT TERM HUP; do
    status=0
    "$TRACEFOLD" write app/traces.otf2 -o - -q > unread 2> err.txt < /dev/null &
    sleep 1
    kill -"$signal" "$!" || true
    wait "$!" || status=$?
    check "$signal while writing: status $status" [ "$status" = $((128 + $(kill -l $signal))) ]
    check "$signal while writing: not one line" [ "$(wc -l < err.txt)" = 1 ]
    nothing_is_left "$signal while writing"
  done
  exec {pipe}>&-
}

plans_travel() {
  mkdir -p here/app there
  cp -r app/. here/app
  (cd here && "$TRACEFOLD" group app/traces.otf2 < /dev/null > plan.json)
  expect 0 "$TRACEFOLD" reduce here/app/traces.otf2 -o here/small -q
  check "the plan beside has no relative name" grep -q '"anchor": *"../app/traces.otf2"' here/small/tracefold.json

  mv here there/moved
  "$TRACEFOLD" select < there/moved/plan.json > there/chosen.json || fail "a moved plan: status $?"
  check "not found at the new place" grep -q "\"anchor\": *\"$work/there/moved/app/traces.otf2\"" there/chosen.json
  "$TRACEFOLD" write -o there/again -q < there/moved/small/tracefold.json || fail "a moved folder: status $?"
  expect 0 "$TRACEFOLD" verify there/moved/small/traces.otf2 --against there/moved/app/traces.otf2

  mv there/moved/app there/elsewhere
  expect 3 bash -c '"$TRACEFOLD" write -o x -q < there/moved/plan.json'
  check "no way out" grep -q -- --trace err.txt
  "$TRACEFOLD" write -o x1 -q --trace there/elsewhere/traces.otf2 < there/chosen.json || fail "--trace: status $?"
  # A trace beside a plan is where the trace of the plan is.
  "$TRACEFOLD" write there/elsewhere/traces.otf2 -o x2 -q < there/chosen.json || fail "beside a plan: status $?"
  same_folders "a trace beside a plan" x1 x2
  trace_in other --ranks 4
  expect 3 bash -c '"$TRACEFOLD" write other/traces.otf2 -o x3 -q < there/chosen.json'
  expect 3 bash -c '"$TRACEFOLD" write --trace other/traces.otf2 -o x3 -q < there/chosen.json'

  "$TRACEFOLD" reduce - -o piped -q < flat.tar || fail "reduce -"
  expect 3 bash -c '"$TRACEFOLD" write -o x4 -q < piped/tracefold.json'
  check "no word of the pipe" grep -q 'through a pipe.*--trace' err.txt
  "$TRACEFOLD" write --trace flat.tar -o x4 -q < piped/tracefold.json || fail "--trace of a tar"
  nothing_is_left "plans"
}

shared_traces() {
  compgen -G "$shared/*.tar.zst" > /dev/null || { skipped "no shared traces at $shared"; return; }
  local pack name anchors status
  for pack in "$shared"/*.tar.zst "$shared"-public/*.tar.zst; do
    [ -e "$pack" ] || continue
    name=$(basename "$pack" .tar.zst)
    [ -z "${TRACEFOLD_FEW:-}" ] || [[ " $TRACEFOLD_FEW " == *" $name "* ]] || continue
    rm -rf trace small from_pipe
    mkdir trace
    tar --zstd -xf "$pack" -C trace
    anchors=$(find trace -name '*.otf2')
    [ "$(wc -l <<< "$anchors")" = 1 ] || { skipped "$name holds several traces"; continue; }

    status=0
    "$TRACEFOLD" reduce "$anchors" -o small -q < /dev/null 2> err.txt || status=$?
    if [ "$status" != 0 ]; then
      # What cannot be read as a folder cannot be read as a stream, either.
      skipped "$name cannot be reduced: $(head -n 1 err.txt)"
      expect "$status" "$TRACEFOLD" reduce "$anchors" -o - -q
      expect "$status" "$TRACEFOLD" reduce "$pack" -o from_pipe -q
      nothing_is_left "$name"
      continue
    fi
    "$TRACEFOLD" reduce "$anchors" -o - -q < /dev/null > stream.tar || fail "$name: -o -"
    unpacked stream.tar
    same_folders "$name" small unpacked
    "$TRACEFOLD" reduce - -o from_pipe -q < <(cat "$pack") || fail "$name: reduce -"
    same_result "$name" small from_pipe
    nothing_is_left "$name"
  done
}

if [ "${3:-}" != shared ]; then
  made_trace
  reading_commands
  refusals
  signals
  plans_travel
fi
shared_traces
finish
