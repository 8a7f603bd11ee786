#!/usr/bin/env bash
# Runs cases/NAME.cmd, each in a folder of its own with a trace in app/, and
# compares what it prints and its exit status with the files beside it. A file
# that is absent is not compared, an absent .exit is 0. With UPDATE=1 the files
# that are there are written anew: read the difference before you commit it.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Seconds, and the folder of the test, differ from run to run.
steady() { sed -E -e "s|$work/[a-z_]+/|FOLDER/|g" -e 's/[0-9.]+ s$/N s/' -e 's/changed at [0-9]+ ns/changed at N ns/g' -e 's/sha256 [0-9a-f]+/sha256 X/g' -e 's/[0-9]+ bytes/N bytes/g'; }

compare() {
  local file=$1 got=$2
  [ -e "$file" ] || return 0
  if [ -n "${UPDATE:-}" ]; then
    cp "$got" "$file"
  else
    check "${file##*/} differs" diff -u "$file" "$got" >&2
  fi
}

run_case() {
  local name=$1 status=0
  mkdir "$work/$name"
  cd "$work/$name"
  cp -rp ../example app
  bash "$here/cases/$name.cmd" > ../stdout 2> ../stderr < /dev/null || status=$?
  steady < ../stdout > ../stdout.steady
  steady < ../stderr > ../stderr.steady
  echo "$status" > ../exit
  compare "$here/cases/$name.stdout" ../stdout.steady
  compare "$here/cases/$name.stderr" ../stderr.steady
  [ -e "$here/cases/$name.exit" ] || check "$name: status $status instead of 0" [ "$status" = 0 ]
  compare "$here/cases/$name.exit" ../exit
  cd "$work"
  rm -rf "${work:?}/$name"
}

trace_in example --ranks 8 --threads 2
for command in "$here"/cases/*.cmd; do
  name=${command##*/}
  if grep -q '^script ' "$command" && ! script -qec true /dev/null > /dev/null 2>&1; then
    skipped "${name%.cmd}: no terminal can be made here"
    continue
  fi
  run_case "${name%.cmd}"
done
finish
