#!/usr/bin/env bash
# The library from the outside: it is installed, a program of its own build embeds it by
# find_package and by pkg-config, and says of traces what `tracefold group` and `reduce` say.
#   embed.sh TRACEFOLD MAKE_TRACE BUILD_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build=$(realpath "${3:?the build folder is missing}")

DESTDIR= cmake --install "$build" --prefix "$work/prefix" > install.txt
library=$(find prefix -name 'libtracefold.so.0' | head -n 1)
check "the library has no soname" test -n "$library"
nm -D --defined-only "$library" | awk '{print $3}' | sort > visible.txt
grep -o '\btracefold_[a-z_]*(' "$root/library/tracefold.h" | tr -d '(' | sort -u > declared.txt
check "what is visible is not what the header declares" diff declared.txt visible.txt
# Mangled operator new and delete: they have to come from outside.
check "it replaces the operator new of who embeds it" sh -c "nm -D --undefined-only '$library' | grep -q ' _Znwm'"
check "it replaces the operator delete of who embeds it" sh -c "nm -D --undefined-only '$library' | grep -q ' _ZdlPv'"

check "the example does not build" sh -c "cmake -S '$root/examples/embed' -B embed -DCMAKE_PREFIX_PATH='$work/prefix' > embed.log 2>&1 && cmake --build embed >> embed.log 2>&1 || { cat embed.log >&2; false; }"
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name tracefold.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # these are words
check "pkg-config does not know it" cc -Wall -Werror "$root/examples/embed/show_groups.c" -o by_pkg_config $(pkg-config --cflags --libs tracefold)

trace_in app --ranks 8 --threads 2 --iterations 4
groups_of() { # groups_of ANCHOR: as the example prints them, by the program
  "$TRACEFOLD" reduce --dry-run --format csv -q "$1" < /dev/null | python3 -c '
import csv, sys
def ids(ranges):
    for part in ranges.split(","):
        ends, _, stride = part.partition(":")
        first, _, last = ends.partition("-")
        yield from range(int(first), int(last or first) + 1, int(stride or 1))
for row in csv.DictReader(sys.stdin):
    print(row["group"], row["processes"], " ".join(map(str, ids(row["representative"]))), row["group_name"], sep=",")'
}
visit() { # visit ANCHOR
  groups_of "$1" > groups.csv
  expect 0 embed/show_groups "$1" small
  check "groups of $1" diff groups.csv out.txt
  expect 0 "$TRACEFOLD" reduce "$1" -o small_of_program -q
  check "small trace of $1" diff -r small small_of_program
  rm -rf small small_of_program
}
visit app/traces.otf2
expect 0 env LD_LIBRARY_PATH="$(dirname "$library")" ./by_pkg_config app/traces.otf2
groups_of app/traces.otf2 > groups.csv
check "groups by pkg-config" diff groups.csv out.txt

packs=${TRACEFOLD_SHARED:-$root/../shared}/traces
for name in npb_lu_W_16 lulesh_8x2; do
  [ -e "$packs/$name.tar.zst" ] || { skipped "$name is not there"; continue; }
  tar --zstd -xf "$packs/$name.tar.zst"
  visit "$(find "$name" -name traces.otf2)"
done

check "wrong calls do not build" cc -Wall -Werror -pthread "$here/library_calls.c" -o library_calls $(pkg-config --cflags --libs tracefold)
expect 0 env LD_LIBRARY_PATH="$(dirname "$library")" ./library_calls app/traces.otf2
cat out.txt
expect 2 embed/show_groups
expect 3 embed/show_groups nothing.otf2
check "it does not say what is wrong" grep -q 'nothing.otf2: no such file' err.txt
mkdir -p there/inner
expect 4 embed/show_groups app/traces.otf2 there
check "it does not say what is in the way" grep -q 'there' err.txt
finish
