#!/usr/bin/env bash
# Damaged input and outputs that cannot be written: the right exit status, one
# line that names the file and a way out, and nothing left behind.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# one_error NAME: stderr is one error line that names NAME and ends in a hint.
one_error() {
  local lines
  lines=$(wc -l < err.txt)
  check "$lines lines on stderr instead of 1: $(head -c 300 err.txt)" [ "$lines" = 1 ]
  check "not an error of ours: $(cat err.txt)" grep -q '^tracefold: ' err.txt
  check "'$1' is not named in: $(cat err.txt)" grep -qF -- "$1" err.txt
  check "no way out in: $(cat err.txt)" grep -q '(.*)$' err.txt
}

# refused STATUS NAME ARGUMENTS...: of `tracefold reduce ARGUMENTS -o out`.
refused() {
  local status=$1 name=$2
  shift 2
  expect "$status" "$TRACEFOLD" reduce "$@" -o out
  one_error "$name"
  no_output out
}

# A fresh copy of the example in app/; each test damages it in its own way.
fresh() {
  rm -rf app out
  cp -rp example app
}

# The event file of the location that the library reads last.
an_event_file() { find app/traces -name '*.evt' | sort -V | tail -n 1; }

files_that_are_missing() {
  fresh
  refused 3 nowhere.otf2 app/nowhere.otf2
  refused 3 app app
  echo hello > app/text.otf2
  refused 3 text.otf2 app/text.otf2
  : > app/empty.otf2
  refused 3 empty.otf2 app/empty.otf2
  head -c 4096 /dev/urandom > app/noise.otf2
  refused 3 noise.otf2 app/noise.otf2
  refused 3 traces.def app/traces.def
  rm app/traces.def
  refused 3 traces.def app/traces.otf2
  fresh
  mv app/traces.otf2 app/other.otf2
  : > app/more.def
  refused 3 other app/other.otf2
  fresh
  local file
  file=$(an_event_file)
  rm "$file"
  refused 3 "${file##*/}" app/traces.otf2
  fresh
  rm -r app/traces
  refused 3 traces app/traces.otf2
}

damaged_definitions() {
  fresh
  truncate -s $(($(stat -c %s app/traces.def) / 2)) app/traces.def
  refused 3 traces.def app/traces.otf2
  fresh
  : > app/traces.def
  refused 3 traces.def app/traces.otf2
  fresh
  truncate -s $(($(stat -c %s app/traces.otf2) / 2)) app/traces.otf2
  refused 3 traces.otf2 app/traces.otf2
}

# partial_works FILE: --partial warns, naming the file, and marks the location.
# Nothing is folded, so that the damaged location is surely kept.
partial_works() {
  local plan=$work/plan.json
  expect 0 "$TRACEFOLD" filter app/traces.otf2
  cp out.txt "$plan"
  expect 0 bash -c '"$1" write --partial -o out < "$2"' - "$TRACEFOLD" "$plan"
  check "no warning names ${1##*/}: $(cat err.txt)" grep -q "warning: .*${1##*/}" err.txt
  otf2-print -G out/traces.otf2 > definitions.txt
  check "the property tracefold::partial is missing" grep -q 'tracefold::partial' definitions.txt
  check "the output of --partial is not clean" is_clean out/traces.otf2
  rm -rf out
  expect 0 "$TRACEFOLD" reduce --partial app/traces.otf2 -o out
  check "reduce: no warning names ${1##*/}: $(cat err.txt)" grep -q "warning: .*${1##*/}" err.txt
  rm -rf out
}

truncated_events() {
  local file portion
  for portion in 10 50 90; do
    fresh
    file=$(an_event_file)
    truncate -s $(($(stat -c %s "$file") * portion / 100)) "$file"
    refused 3 "${file##*/}" app/traces.otf2
    expect 3 "$TRACEFOLD" info app/traces.otf2
    one_error "${file##*/}"
    expect 3 "$TRACEFOLD" group app/traces.otf2
    one_error "${file##*/}"
    check "group printed a plan of a damaged trace" [ ! -s out.txt ]
    partial_works "$file"
  done
  fresh
  file=$(an_event_file)
  : > "$file"
  refused 3 "${file##*/}" app/traces.otf2
}

