#!/usr/bin/env bash
# Clusters of ranks that communicate alike, as `group --by signature` finds them in the shared traces:
# prints main clusters and sub-clusters beside what they have to be (SCIENCE's section 4, where a
# trace of the benchmark is there: the published counts). What is reduced by them is judged from
# outside; threads and the reader change nothing. Packs: $TRACEFOLD_SHARED/traces, beside the
# project by default.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

shared=${TRACEFOLD_SHARED:-$root/../shared}
if ! compgen -G "$shared/traces/*.tar.zst" > /dev/null; then
  skipped "no shared traces at $shared"
  exit 77
fi

# Trace, clusters as main/sub, options.
table="
npb_bt_W_16 1/3
npbph_bt_W_36 1/3
npb_bt_W_64 1/3
npbph_lu_W_9 9/9
npb_lu_W_16 9/9
npb_lu_W_64 9/9
npb_is_S_4 3/3
npb_is_S_16 3/3
npb_is_S_64 3/3
npb_ft_S_4 1/1
npb_ft_S_16 1/1
npb_mg_S_4 1/2
npbph_mg_S_8 1/4
npb_mg_S_16 2/8
npb_mg_S_64 8/32
npb_cg_S_4 1/4
npbph_cg_S_8 1/8
npb_cg_S_16 1/16
npb_cg_S_4 1/1 --peers pattern
npbph_cg_S_8 1/1 --peers pattern
npb_cg_S_16 1/1 --peers pattern
hpccg_16 2/4
hpccg_64 2/4
minife_8 1/8
minife_32 3/32
minife_100 19/99
npb_bt_W_64 1/1 --level main
npb_mg_S_64 8/8 --peers ignore --bytes ignore
"

unpack() {
  [ -d "$1" ] || tar --zstd -xf "$shared/traces/$1.tar.zst"
  trace=$(find "$1" -name '*.otf2' | head -n 1)
}

# count_clusters: main/sub of the plan on stdin; a rank is in one cluster, and every group of
# ranks has its list of ranks.
count_clusters() {
  python3 -c '
import json, sys
groups = [g for g in json.load(sys.stdin)["groups"]["list"] if "main" in g]
assert all(g["ranks"] for g in groups)
print("{}/{}".format(len({g["main"] for g in groups}), len({g["sub"] for g in groups})))'
}

printf '%-15s %-40s %8s %8s\n' trace options clusters 'must be'
while read -r name wanted options; do
  [ -n "$name" ] || continue
  unpack "$name"
  # shellcheck disable=SC2086
  found=$("$TRACEFOLD" group "$trace" --by signature $options < /dev/null | count_clusters)
  printf '%-15s %-40s %8s %8s\n' "$name" "${options:--}" "$found" "$wanted"
  check "$name has $found clusters instead of $wanted" [ "$found" = "$wanted" ]
done <<< "$table"

# Where most ranks are alone, a note says what would be left; else nothing does.
note_of() { "$TRACEFOLD" group "$1" --by signature --json < /dev/null 2>&1 > /dev/null; }
unpack npb_cg_S_16
check "ranks of CG that are alone are not said" [ "$(note_of "$trace")" = \
  "tracefold: 16 of 16 ranks are alone by signature; of 16 clusters --order ignore would leave 16, --peers pattern 1" ]
found=$("$TRACEFOLD" group "$trace" --by signature --order ignore < /dev/null | count_clusters)
check "CG has $found clusters without order" [ "$found" = 1/16 ]
unpack minife_8
check "how few clusters miniFE has without order is not said" grep -q "of 8 clusters --order ignore would leave 4," <<< "$(note_of "$trace")"
found=$("$TRACEFOLD" group "$trace" --by signature --order ignore < /dev/null | count_clusters)
check "miniFE has $found clusters without order" [ "${found#*/}" = 4 ]
unpack npb_bt_W_16
check "a note on BT, where no rank is alone" [ -z "$(note_of "$trace")" ]

