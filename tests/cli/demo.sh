#!/usr/bin/env bash
# What a newcomer types: examples/demo.sh, and then, in the folder that it names, the first command of README.md and all
# commands of docs/tutorial.md from its section 3 on, one after the other.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# demo.sh looks for the programs beside its folder.
mkdir -p clone/examples clone/build/release/cli clone/build/release/examples tmp
cp "$root/examples/demo.sh" clone/examples/
ln -s "$TRACEFOLD" clone/build/release/cli/tracefold
ln -s "$MAKE_TRACE" clone/build/release/examples/make_trace
expect 0 env TMPDIR="$work/tmp" clone/examples/demo.sh
folder=$(sed -n 's/^The results are in \(.*\), which you may delete:$/\1/p' out.txt)
for name in app/traces.otf2 demo-small/traces.otf2 demo.pftrace; do
  check "the demo has not made $name" [ -e "$folder/$name" ]
  check "the demo does not name $name" grep -q "^  $name " out.txt
done
check "the demo names no summary" grep -q "tracefold summary " out.txt
while read -r command; do
  expect 0 bash -c "$command"
done < <(sed -n "s/^  \(.*tracefold summary .*\)/\1/p" out.txt)

first=$(sed -n 's/^\*\*1\. Reduce a trace\*\*, as in `\([^`]*\)`.*/\1/p' "$root/README.md")
check "README.md has no first command" [ -n "$first" ]
cd "$folder"
checks=$((checks + 1))
env PATH="$work/clone/build/release/cli:$PATH" bash -c "$first" > ../out.txt 2>&1 || fail "$first: $(tail -n 2 ../out.txt)"
cd "$work"

checks=$((checks + 1))
python3 "$here/docs_commands.py" "$TRACEFOLD" "$MAKE_TRACE" --in "$folder" --from "3. Look" "$root/docs/tutorial.md" > out.txt || fail "$(cat out.txt)"
finish
