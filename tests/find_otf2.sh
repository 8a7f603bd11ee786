#!/usr/bin/env bash
# cmake/find_otf2.cmake finds an OTF2 that pkg-config does not know by its otf2-config, and programs that are built find its library.
# usage: find_otf2.sh SOURCE_FOLDER
set -euo pipefail
source_folder=$(realpath "${1:?usage: find_otf2.sh SOURCE_FOLDER}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

library=$(pkg-config --variable=libdir otf2 2> /dev/null || true)
library=$(find ${library:-/usr/lib} \( -name libopen-trace-format2.so -o -name libotf2.so \) -print -quit)
[ "$library" ] || { echo "SKIPPED: no library of OTF2 is known here"; exit 77; }

# An installation of its own, as one from the sources is.
mkdir -p otf2/bin otf2/lib project none
cp -L "$library" otf2/lib/libotf2.so
cat > otf2/bin/otf2-config << CONFIG
#!/bin/sh
case \$1 in
  --cflags) echo "$(pkg-config --cflags otf2) -DOF_THE_TEST" ;;
  --ldflags) echo "-L$work/otf2/lib" ;;
  --libs) echo "-lotf2 -lm" ;;
  *) exit 1 ;;
esac
CONFIG
chmod +x otf2/bin/otf2-config

cat > project/CMakeLists.txt << PROJECT
cmake_minimum_required(VERSION 3.25)
project(uses_otf2 LANGUAGES C)
find_package(PkgConfig REQUIRED)
include($source_folder/cmake/find_otf2.cmake)
add_executable(uses_otf2 uses_otf2.c)
target_link_libraries(uses_otf2 PRIVATE PkgConfig::OTF2)
PROJECT
cat > project/uses_otf2.c << 'PROGRAM'
#include <otf2/otf2.h>
#include <stdio.h>
#ifndef OF_THE_TEST
#error its flags are missing
#endif
int main(void) { return puts(OTF2_Error_GetName(OTF2_SUCCESS)) < 0; }
PROGRAM

export PKG_CONFIG_LIBDIR=$work/none
if PATH=/usr/bin:/bin cmake -S project -B without > without.txt 2>&1; then
  echo "FAIL: found without otf2-config"
  exit 1
fi
grep -q 'neither pkg-config nor otf2-config knows it' without.txt

PATH=$work/otf2/bin:$PATH cmake -S project -B build > build.txt 2>&1 || { cat build.txt; exit 1; }
cmake --build build > build.txt 2>&1 || { cat build.txt; exit 1; }
[ "$(build/uses_otf2)" = SUCCESS ] || { echo "FAIL: the program does not run"; exit 1; }
readelf -d build/uses_otf2 | grep -qE "R(UN)?PATH.*$work/otf2/lib" || { echo "FAIL: the program does not look into the library's folder"; exit 1; }
echo "otf2-config was asked, and its library is found"
