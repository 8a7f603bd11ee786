#!/bin/sh
# Fails where a source is not formatted as .clang-format says.
# usage: format_test.sh CLANG_FORMAT SOURCE_FOLDER
cd "${2:?source folder}" || exit 2
find base otf2 model lattice filters emitters pipeline library cli examples tests -name '*.[ch]pp' -exec \
  "${1:?clang-format}" --dry-run -Werror {} +