damaged_events() {
  fresh
  local file
  file=$(an_event_file)
  head -c 200 /dev/zero | tr '\0' '\377' | dd of="$file" bs=1 seek=$(($(stat -c %s "$file") / 2)) conv=notrunc status=none
  refused 3 "${file##*/}" app/traces.otf2
  partial_works "$file"
}

existing_output() {
  fresh
  mkdir out
  echo mine > out/notes.txt
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o out
  one_error out
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o out --force
  one_error out
  check "--force removed a folder that is no trace" grep -q mine out/notes.txt
  rm -r out
  echo mine > out
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o out
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o out --force
  check "--force replaced a file" grep -q mine out
  rm out
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o out
  cp -r out first
  echo old >> out/traces/0.evt
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o out
  check "a refused output was touched" grep -aq old out/traces/0.evt
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o out --force
  check "--force kept the old output" diff -r first out
  check "an unfinished output is left" no_pending
  # A run that fails leaves the old output where it is.
  echo old >> out/traces/0.evt
  truncate -s 20 "$(an_event_file)"
  expect 3 "$TRACEFOLD" reduce app/traces.otf2 -o out --force
  check "a failed run removed the old output" grep -aq old out/traces/0.evt
  check "an unfinished output is left" no_pending
}

# --force replaces what tracefold has written, and nothing that only looks like it.
output_with_others() {
  fresh
  local way what
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o out
  rm -rf first && cp -r out first
  for way in 'touch out/traces/999.evt' 'touch out/traces/999.def' 'touch out/traces/00.evt' \
    'touch out/traces/.evt' 'echo " " >> out/tracefold.json' 'cp app/traces.otf2 out' \
    'cp app/traces.def out' 'echo TRACEFOLD::VERSION > out/traces.otf2' 'rm out/traces.otf2' \
    'rm out/traces/0.evt && mkdir out/traces/0.evt' 'rm out/tracefold.json && ln -s /etc/passwd out/tracefold.json'; do
    rm -rf out && cp -r first out
    eval "$way"
    what=$(hash_of out)
    expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o out --force
    one_error out
    check "--force replaced it after: $way" [ "$what" = "$(hash_of out)" ]
  done

  for way in : 'rm out/tracefold.json' 'rm out/traces/0.evt' 'rm -r out/traces' 'rm -r out && mkdir out'; do
    rm -rf out && cp -r first out
    eval "$way"
    expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o out --force
    check "--force did not replace it after: $way" diff -r first out
  done
  fresh
}

# The trace itself must never be what --force replaces.
output_is_input() {
  fresh
  local before
  before=$(hash_of app)
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o app
  check "the input has changed" [ "$before" = "$(hash_of app)" ]
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o app --force
  check "the input was replaced by --force" [ "$before" = "$(hash_of app)" ]
  fresh
}

# Root may write everywhere, so its rights are given up first.
as_nobody() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
  else
    "$@"
  fi
}

no_permission() {
  if [ "$(id -u)" = 0 ] && ! setpriv --reuid=65534 --regid=65534 --clear-groups true 2> /dev/null; then
    skipped "no permission: setpriv cannot give up the rights of root"
    return
  fi
  fresh
  chmod 755 "$work"
  local program=$work/tracefold
  install -m 755 "$TRACEFOLD" "$program"
  mkdir -m 555 locked
  expect 4 as_nobody "$program" reduce app/traces.otf2 -o locked/out
  one_error locked/out
  no_output locked/out
  expect 4 as_nobody "$program" reduce app/traces.otf2 -o locked/deeper/out
  one_error locked/deeper/out
  local file
  for file in app/traces.otf2 app/traces.def "$(an_event_file)"; do
    fresh
    chmod 000 "$file"
    expect 3 as_nobody "$program" info "$work/app/traces.otf2"
    one_error "${file##*/}"
  done
  fresh
}

# Enough events that the output does not fit into 256 KiB.
big() { [ -e big ] || trace_in big --ranks 64 --iterations 300; }

