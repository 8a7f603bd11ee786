#!/usr/bin/env bash
# Runs the tests of report pages in headless Chromium: those of made pages, and those of pages that
# the program writes. Packages come from npm.
# usage: browser.sh TRACEFOLD MAKE_TRACE   (77: no npm, node or Chromium)
set -euo pipefail
for program in npm node; do
  command -v $program > /dev/null || { echo "no $program"; exit 77; }
done
CHROMIUM=$(command -v chromium) || { echo "no chromium"; exit 77; }
export CHROMIUM
here=$(cd "$(dirname "$0")" && pwd)
"$here/../install_packages.sh" "$here/../../web"
PAGES=$(mktemp -d)
export PAGES
trap 'rm -rf "$PAGES"' EXIT
python3 "$here/make_pages.py" "$1" "$2" "$PAGES"
node --test "$here/report_test.mjs" "$here/pages_test.mjs"
