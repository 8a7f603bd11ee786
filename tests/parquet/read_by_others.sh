#!/usr/bin/env bash
# Files that we write, read by DuckDB and hyparquet, value by value. Packages come from npm.
# usage: read_by_others.sh MAKE_PARQUET_FILES   (77: no npm or node)
set -euo pipefail
for program in npm node; do
  command -v $program > /dev/null || { echo "no $program"; exit 77; }
done
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../install_packages.sh" "$here"
"$1" "$work"
node "$here/read_by_others.mjs" "$work"
