#!/usr/bin/env bash
# Messages that a plan keeps of the shared traces: decoded, they are every operation of every rank as
# the trace has it, which a program of its own lists by plain means. Prints operations and bytes, and
# fails where regular programs take more than a byte for an operation. A reduced trace keeps those
# of its original, also when it is reduced again; `verify` sees where it does not. Packs:
# $TRACEFOLD_SHARED/traces, beside the project by default.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
check_messages=$(realpath "${3:?the program that checks is missing}")

shared=${TRACEFOLD_SHARED:-$root/../shared}
if ! compgen -G "$shared/traces/*.tar.zst" > /dev/null; then
  skipped "no shared traces at $shared"
  exit 77
fi

# lie FOLDER: the reduced trace with another name of a function in its messages, and with the hash
# of its plan.
lie() {
  rm -rf lied
  cp -r "$1" lied
  /usr/bin/python3 -I - << 'PYTHON'
import hashlib, pathlib, re
plan = pathlib.Path("lied/tracefold.json")
before = plan.read_bytes()
at = before.index(b'"messages"')
after = before[:at] + re.sub(rb'("names": *\["[^"]+)"', rb'\g<1>x"', before[at:], count=1)
assert after != before
plan.write_bytes(after)
anchor = pathlib.Path("lied/traces.otf2")
anchor.write_bytes(anchor.read_bytes().replace(*(hashlib.sha256(plan).hexdigest().encode() for plan in (before, after))))
PYTHON
}

# One byte for an operation, gap times apart.
small="npb_bt_W_16 npb_bt_W_64 npb_cg_S_16 npb_lu_W_16 npb_lu_W_64 npb_mg_S_16 npb_mg_S_64 hpccg_64
  minife_32 minife_100"

for pack in "$shared"/traces/*.tar.zst; do
  name=$(basename "$pack" .tar.zst)
  tar --zstd -xf "$pack"
  trace=$(find "$name" -name '*.otf2' | head -n 1)

  "$TRACEFOLD" group -q "$trace" --exact --messages on > plan.json < /dev/null
  said=$("$check_messages" "$trace" plan.json) || fail "$name: decoded messages are not the trace's: $said"
  checks=$((checks + 1))
  printf '%-14s %s\n' "$name" "$said"
  if [[ " $(echo $small) " == *" $name "* ]]; then
    check "$name takes more than a byte for an operation" \
      awk '{ exit !($NF <= 1) }' <<< "${said##*bytes per operation }"
  fi

  case $name in
    amg_27x1)  # with less memory than its operations take
      expect 0 "$TRACEFOLD" reduce -q "$trace" -o "small_$name"
      expect 0 "$TRACEFOLD" reduce -q "$trace" -o tight --memory 1MiB --force
      check "$name: messages depend on memory" diff -r "small_$name" tight
      expect 0 "$TRACEFOLD" verify "small_$name/traces.otf2" --against "$trace" --memory 1MiB
      ;;&
    npb_lu_W_16 | btmz_W_4x4 | amg_8x2)
      "$TRACEFOLD" group -q "$trace" --exact --messages on --threads 1 > one.json < /dev/null
      check "$name: messages depend on threads" cmp plan.json one.json
      "$TRACEFOLD" group -q "$trace" --exact --messages on --reader otf2 > library.json < /dev/null
      check "$name: messages depend on the reader" cmp plan.json library.json

      expect 0 "$TRACEFOLD" reduce -q "$trace" -o "small_$name"
      check "$name: a reduced trace keeps other messages" "$check_messages" "$trace" "small_$name/tracefold.json"
      lie "small_$name"
      verdict=$("$TRACEFOLD" verify lied/traces.otf2 --against "$trace" 2> /dev/null) || true
      check "$name: verify believes other messages: $verdict" grep -q '^tracefold.json: messages' <<< "$verdict"
      expect 0 "$TRACEFOLD" reduce -q "small_$name/traces.otf2" -o "again_$name"
      check "$name: reduced again, it keeps other messages" "$check_messages" "$trace" "again_$name/tracefold.json"
      expect 0 "$TRACEFOLD" reduce -q "$trace" -o "without_$name" --messages off
      check "$name: messages are kept where they are not wanted" jq -e '.messages == null' "without_$name/tracefold.json" > jq.txt
      ;;
  esac
  rm -rf "$name"
done

# Programs of one structure take as much room with many more ranks.
for ranks in 16 256; do
  "$MAKE_TRACE" "made_$ranks" --ranks "$ranks" --threads 1 --iterations 3 > /dev/null
  "$TRACEFOLD" group -q "made_$ranks/traces.otf2" --messages on > plan.json < /dev/null
  said=$("$check_messages" "made_$ranks/traces.otf2" plan.json) || fail "decoded messages of $ranks ranks: $said"
  printf 'made %s\n' "$said"
  bytes=$(sed -E 's/.* bytes ([0-9]+), .*/\1/' <<< "$said")
  [ "$ranks" = 256 ] || few=$bytes
done
check "256 ranks take $bytes bytes, and 16 take $few" [ $((10 * bytes)) -le $((11 * few)) ]
finish
