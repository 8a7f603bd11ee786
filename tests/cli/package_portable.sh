#!/usr/bin/env bash
# The folder that runs from anywhere: it has all libraries but glibc's beside the program, with their licences, also after it was
# moved, and does what the program does.
#   package_portable.sh TRACEFOLD MAKE_TRACE BUILD_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build=$(realpath "${3:?the build folder is missing}")
for program in cpack objdump ldd; do
  command -v "$program" > /dev/null || { skipped "there is no $program"; exit 77; }
done

checks=$((checks + 1))
cpack -G TGZ --config "$build/CPackConfig.cmake" -B "$work/packages" > cpack.txt 2>&1 || fail "cpack: $(tail -n 5 cpack.txt)"
version=$(sed -nE 's/^set\(CPACK_PACKAGE_VERSION "(.*)"\)/\1/p' "$build/CPackConfig.cmake")
name=tracefold-$version-linux-$(uname -m)
mkdir 'one place' 'another place'
tar -xzf "packages/$name.tar.gz" -C 'one place'
check "more than one folder: $(ls 'one place')" [ "$(ls 'one place')" = "$name" ]
mv "one place/$name" 'another place/moved'
folder="$work/another place/moved"

# Without anything from the environment, and with a library of the same name where LD_LIBRARY_PATH points.
expect 0 env -i "$folder/bin/tracefold" --version
check "another version: $(cat out.txt)" grep -q "^tracefold $version" out.txt
mkdir elsewhere
touch elsewhere/libfmt.so.{9,10,11} elsewhere/libstdc++.so.6
expect 0 env -i LD_LIBRARY_PATH="$work/elsewhere" "$folder/bin/tracefold" --version

env -i ldd "$folder/bin/tracefold" > ldd.txt || fail "ldd: $(cat ldd.txt)"
others=$(grep -vF "=> $folder/bin/../lib/" ldd.txt | grep -vE '^\s*(linux-vdso|(/\S*/)?ld-linux|lib(c|m|dl|rt|pthread)\.so)' || true)
check "not from the folder: $others" [ -z "$others" ]
check "TBB's memory allocator is missing" compgen -G "$folder/lib/libtbbmalloc.so.*" > /dev/null
check "libraries, but no licence" [ -s "$folder/licences/libtbb12" -a -s "$folder/LICENSE" ]
for file in README.md share/man/man1/tracefold.1 share/bash-completion/completions/tracefold; do
  check "no $file" [ -s "$folder/$file" ]
done

# docs/tutorial.md names this version of glibc.
. /etc/os-release
if [ "$ID$VERSION_ID" = debian12 ]; then
  newest=$(objdump -T "$folder/bin/tracefold" "$folder"/lib/* | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
  check "it needs $newest" [ "$newest" = GLIBC_2.36 ]
fi

trace_in app --ranks 8 --threads 2
expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o reduced
expect 0 env -i "$folder/bin/tracefold" reduce app/traces.otf2 -o reduced-there
check "another trace than the program's" diff -r reduced reduced-there
expect 0 env -i "$folder/bin/tracefold" report reduced-there/traces.otf2 -o page.html
finish
