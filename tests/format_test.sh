#!/bin/sh
# Fails where a source is not formatted as clang-format 14, that of Debian 12, does it. Others break lines elsewhere.
# usage: format_test.sh CLANG_FORMAT SOURCE_FOLDER
case $("${1:?clang-format}" --version) in
  *" 14."*) ;;
  *) echo "this is not clang-format 14: the format is not checked"; exit 0 ;;
esac
cd "${2:?source folder}" || exit 2
find base otf2 model lattice filters emitters pipeline library cli examples tests -name '*.[ch]pp' -exec \
  "$1" --dry-run -Werror {} +
