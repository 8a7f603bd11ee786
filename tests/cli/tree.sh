#!/usr/bin/env bash
# What the system tree of a written trace shows: the machine or groups, of the example and of real traces in
# $TRACEFOLD_SHARED. What it says is held against the original by python3-otf2, and `write --fold off`
# record by record; chain and `reduce` agree; what was reduced is reduced again.
#   tree.sh TRACEFOLD MAKE_TRACE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

command -v otf2-print > /dev/null || { skipped "otf2-print is missing"; exit 77; }
python=/usr/bin/python3  # Debian's, which has otf2
"$python" -c 'import otf2' 2> /dev/null || { skipped "python3-otf2 is missing"; exit 77; }

holds() { "$python" "$here/tree_check.py" "$@" > said.txt || { cat said.txt >&2; false; }; }
# shows machine|groups ORIGINAL FOLDER [TRACE]: clean, as it should be, and verified against the trace that it was made from.
shows() {
  check "$3 is not clean" is_clean "$3/traces.otf2"
  check "$3 shows something else than $1" holds "$1" "$2" "$3/traces.otf2"
  check "$3 is not what it should be" "$TRACEFOLD" verify -q "$3/traces.otf2" --against "${4:-$2}"
}
nodes_of() { otf2-print -G "$1/traces.otf2" | grep '^SYSTEM_TREE_NODE '; }

trace_in app --ranks 12 --threads 2 --iterations 9
app=app/traces.otf2

"$TRACEFOLD" reduce "$app" -q -o machine
shows machine "$app" machine
"$TRACEFOLD" reduce "$app" -q -o groups --tree groups --halo all
shows groups "$app" groups
check "partners have no node" grep -q 'Name: "◌ partners' <(nodes_of groups)
"$TRACEFOLD" reduce "$app" -q -o several --tree groups --threshold 0.5 --per-group 2 --keep-ids
shows groups "$app" several
check "merged sets have no nodes" grep -q 'Class: "merged"' <(nodes_of several)
check "clusters have no nodes" grep -q 'Class: "cluster"' <(nodes_of several)
"$TRACEFOLD" reduce "$app" -q -o signatures --tree groups --by signature --plain-names
shows groups "$app" signatures

"$TRACEFOLD" group "$app" --messages on | "$TRACEFOLD" select --halo all | "$TRACEFOLD" iterations | "$TRACEFOLD" write -q --tree groups -o chain
check "the chain and reduce differ" cmp groups/traces.def chain/traces.def
check "the chain and reduce differ in the plan" cmp groups/tracefold.json chain/tracefold.json

# Again: groups once more, and the machine again.
"$TRACEFOLD" reduce groups/traces.otf2 -q -o again --tree groups
shows groups "$app" again groups/traces.otf2
check "groups are nested" [ "$(nodes_of again | grep -c 'Class: "group".*Parent: "group')" = 0 ]
"$TRACEFOLD" reduce again/traces.otf2 -q -o back
shows machine "$app" back again/traces.otf2
"$TRACEFOLD" expand groups/traces.otf2 -q -o expanded
check "the expanded trace has other nodes" [ "$(nodes_of expanded | grep -o 'Class: "[a-z]*"' | sort -u | tr -d '\n')" = 'Class: "machine"Class: "node"' ]

# Nothing is folded, whatever the plan says.
"$TRACEFOLD" group "$app" | "$TRACEFOLD" select | "$TRACEFOLD" iterations | "$TRACEFOLD" write -q --fold off --tree groups -o ordered
shows groups "$app" ordered
check "records are others where nothing is folded" holds events "$app" ordered/traces.otf2
check "processes are missing" [ "$(otf2-print -G ordered/traces.otf2 | grep -c '^LOCATION  ')" = 24 ]
expect 2 "$TRACEFOLD" write "$app" -o no --fold off --iterations 4
expect 2 "$TRACEFOLD" write "$app" -o no --fold off --halo 2
expect 2 "$TRACEFOLD" reduce "$app" -o no --tree forest
no_output no

packs=${TRACEFOLD_SHARED:-$root/../shared}
compgen -G "$packs/traces/*.tar.zst" > /dev/null || skipped "no shared traces at $packs"
for pack in traces/npb_cg_S_16 traces/luleshph_8x4 traces-public/scorep90-mi300-metrics-32 traces-public/scorep202-mpicoverage-10; do
  [ -e "$packs/$pack.tar.zst" ] || continue
  name=${pack#*/}
  mkdir "$name"
  tar --zstd -xf "$packs/$pack.tar.zst" -C "$name"
  trace=$(find "$name" -name '*.otf2' | head -n 1)
  "$TRACEFOLD" reduce "$trace" -q -o "$name.groups" --tree groups --threshold 0.83 --per-group 2
  shows groups "$trace" "$name.groups"
  "$TRACEFOLD" group "$trace" | "$TRACEFOLD" write -q --fold off --tree groups -o "$name.ordered"
  shows groups "$trace" "$name.ordered"
  check "$name: records are others where nothing is folded" holds events "$trace" "$name.ordered/traces.otf2"
  rm -rf "$name" "$name.groups" "$name.ordered"
done
finish
