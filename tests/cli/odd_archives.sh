#!/usr/bin/env bash
# Archives that other readers open are read as what they are: of machines with the other byte order,
# of development versions of OTF2 1.1, with local definition files without a byte, and with two
# mapping tables of one kind. Every command says of them what it says of the same archive as usual.
#   odd_archives.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

python=/usr/bin/python3
[ -x "$python" ] || python=python3
rewrite() { "$python" "$root/tests/support/rewrite_archive.py" "$@"; }

# say FOLDER FILE: what all commands print of the archive.
say() {
  local trace=$1/traces.otf2 reader
  for reader in own otf2; do
    "$TRACEFOLD" info "$trace" --reader "$reader" | grep -v ^size
    "$TRACEFOLD" group "$trace" --reader "$reader" --format table
    "$TRACEFOLD" profile "$trace" --reader "$reader" --call-paths --format csv
  done
  "$TRACEFOLD" group "$trace" --by signature --format csv
  "$TRACEFOLD" select "$trace" --format csv
  "$TRACEFOLD" iterations "$trace" --loops --format csv
  "$TRACEFOLD" similarity "$trace" --pairs --format csv
  "$TRACEFOLD" group "$trace" --why
  "$TRACEFOLD" similarity "$trace" --format csv
  "$TRACEFOLD" lattice "$trace" -o lattice.json --force -q
  cat lattice.json
  "$TRACEFOLD" matrix "$trace" --format csv
  "$TRACEFOLD" correlate "$trace" --view 'time:*MPI_*' --format csv
  rm -rf small
  "$TRACEFOLD" reduce "$trace" -o small -q --iterations 4
  "$TRACEFOLD" verify small/traces.otf2 --against "$trace" --format csv
  otf2-print -A small/traces.otf2 | sed '/PLAN_SHA256/,+1d' | grep -v -i 'trace id'
} > "$2"
same() { # WORDS FOLDER
  say "$2" of_odd.txt 2> errors.txt || true
  checks=$((checks + 1))
  cmp -s of_usual.txt of_odd.txt || { fail "$1: $(diff of_usual.txt of_odd.txt | head -5)"; head -5 errors.txt; }
}

trace_in app --ranks 4 --threads 2 --iterations 12
say app of_usual.txt 2> errors.txt || true
check "commands fail on the usual archive: $(head -3 errors.txt)" [ ! -s errors.txt ]

rewrite big-endian app big
same "big-endian" big
rewrite empty-local app empty
same "local definition files without a byte" empty

# A region without a role gets that of its type, as libotf2 knows it of OTF2 1.0.
rewrite old-regions app old
rewrite oldest-regions app oldest
rewrite old-among-long app long
for archive in old oldest long; do
  "$TRACEFOLD" write $archive/traces.otf2 -o copy_$archive -q
  otf2-print -G copy_$archive/traces.otf2 | grep '^REGION' | sort > regions_$archive.txt
done
check "roles of old regions" cmp regions_old.txt regions_oldest.txt
check "roles of old regions among long records" cmp regions_old.txt regions_long.txt
check "an old barrier" grep -q 'Role: IMPLICIT_BARRIER, Paradigm: OPENMP, Flags: NONE' regions_old.txt
check "it was reduced" "$TRACEFOLD" reduce old/traces.otf2 -o small_old -q
check "it verifies" "$TRACEFOLD" verify small_old/traces.otf2 --against old/traces.otf2 -q

# libotf2 reads a copy of such definitions, of which nothing is left.
mkdir places
check "a place for the copy" env TMPDIR="$PWD/places" "$TRACEFOLD" info long/traces.otf2 > said.txt
check "the copy is removed" [ -z "$(ls -A places)" ]
no_place=$(TMPDIR=$PWD/nowhere "$TRACEFOLD" info long/traces.otf2 2>&1 > no_place.txt) && fail "no place for the copy, and no error"
check "no place for the copy: $no_place" grep -q 'set TMPDIR' <<< "$no_place"

# Of two tables of a kind the first counts.
shared=${TRACEFOLD_SHARED:-$root/../shared}/traces/npb_is_S_4.tar.zst
if [ -f "$shared" ]; then
  mkdir real && tar --zstd -xf "$shared" -C real
  real=$(dirname "$(find real -name '*.otf2' | head -1)")
  for how in two-tables big-endian; do
    rewrite $how "$real" real_$how
    for reader in own otf2; do
      for command in info 'profile --format csv'; do
        "$TRACEFOLD" $command "$real"/*.otf2 --reader $reader > usual.txt
        "$TRACEFOLD" $command real_$how/traces.otf2 --reader $reader > odd.txt
        check "$how, reader $reader: $command" cmp <(grep -v ^size usual.txt) <(grep -v ^size odd.txt)
      done
    done
  done
else
  skipped "two mapping tables: set TRACEFOLD_SHARED to the folder that holds traces/"
fi

finish
