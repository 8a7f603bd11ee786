#!/usr/bin/env bash
# Builds the scripts and style of the report from web/, and compares them with what is kept of them
# byte by byte; the types of the scripts agree, and the packages are told without where they come from.
# usage: build_again.sh   (77: no npm or node)
set -euo pipefail
for program in npm node; do
  command -v $program > /dev/null || { echo "no $program"; exit 77; }
done
web=$(cd "$(dirname "$0")/../../web" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if grep -n '"resolved"' "$web/package-lock.json"; then
  echo "web/package-lock.json names hosts"
  exit 1
fi
"$(dirname "$0")/../install_packages.sh" "$web"
(cd "$web" && node_modules/.bin/tsc --noEmit && node build.mjs "$work/dist")
diff -r "$work/dist" "$web/dist"
echo "web/dist is what web/src makes"
