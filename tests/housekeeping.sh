#!/bin/sh
# Fails where folders include what they must not, names or types meet in a unity build, documents name
# paths that are not there, recipes of packages disagree with the build, or a source is not formatted.
# usage: housekeeping.sh PYTHON SOURCE_FOLDER [CLANG_FORMAT]
here=$(dirname "$0")
status=0
for check in layers unity_names docs_paths packaging; do
  "${1:?python}" "$here/${check}_test.py" "${2:?source folder}" || status=1
done
[ -x "$3" ] || exit $status
sh "$here/format_test.sh" "$3" "$2" || status=1
exit $status
