# What the command-line tests share: a folder to work in, and assertions that
# count failures instead of ending at the first. Sourced with the arguments of
# the script: the program, and the maker of example traces.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
TRACEFOLD=$(realpath "${1:?the program is missing}")
MAKE_TRACE=$(realpath "${2:?the maker of traces is missing}")
export TRACEFOLD MAKE_TRACE

work=$(mktemp -d)
clean_up='rm -rf "$work"'
trap "$clean_up" EXIT
cd "$work"

failures=0
checks=0

fail() {
  printf 'FAIL: %s\n' "$*" >&2
  failures=$((failures + 1))
}

skipped() { printf 'SKIPPED: %s\n' "$*"; }

# check WORDS COMMAND...: fails with WORDS where the command does.
check() {
  local words=$1
  shift
  checks=$((checks + 1))
  "$@" || fail "$words"
}

# expect STATUS COMMAND...: stdout goes to out.txt, stderr to err.txt.
expect() {
  local wanted=$1 got=0
  shift
  checks=$((checks + 1))
  "$@" > out.txt 2> err.txt < /dev/null || got=$?
  [ "$got" = "$wanted" ] || fail "status $got instead of $wanted from: ${*##*/} ($(head -n 2 err.txt))"
}

# A trace in folder $1; further arguments as for make_trace.
trace_in() { "$MAKE_TRACE" "$@" > /dev/null; }

pending() { compgen -G "${1:-.}/.*.tracefold-*" > /dev/null; }

no_pending() { ! pending .; }

# is_clean ANCHOR: a strict reader has nothing to say.
is_clean() { otf2-print -Werror --silent "$1" > /dev/null; }

# no_output FOLDER: neither it nor an unfinished one beside it exists.
no_output() {
  checks=$((checks + 1))
  [ ! -e "$1" ] || fail "$1 exists"
  ! pending "$(dirname "$1")" || fail "an unfinished output is left: $(compgen -G "$(dirname "$1")/.*.tracefold-*")"
}

# hash_of FOLDER: changes with any name, content or time in it.
hash_of() { (cd "$1" && find . -printf '%p %T@ %m\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum; }

finish() {
  printf '%s checks, %s failed\n' "$checks" "$failures"
  [ "$failures" = 0 ]
}

# build_facts SHARED: builds the judge's reader once; false where that fails.
build_facts() {
  export OTF2FACTS=$work/otf2facts
  [ -e "$OTF2FACTS" ] || "${CXX:-c++}" -std=c++17 -O2 "$1/check/otf2facts.cpp" -o "$OTF2FACTS" $(pkg-config --cflags --libs otf2)
}
