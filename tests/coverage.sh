#!/usr/bin/env bash
# Tells which lines the tests reach, by folder and in all but cli/: coverage.sh
# Needs gcovr. Left out are the tests that take the program's own messages and time
# exactly, as what counts the lines has messages of its own and takes time.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v gcovr > /dev/null || { echo "coverage: needs gcovr"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step() { "$@" > "$work/log" 2>&1 || { tail -n 60 "$work/log"; exit 1; }; }
step cmake --preset coverage
step cmake --build --preset coverage --target all longer_tools
find build/coverage -name '*.gcda' -delete
step ctest --preset coverage
# shellcheck disable=SC2046  # several words
step gcovr -r . --object-directory build/coverage --gcov-ignore-parse-errors $(printf -- '-f %s/ ' model pipeline filters lattice emitters cli) \
  --txt build/coverage/lines.txt --json-summary "$work/summary.json"
python3 - "$work/summary.json" <<'PY'
import collections, json, sys
covered, lines = collections.Counter(), collections.Counter()
for file in json.load(open(sys.argv[1]))["files"]:
    folder = file["filename"].split("/")[0]
    for name in (folder, "all but cli") if folder != "cli" else (folder,):
        covered[name] += file["line_covered"]
        lines[name] += file["line_total"]
for name in sorted(lines, key=lambda n: (n == "all but cli", n)):
    print(f"{name:12} {covered[name]:5} of {lines[name]:5} lines, {100 * covered[name] / lines[name]:.1f} %")
if covered["all but cli"] < 0.9 * lines["all but cli"]:
    sys.exit("coverage: less than 90 % outside cli/")
PY
echo "each file: build/coverage/lines.txt"