full_disk() {
  fresh
  big
  "$TRACEFOLD" filter big/traces.otf2 > big.json
  mkdir -p disk
  if unshare -m mount -t tmpfs -o size=256k none disk 2> /dev/null; then
    expect 4 unshare -m bash -c 'mount -t tmpfs -o size=256k none disk; status=0; "$1" write -o disk/out < big.json || status=$?; ls -A disk > left.txt; exit $status' - "$TRACEFOLD"
    one_error disk/out
    check "left on the full disk: $(cat left.txt)" [ ! -s left.txt ]
  else
    skipped "full disk: a small file system cannot be mounted here"
  fi
  expect 4 bash -c 'ulimit -f 4; "$1" write -o out < big.json' - "$TRACEFOLD"
  one_error out
  no_output out
}

stdout_that_fails() {
  fresh
  if [ -w /dev/full ]; then
    expect 4 bash -c '"$1" group app/traces.otf2 > /dev/full' - "$TRACEFOLD"
    check "not one line: $(cat err.txt)" [ "$(wc -l < err.txt)" = 1 ]
    check "stdout is not named: $(cat err.txt)" grep -q stdout err.txt
    expect 4 bash -c '"$1" --help > /dev/full' - "$TRACEFOLD"
    expect 4 bash -c '"$1" --version > /dev/full' - "$TRACEFOLD"
  else
    skipped "/dev/full is not here"
  fi
  big
  expect 0 bash -c '"$1" group --exact big/traces.otf2 | head -c 1 > /dev/null; exit ${PIPESTATUS[0]}' - "$TRACEFOLD"
  check "a closed pipe is not quiet: $(cat err.txt)" [ ! -s err.txt ]
  expect 0 bash -c '"$1" reduce --help | true; exit ${PIPESTATUS[0]}' - "$TRACEFOLD"
}

# The archive's stem is not always `traces`, and its local definitions may be gone.
odd_but_good() {
  fresh
  mv app/traces app/run7
  mv app/traces.def app/run7.def
  mv app/traces.otf2 app/run7.otf2
  expect 0 "$TRACEFOLD" reduce app/run7.otf2 -o out
  check "an unknown stem gives warnings: $(cat err.txt)" [ ! -s err.txt ]
  check "the output has no anchor" [ -e out/traces.otf2 ]
  expect 0 bash -c 'cd app && exec "$1" info run7.otf2' - "$TRACEFOLD"
  fresh
  find app/traces -name '*.def' -delete
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o out
  check "missing local definitions are not said once: $(cat err.txt)" [ "$(grep -c '^tracefold: warning:' err.txt)" = 1 ]
  check "the output is not clean" is_clean out/traces.otf2
  rm -rf out
}

location_without_events() {
  local python=/usr/bin/python3  # Debian's, which has python3-otf2
  if ! $python -c 'import otf2' 2> /dev/null; then
    skipped "location without events: python3 has no otf2 to write one with"
    return
  fi
  rm -rf lonely out
  $python - << 'PYTHON'
import otf2
with otf2.writer.open("lonely", timer_resolution=1000) as trace:
    main = trace.definitions.region("main", source_file="main.c", begin_line_number=1, end_line_number=9)
    root = trace.definitions.system_tree_node("machine")
    group = trace.definitions.location_group("process", system_tree_parent=root)
    busy = trace.event_writer_from_location(trace.definitions.location("busy", group=group))
    trace.definitions.location("idle", group=group)
    busy.enter(1, main)
    busy.leave(9, main)
PYTHON
  expect 0 "$TRACEFOLD" info lonely/traces.otf2
  expect 0 "$TRACEFOLD" reduce lonely/traces.otf2 -o out
  check "the output is not clean" is_clean out/traces.otf2
  check "the idle location is gone" [ "$(otf2-print -G out/traces.otf2 | grep -c '^LOCATION ')" = 2 ]
  expect 0 "$TRACEFOLD" verify out/traces.otf2 --against lonely/traces.otf2
}

trace_in example --ranks 8 --threads 2
before=$(hash_of example)
files_that_are_missing
damaged_definitions
truncated_events
damaged_events
existing_output
output_with_others
output_is_input
no_permission
full_disk
stdout_that_fails
odd_but_good
location_without_events
check "an input has changed" [ "$before" = "$(hash_of example)" ]
finish
