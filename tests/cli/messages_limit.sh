#!/usr/bin/env bash
# `reduce` keeps messages unless these take more than 64 MiB, and says so: against the real limit, with a trace of
# 900,000 messages of random tags and sizes, which take about 77 bytes each as text. Many messages are packed in a file.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
make_random=$(realpath "${3:?the maker of random messages is missing}")

has_messages() { python3 -c 'import json, sys; sys.exit("messages" not in json.load(open(sys.argv[1])))' "$1/tracefold.json"; }
lacks_messages() { ! has_messages "$1"; }
says_nothing() { ! grep -q 'messages are not stored' err.txt; }

"$make_random" many 900000
"$make_random" few 1000
check "the trace is not clean" is_clean many/traces.otf2
limit=$((64 << 20))

expect 0 "$TRACEFOLD" reduce many/traces.otf2 -o small --iterations off
check "not said, or other words: $(cat err.txt)" \
  test "$(grep -c 'messages are not stored: they would take more than 64.0 MiB (ask for --messages to store them)' err.txt)" = 1
check "messages are kept" lacks_messages small
check "the plan takes $(stat -c %s small/tracefold.json) bytes" test "$(stat -c %s small/tracefold.json)" -lt 65536
check "what is left is not clean" is_clean small/traces.otf2
"$TRACEFOLD" matrix -q many/traces.otf2 --format csv > original.csv
"$TRACEFOLD" matrix -q small/traces.otf2 --format csv > kept.csv
check "nothing was left out, and messages are others" cmp -s original.csv kept.csv
expect 0 "$TRACEFOLD" reduce many/traces.otf2 -o silent --iterations off --messages off
expect 3 "$TRACEFOLD" matrix silent/traces.otf2
check "no advice: $(cat err.txt)" grep -q 'reduce it with --messages stored' err.txt
expect 3 "$TRACEFOLD" expand small/traces.otf2 -o full
no_output full

# Where they are asked for, there is no limit. A message is one operation of each rank here, with a tag of 4 bytes and
# a size of 8 that no other has.
expect 0 "$TRACEFOLD" reduce many/traces.otf2 -o all --iterations off --messages stored
check "it says that messages are not kept" says_nothing
bytes_of() { cat "$1/tracefold.json" "$1/tracefold.messages" | wc -c; }
check "$(bytes_of all) bytes are not less than the limit for text" test "$(bytes_of all)" -lt "$limit"
"$TRACEFOLD" matrix -q all/traces.otf2 --format csv > kept.csv
check "messages that were kept are others: $(cat kept.csv)" cmp -s original.csv kept.csv

# Messages of random sizes: what is sent is received, so that it is kept once, in at most 4 bytes.
"$make_random" ring 4000 64
expect 0 "$TRACEFOLD" reduce ring/traces.otf2 -o packed
check "$(bytes_of packed) bytes for 256,000 messages" test "$(bytes_of packed)" -lt $((4 * 256000))
check "the plan takes $(stat -c %s packed/tracefold.json) bytes" test "$(stat -c %s packed/tracefold.json)" -lt 65536
hash=$(sha256sum packed/tracefold.messages | cut -d ' ' -f 1)
check "the plan does not name the hash of the messages" grep -q "$hash" packed/tracefold.json
expect 0 "$TRACEFOLD" verify packed/traces.otf2 --against ring/traces.otf2
"$TRACEFOLD" matrix -q ring/traces.otf2 --format csv > original.csv
"$TRACEFOLD" matrix -q packed/traces.otf2 --format csv > kept.csv
check "packed messages are others" cmp -s original.csv kept.csv

# The plan is enough to write the trace again, as long as the messages stand beside it.
expect 0 bash -c '"$TRACEFOLD" write -q -o again < packed/tracefold.json'
check "written again by its plan, it differs" diff -rq packed again
expect 3 bash -c 'cat packed/tracefold.json | "$TRACEFOLD" write -q -o piped'
check "no advice: $(cat err.txt)" grep -q 'keeps its messages in tracefold.messages.*give the plan as a file' err.txt
expect 0 "$TRACEFOLD" reduce -q packed/traces.otf2 -o twice
"$TRACEFOLD" matrix -q twice/traces.otf2 --format csv > kept.csv
check "reduced twice, packed messages are others" cmp -s original.csv kept.csv

# A missing file, another one, a damaged one, and one of another version.
for fault in missing other damaged version; do
  cp -r packed $fault
  case $fault in
  missing) rm $fault/tracefold.messages ;;
  other) printf 'tracefold packed 1\n' > $fault/tracefold.messages ;;
  damaged) printf 'x' | dd of=$fault/tracefold.messages bs=1 seek=5000 conv=notrunc status=none ;;
  version)
    printf 'tracefold packed 2\n' > $fault/tracefold.messages
    other=$(sha256sum $fault/tracefold.messages | cut -d ' ' -f 1)
    before=$(sha256sum $fault/tracefold.json | cut -d ' ' -f 1)
    sed -i "s/$hash/$other/" $fault/tracefold.json
    sed -i "s/$before/$(sha256sum $fault/tracefold.json | cut -d ' ' -f 1)/" $fault/traces.otf2
    ;;
  esac
  for command in matrix 'expand -o full'; do
    expect 3 "$TRACEFOLD" $command $fault/traces.otf2
    check "$fault: $(cat err.txt)" grep -q 'tracefold.messages' err.txt
  done
  expect 1 "$TRACEFOLD" verify $fault/traces.otf2 --against ring/traces.otf2
done
check "the version is not told: $(cat err.txt)" grep -q 'version 2, and version 1 is read' err.txt out.txt

# What belongs to a written trace may be replaced, and nothing else.
expect 0 "$TRACEFOLD" reduce -q ring/traces.otf2 -o packed --messages off --force
check "messages are left behind" test ! -e packed/tracefold.messages
expect 4 "$TRACEFOLD" reduce -q ring/traces.otf2 -o other --force

# Where they are not wanted, or few, nothing is said.
expect 0 "$TRACEFOLD" reduce many/traces.otf2 -o none --iterations off --messages off
check "it says that messages are not kept" says_nothing
expect 0 "$TRACEFOLD" reduce few/traces.otf2 -o kept --iterations off
check "it says that messages are not kept" says_nothing
check "messages are not kept" has_messages kept
finish
