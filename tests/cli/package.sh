#!/usr/bin/env bash
# The Debian packages: what dpkg-deb says of them, and that lintian has nothing to complain of but what packaging/debian explains.
#   package.sh TRACEFOLD MAKE_TRACE BUILD_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build=$(realpath "${3:?the build folder is missing}")
for program in cpack lintian dpkg-deb; do
  command -v "$program" > /dev/null || { skipped "there is no $program"; exit 77; }
done

checks=$((checks + 1))
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages" > cpack.txt 2>&1 || fail "cpack: $(tail -n 5 cpack.txt)"
mv packages/*.deb .
version=$(sed -nE 's/^set\(CPACK_PACKAGE_VERSION "(.*)"\)/\1/p' "$build/CPackConfig.cmake")
packager=$(sed -nE 's/^TRACEFOLD_PACKAGER:STRING=(.*)/\1/p' "$build/CMakeCache.txt")
check "no version, or nobody who answers for the packages" [ -n "$version" -a -n "$packager" ]

field() { dpkg-deb -f "$(echo "$1"_"$version"_*.deb)" "$2"; }
for name in tracefold "libtracefold${version%%.*}" libtracefold-dev; do
  check "there is no package $name: $(ls ./*.deb)" [ -e "$(echo "$name"_"$version"_*.deb)" ]
  check "the maintainer of $name is $(field "$name" Maintainer)" [ "$(field "$name" Maintainer)" = "$packager" ]

  rm -rf unpacked
  dpkg-deb -x "$(echo "$name"_"$version"_*.deb)" unpacked
  gzip -dc "unpacked/usr/share/doc/$name/changelog.gz" > changelog.txt || fail "$name has no Debian changelog"
  check "$name: the changelog begins with $(head -n 1 changelog.txt)" grep -q "^tracefold ($version) [a-z]*; urgency=[a-z]*$" <(head -n 1 changelog.txt)
  check "$name: nobody has signed the changelog" grep -qF -- " -- $packager  " changelog.txt
  check "$name has no copyright" [ -s "unpacked/usr/share/doc/$name/copyright" ]
done
check "graphviz is not recommended: $(field tracefold Recommends)" grep -qw graphviz <<< "$(field tracefold Recommends)"

checks=$((checks + 1))
lintian --fail-on error,warning --allow-root ./*.deb > lintian.txt 2>&1 || fail "lintian: $(cat lintian.txt)"
# Without the overrides it complains of these, so that none of them is out of date.
for override in $(sed -nE 's/^[^#]*: ([a-z-]+) .*/\1/p' "$root/packaging/debian/"*.overrides | sort -u); do
  check "lintian does not know $override" grep -q "$override" <(lintian --no-override --allow-root ./*.deb 2>&1)
done
finish
