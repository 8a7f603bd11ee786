#!/bin/sh
# Fails where folders include what they must not, names or types meet in a unity build, documents name
# paths that are not there, recipes of packages disagree with the build, a test has a label that nothing
# runs, or a source is not formatted.
# usage: housekeeping.sh PYTHON SOURCE_FOLDER [CLANG_FORMAT]
here=$(dirname "$0")
status=0
for check in layers unity_names docs_paths packaging; do
  "${1:?python}" "$here/${check}_test.py" "${2:?source folder}" || status=1
done
if grep -rn --include=CMakeLists.txt -E 'LABELS [a-z]' "$2/tests" | grep -vE 'LABELS (quick|answers|longer)\>'; then
  echo "nothing runs tests of such a label"
  status=1
fi
if [ -x "$3" ]; then
  sh "$here/format_test.sh" "$3" "$2" || status=1
else
  echo "no clang-format: the format is not checked"
fi
exit $status
