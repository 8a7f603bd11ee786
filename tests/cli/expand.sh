#!/usr/bin/env bash
# Shared traces that were reduced and expanded again: strict readers take them, all messages are those of the
# original, by tag and call path, and can be played without a deadlock. Packs: $TRACEFOLD_SHARED/traces,
# beside the project by default.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
REPLAY=$(realpath "${3:?the program that plays traces is missing}")

# Parts of an expanded trace, whatever is left out; and what is not quite MPI's.
trace_in app --ranks 6
expect 0 "$TRACEFOLD" reduce -q app/traces.otf2 -o small
for part in 0 5 1,4 4294967296 0,4294967297; do
  expect 0 "$TRACEFOLD" expand -q small/traces.otf2 -o part --force --locations "$part"
  check "locations $part: not clean" is_clean part/traces.otf2
  expect 0 "$REPLAY" part/traces.otf2
done

# What was reduced twice is expanded to the first original.
expect 0 "$TRACEFOLD" reduce -q small/traces.otf2 -o smaller
expect 0 "$TRACEFOLD" expand -q smaller/traces.otf2 -o full
check "expanded from a second reduction: not clean" is_clean full/traces.otf2
"$TRACEFOLD" matrix -q app/traces.otf2 --format csv > original.csv
"$TRACEFOLD" matrix -q full/traces.otf2 --format csv > expanded.csv
check "expanded from a second reduction: other messages" cmp -s original.csv expanded.csv

# In a table of signatures the ranks are those of the first original, whomever they are kept for.
list_ranks() { "$TRACEFOLD" group -q "$1" --by signature --json | python3 -c '
import json, sys
print(sorted(group["ranks"] for group in json.load(sys.stdin)["groups"]["list"] if "ranks" in group))'; }
expect 0 "$TRACEFOLD" reduce -q app/traces.otf2 -o by_signature --by signature
check "ranks of a reduced trace are $(list_ranks by_signature/traces.otf2)" \
  test "$(list_ranks app/traces.otf2)" = "$(list_ranks by_signature/traces.otf2)"

# What is made up of what was made up is marked once.
expect 0 "$TRACEFOLD" reduce -q full/traces.otf2 -o of_made_up
expect 0 "$TRACEFOLD" expand -q of_made_up/traces.otf2 -o made_up_again
"$TRACEFOLD" info full/traces.otf2 > info.txt
check "info: not expanded" grep -q '^expanded  *by tracefold' info.txt
"$TRACEFOLD" info of_made_up/traces.otf2 > info.txt
check "info: not reduced" grep -q '^reduced  *by tracefold .* stand for' info.txt
check "what is made up is not marked once" \
  test "$(otf2-print -G made_up_again/traces.otf2 | grep -c '"≈ [^≈]*"')" -gt 0 -a \
  -z "$(otf2-print -G made_up_again/traces.otf2 | grep '≈ ≈')"

# A plan that is not the one, and messages that lie, end in one line of error.
cp -r small lies
python3 - << 'EOF'
import hashlib, json, re
plan = json.load(open("small/tracefold.json"))
anchor = open("small/traces.otf2", "rb").read()
known = hashlib.sha256(open("small/tracefold.json", "rb").read()).hexdigest().encode()
assert known in anchor


def lie(name, change):
    import copy, os, shutil
    told = copy.deepcopy(plan)
    change(told["messages"])
    shutil.rmtree("lie_" + name, ignore_errors=True)
    shutil.copytree("small", "lie_" + name)
    text = json.dumps(told)
    open(f"lie_{name}/tracefold.json", "w").write(text)
    open(f"lie_{name}/traces.otf2", "wb").write(anchor.replace(known, hashlib.sha256(text.encode()).hexdigest().encode()))


def grow(messages):
    cluster = messages["clusters"][0]
    cluster["sequence"] = re.sub(r"(\d+)\(", lambda m: "9" * 15 + "(", cluster["sequence"], count=1)


def cut_gap(messages):
    cluster = messages["clusters"][0]
    path = next(iter(cluster["gaps"]))
    cluster["gaps"][path] = cluster["gaps"][path][:-1]


def forget_sends(messages):  # only receives are left in the last cluster
    messages["clusters"] = messages["clusters"][:1]


lie("size", lambda m: m.update(size=m["size"] - 1))
lie("gaps", cut_gap)
lie("rank", lambda m: m["columns"].__setitem__(0, "4000000"))
lie("column", lambda m: m.update(columns=m["columns"][:1]))
lie("grown", grow)
lie("deep", lambda m: m.update(paths=[x for path in range(40000) for x in (path, 0)]))
lie("alone", forget_sends)
EOF
for lie in lie_*; do
  status=0
  timeout 60 "$TRACEFOLD" expand "$lie/traces.otf2" -o out_$lie > out.txt 2> err.txt || status=$?
  check "$lie: status $status, $(head -c 300 err.txt)" \
    test "$status" = 3 -o "$lie" = lie_alone -a "$status" = 0 -o "$lie" = lie_deep -a "$status" = 0
  check "$lie: more than one line" test "$(wc -l < err.txt)" = 1
  [ "$status" = 0 ] || no_output "out_$lie"
done

# Call paths inside of each other are not listed for each of them.
peak=$(python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], capture_output=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
  "$TRACEFOLD" expand lie_deep/traces.otf2 -o out_deep --force)
