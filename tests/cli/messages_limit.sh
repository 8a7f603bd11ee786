#!/usr/bin/env bash
# `reduce` keeps messages unless these take more than 64 MiB, and says so: against the real limit, with a trace of
# 900,000 messages of random tags and sizes, which take about 77 bytes each.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
make_random=$(realpath "${3:?the maker of random messages is missing}")

has_messages() { python3 -c 'import json, sys; sys.exit("messages" not in json.load(open(sys.argv[1])))' "$1/tracefold.json"; }
lacks_messages() { ! has_messages "$1"; }
says_nothing() { ! grep -q 'messages are not kept' err.txt; }

"$make_random" many 900000
"$make_random" few 1000
check "the trace is not clean" is_clean many/traces.otf2
limit=$((64 << 20))

expect 0 "$TRACEFOLD" reduce many/traces.otf2 -o small --iterations off
check "not said, or other words: $(cat err.txt)" \
  test "$(grep -c 'messages are not kept: they would take more than 64.0 MiB (--messages on keeps them)' err.txt)" = 1
check "messages are kept" lacks_messages small
check "the plan takes $(stat -c %s small/tracefold.json) bytes" test "$(stat -c %s small/tracefold.json)" -lt 65536
check "what is left is not clean" is_clean small/traces.otf2
expect 3 "$TRACEFOLD" matrix small/traces.otf2
check "no advice: $(cat err.txt)" grep -q 'reduce it with --messages on' err.txt
expect 3 "$TRACEFOLD" expand small/traces.otf2 -o full
no_output full

# Where they are asked for, there is no limit.
expect 0 "$TRACEFOLD" reduce many/traces.otf2 -o all --iterations off --messages on
check "it says that messages are not kept" says_nothing
check "$(stat -c %s all/tracefold.json) bytes are not more than the limit" \
  test "$(stat -c %s all/tracefold.json)" -gt "$limit"
"$TRACEFOLD" matrix -q many/traces.otf2 --format csv > original.csv
"$TRACEFOLD" matrix -q all/traces.otf2 --format csv > kept.csv
check "messages that were kept are others: $(cat kept.csv)" cmp -s original.csv kept.csv

# Where they are not wanted, or few, nothing is said.
expect 0 "$TRACEFOLD" reduce many/traces.otf2 -o none --iterations off --messages off
check "it says that messages are not kept" says_nothing
expect 0 "$TRACEFOLD" reduce few/traces.otf2 -o kept --iterations off
check "it says that messages are not kept" says_nothing
check "messages are not kept" has_messages kept
finish