# Programs as people write them: HPCCG's loop runs 149 times, of which what is
# folded from the left finds 147 in a row.
unpack hpccg_16
"$TRACEFOLD" group "$trace" --skeleton --format csv < /dev/null > skeleton.csv
check "HPCCG's loop is another one" python3 - skeleton.csv << 'END'
import csv, sys
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row["group"] == "1" and row["depth"]]
at = next(k for k, row in enumerate(rows) if row["count"] == "147")
loop = [(row["count"], row["call"], row["partner"], row["least_bytes"]) for row in rows[at + 1:at + 6]]
assert loop == [("1", "Irecv", "-1", "288"), ("1", "Irecv", "+1", "288"), ("1", "Send", "-1", "288"),
                ("1", "Send", "+1", "288"), ("2", "Allreduce", "", "128")], loop
assert [row["differs"] for row in rows[at + 1:at + 6]] == list("00001")
assert rows[at + 6]["depth"] == "0" and all(float(row["mean_seconds"]) > 0 for row in rows if row["call"])
END

# The same whatever reads, with however many threads.
for name in npb_mg_S_64 btmz_W_4x4 amg_8x2; do
  unpack "$name"
  "$TRACEFOLD" group "$trace" --by signature --threads 1 > one.json
  "$TRACEFOLD" group "$trace" --by signature --threads 4 > four.json
  "$TRACEFOLD" group "$trace" --by signature --reader otf2 > library.json
  check "$name: threads change the groups" cmp one.json four.json
  check "$name: the reader changes the groups" cmp one.json library.json
  "$TRACEFOLD" group "$trace" --exact | "$TRACEFOLD" group --by signature > again.json
  check "$name: a plan with groups by pairs leads to others" cmp one.json again.json
done

# Reduced by signature, judged from outside.
build_facts "$shared"
for name in npb_bt_W_16 npb_lu_W_16 npb_is_S_16 npb_ft_S_16 npb_mg_S_16 hpccg_16 btmz_W_4x4; do
  unpack "$name"
  expect 0 "$TRACEFOLD" reduce "$trace" --by signature --representative first --iterations off -o "small_$name"
  expect 0 /usr/bin/python3 "$shared/check/judge.py" "$trace" "small_$name/traces.otf2" --merged --extra
  expect 0 "$TRACEFOLD" verify "small_$name/traces.otf2" --against "$trace"

  # The messages that were kept say how many clusters there are, not the records that are left.
  before=$("$TRACEFOLD" group "$trace" --by signature < /dev/null | count_clusters)
  after=$("$TRACEFOLD" group "small_$name/traces.otf2" --by signature < /dev/null | count_clusters)
  check "reduced $name has $after clusters instead of $before" [ "$after" = "$before" ]
done

expect 0 "$TRACEFOLD" reduce "small_npb_lu_W_16/traces.otf2" --by signature --level main -o again
ranks_of() { otf2-print -G "$1/traces.otf2" | sed -n 's/.*"tracefold::ranks".*Value: "\([0-9 ]*\)".*/\1/p' | sort; }
check "reduced again, ranks are not those of the original" [ "$(ranks_of again)" = "$(ranks_of small_npb_lu_W_16)" ]
check "no location says its ranks" [ "$(ranks_of again | wc -l)" = 9 ]
expect 0 "$TRACEFOLD" reduce -q npb_lu_W_16/traces.otf2 -o silent --messages off
expect 3 "$TRACEFOLD" group silent/traces.otf2 --by signature
check "what is missing is not said" grep -q 'keeps no messages beside it' err.txt

otf2-print -G small_npb_lu_W_16/traces.otf2 > definitions.txt 2> /dev/null || fail "definitions cannot be printed"
check "no location says its members' ranks" grep -q '"2 5 2 4 2 1"' definitions.txt
for name in ranks main sub; do
  check "no location has tracefold::$name" grep -q "tracefold::$name" definitions.txt
done
finish