check "40,000 call paths inside of each other take $peak KiB" test "$peak" -lt 1500000

shared=${TRACEFOLD_SHARED:-$root/../shared}
if ! compgen -G "$shared/traces/*.tar.zst" > /dev/null; then
  skipped "no shared traces at $shared"
  finish
  exit
fi

# Traces of functions of the program alone: each operation stays in its function, in its order.
expand_as() { # expand_as ORIGINAL WORDS [--calls]: what was reduced, and is expanded, does what the original does
  expect 0 "$TRACEFOLD" expand -q small/traces.otf2 -o full --force
  check "$2: $(python3 "$here/compare_operations.py" "$1" full/traces.otf2 ${3-} 2>&1 | head -n 1 | head -c 500)" \
    python3 "$here/compare_operations.py" "$1" full/traces.otf2 ${3-}
}
if [ -e "$shared/cases/order" ]; then
  expect 0 "$TRACEFOLD" reduce -q "$shared/cases/order/traces.otf2" -o small --force --iterations off
  expand_as "$shared/cases/order/traces.otf2" order --calls
fi
for name in ${PACKS:-npb_lu_W_16 npb_is_S_16 npb_cg_S_8 amg_8x1}; do
  [ -e "$shared/traces/$name.tar.zst" ] || continue
  tar --zstd -xf "$shared/traces/$name.tar.zst"
  trace=$(find "$name" -name '*.otf2' | head -n 1)
  expect 0 "$TRACEFOLD" reduce -q "$trace" -o small --force --iterations off --threshold 0
  expand_as "$trace" "$name, all in one group" --calls
  "$TRACEFOLD" filter -q "$trace" --drop 'MPI_*' --json > filtered.json
  expect 0 bash -c '"$TRACEFOLD" write -q --keep-ids -o filtered --force < filtered.json'
  expect 0 bash -c '"$TRACEFOLD" reduce - -q -o small --force --iterations off < filtered.json'
  # In LU, nothing tells which of two calls of a function has what only one of them does.
  expand_as filtered/traces.otf2 "$name without calls of MPI" "$([ $name = npb_lu_W_16 ] || echo --calls)"
  # Calls that do several things at once do so after a second reduction, too.
  expect 0 "$TRACEFOLD" reduce -q "$trace" -o once --force
  expect 0 "$TRACEFOLD" reduce -q once/traces.otf2 -o small --force
  expand_as "$trace" "$name, reduced twice"
  rm -rf "$name"
done

packs=${PACKS:-npb_lu_W_4 npb_is_S_16 npb_mg_S_4 npb_cg_S_8 npbph_cg_S_8 npb_ft_S_4 minife_8 amg_8x1 btmz_S_2x3 npb_bt_W_16}
for name in $packs; do
  [ -e "$shared/traces/$name.tar.zst" ] || continue
  tar --zstd -xf "$shared/traces/$name.tar.zst"
  trace=$(find "$name" -name '*.otf2' | head -n 1)
  if [ "$name" = amg_8x1 ]; then
    expect 0 "$TRACEFOLD" reduce -q "$trace" -o small --force
    expect 3 "$TRACEFOLD" expand -q small/traces.otf2 -o tight --memory 1MiB
    check "no advice on memory: $(cat err.txt)" grep -q 'raise --memory' err.txt
    no_output tight
    expect 0 "$TRACEFOLD" expand -q small/traces.otf2 -o tight --memory 24MiB
  fi
  for way in "" "--by signature" "--iterations 4"; do
    # shellcheck disable=SC2086
    expect 0 "$TRACEFOLD" reduce -q "$trace" -o small --force $way
    if "$TRACEFOLD" matrix -q "$trace" 2>&1 | grep 'not complete\|unknown' > /dev/null; then
      expect 3 "$TRACEFOLD" expand -q small/traces.otf2 -o full --force
      continue
    fi
    expect 0 "$TRACEFOLD" expand -q small/traces.otf2 -o full --force
    check "$name $way: not clean" is_clean full/traces.otf2
    expect 0 "$REPLAY" full/traces.otf2
    for split in tag call-path communicator; do
      for which in "$trace" full/traces.otf2; do
        "$TRACEFOLD" matrix -q "$which" --split $split --format csv < /dev/null | sed -E 's/\([0-9]+\)//' | sort > $(basename "$(dirname "$which")").csv.$split
      done
      check "$name $way: other messages by $split" cmp -s "$(basename "$(dirname "$trace")").csv.$split" full.csv.$split
    done
  done
  rm -rf "$name" ./*.csv.*
done

finish
