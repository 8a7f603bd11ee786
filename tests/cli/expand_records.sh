#!/usr/bin/env bash
# Programs that use windows and files, reduced and expanded again: each process has its own records of them, in its
# own calls, with the same bytes and partners, and each completion belongs to its operation.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_records() { python3 "$here/make_records_trace.py" "$@"; }
compare() { python3 "$here/compare_records.py" "$@" > compared.txt 2>&1; }

# expanded WORDS TRACE "OPTIONS OF REDUCE" "OPTIONS OF EXPAND" [ARGUMENTS OF compare]
expanded() {
  local words=$1 trace=$2 reduce=$3 expand=$4
  shift 4
  # shellcheck disable=SC2086
  expect 0 "$TRACEFOLD" reduce -q "$trace/traces.otf2" -o small --force $reduce
  # shellcheck disable=SC2086
  expect 0 "$TRACEFOLD" expand -q small/traces.otf2 -o full --force $expand
  check "$words: not clean" is_clean full/traces.otf2
  check "$words: other records: $(compare "$trace/traces.otf2" full/traces.otf2 "$@" || head -n 4 compared.txt)" \
    compare "$trace/traces.otf2" full/traces.otf2 "$@"
}

count_events() { otf2-print "$1" | grep -cE '^[A-Z_]+ +[0-9]+ +[0-9]+ '; }

# All processes, some, one; several representatives, one for all.
make_records app 8
make_records odd 7 5
expanded "all" app "" ""
check "several processes are kept: $(otf2-print -G small/traces.otf2 | grep -c '^LOCATION ')" \
  test "$(otf2-print -G small/traces.otf2 | grep -c '^LOCATION ')" = 3
check "other calls" test "$(count_events app/traces.otf2)" = "$(count_events full/traces.otf2)"
cp -r full first
expanded "by libotf2, one thread" app "" "--threads 1 --reader otf2"
check "other bytes by another reader" diff -r first full
expanded "by signature" app "--by signature" ""
expanded "seven ranks" odd "--by signature --level main" ""
expanded "one process for all" app "--threshold 0" "" --no-calls
expanded "some" app "" "--locations 0,2,4" 0,2,4
expanded "others" app "" "--locations 1-3" 1,2,3
expanded "one" app "" "--locations 5" 5
make_records steps 6 12
expanded "folded iterations" steps "--iterations 2 --begin-at MPI_Barrier" ""
check "no iteration was folded" grep -q 'iteration ≈' <(otf2-print small/traces.otf2)

# Threads of a rank of which some communicate, some write, and some only open files or do nothing of it.
for style in apart opens; do
  python3 "$here/make_threads_trace.py" "threads_$style" "$style"
  expanded "threads: $style" "threads_$style" "" ""
  expanded "threads: $style, one rank" "threads_$style" "" "--locations 3-5" 3,4,5
  sends=$(otf2-print full/traces.otf2 | grep -c '^MPI_' || true)
  check "threads: $style: $sends messages of one rank" test "$sends" = 0
done
expanded "files and directories" threads_apart "" ""
files() { otf2-print -G full/traces.otf2 | sed -n 's/^\(IO_[A-Z_]*\) .*"\(.scratch[a-z/]*\)".*/\1 \2/p' | sort | tr '\n' ' '; }
check "files and directories: $(files)" test "$(files)" = "IO_DIRECTORY /scratch IO_REGULAR_FILE /scratch/file "
check "ids do not ascend: $(otf2-print -G full/traces.otf2 2>&1 | grep 'out of order')" \
  test -z "$(otf2-print -G full/traces.otf2 2>&1 | grep 'out of order')"

# What was reduced twice is expanded to the first original.
expect 0 "$TRACEFOLD" reduce -q app/traces.otf2 -o small --force
expect 0 "$TRACEFOLD" reduce -q small/traces.otf2 -o smaller --threshold 0
expect 0 "$TRACEFOLD" expand -q smaller/traces.otf2 -o full --force
check "expanded from a second reduction: not clean" is_clean full/traces.otf2
check "expanded from a second reduction: $(head -n 3 compared.txt)" compare app/traces.otf2 full/traces.otf2 --no-calls

# What accompanies operations does not change who is alike.
"$TRACEFOLD" group -q app/traces.otf2 --by signature --format csv --messages off > without.csv
"$TRACEFOLD" group -q app/traces.otf2 --by signature --format csv --messages on > with.csv
check "keeping messages changes groups" cmp -s without.csv with.csv
"$TRACEFOLD" group -q small/traces.otf2 --by signature --json > stored.json
"$TRACEFOLD" group -q app/traces.otf2 --by signature --json > whole.json
list_clusters() { python3 -c 'import json, sys; print(sorted((g["ranks"], g["main"], g["sub"]) for g in json.load(open(sys.argv[1]))["groups"]["list"]))' "$1"; }
check "stored messages give other clusters: $(list_clusters stored.json)" \
  test "$(list_clusters whole.json)" = "$(list_clusters stored.json)"

# The summary tells of both kinds.
expect 0 "$TRACEFOLD" expand small/traces.otf2 -o full --force
check "the summary: $(cat out.txt err.txt)" grep -q 'one-sided operations 204, file operations 91, ' out.txt err.txt

# Several threads of a rank that communicate or only open files, inter-communicators, reused requests.
features="one_sided files collectives nonblocking_collectives requests threads thread_messages locks
  split_communicator inter_communicator omp_tasks properties attributes odd_names uneven created_groups"
for seed in 2 5 7 17; do
  # shellcheck disable=SC2086
  python3 "$root/tests/legal_traces/make_legal_trace.py" "$seed" "legal_$seed" $features > /dev/null
  expanded "legal trace $seed" "legal_$seed" "" ""
  "$TRACEFOLD" matrix -q "legal_$seed/traces.otf2" --format csv > original.csv
  "$TRACEFOLD" matrix -q full/traces.otf2 --format csv > expanded.csv
  check "legal trace $seed: other messages" cmp -s original.csv expanded.csv
done

# Bad input. What never completes stays open; what is not defined is left out; where nothing tells with whom a rank
# talks, nothing can be expanded.
make_records lost 8 3 no_completion
expanded "operations that never complete" lost "" ""
make_records nameless 8 3 unknown_handle no_completion
expanded "a file that is not defined" nameless "" ""
for oddity in unknown_window far_remote; do
  make_records "$oddity" 8 3 "$oddity"
  expect 0 "$TRACEFOLD" reduce "$oddity/traces.otf2" -o small --force
  check "$oddity: $(cat err.txt)" test "$(grep -c 'have unknown ends' err.txt)" = 1
  expect 3 "$TRACEFOLD" expand -q small/traces.otf2 -o bad
  check "$oddity: $(cat err.txt)" grep -q 'keeps messages that are not complete' err.txt
  no_output bad
done

# Messages that lie of windows and files end in one line of error, or without what they lie of.
expect 0 "$TRACEFOLD" reduce -q app/traces.otf2 -o small --force
cat > lie.py << 'END'
import hashlib, json, shutil, sys
plan = json.load(open("small/tracefold.json"))
messages = plan["messages"]
known = hashlib.sha256(open("small/tracefold.json", "rb").read()).hexdigest().encode()


def find(kind):
    return [one for one in messages["definitions"] if one[0] == kind]


def set_columns(kind, place, value):
    """One parameter of all operations of a kind."""
    width = {"RmaOpCompleteRemote": 3, "RmaPut": 4, "IoOperationComplete": 4, "RmaGroupSync": 4}[kind]
    messages["columns"].append(str(value))
    for row in messages["operations"]:
        if row[0].rstrip("+") == kind:
            for at in range(2, len(row), width):
                row[at + 1 + place] = len(messages["columns"]) - 1


def forget():
    messages["definitions"] = []


def itself():
    for one in find("IoHandle"):
        one[-1] = one[1]


def nobody():
    find("RmaWin")[0][3] = 99


lies = {
    "forgotten": forget, "own_parent": itself, "no_communicator": nobody,
    "unordered": lambda: messages["definitions"].reverse(),
    "far_group": lambda: find("Group")[0].__setitem__(-1, [0, 99]),
    "many_ranks": lambda: find("Group")[0].__setitem__(-1, [0, 7] * (1 << 16)),
    "long_ago": lambda: set_columns("RmaOpCompleteRemote", 1, 1 << 60),
    "just_now": lambda: set_columns("IoOperationComplete", 2, 0),
    "far_remote": lambda: set_columns("RmaPut", 0, 8),
    "other_window": lambda: set_columns("RmaPut", 1, 77),
    "file_and_directory": lambda: messages["definitions"].insert(
        messages["definitions"].index(find("IoHandle")[0]), ["IoDirectory", *find("IoRegularFile")[-1][1:]]),
    "far_paradigm": lambda: find("IoHandle")[0].__setitem__(4, 256),
    "other_group": lambda: set_columns("RmaGroupSync", 2, 77),
}
lies[sys.argv[1]]()
shutil.rmtree("lie", ignore_errors=True)
shutil.copytree("small", "lie")
text = json.dumps(plan)
open("lie/tracefold.json", "w").write(text)
anchor = open("small/traces.otf2", "rb").read()
open("lie/traces.otf2", "wb").write(anchor.replace(known, hashlib.sha256(text.encode()).hexdigest().encode()))
END
for lie in forgotten:0 own_parent:0 no_communicator:0 unordered:3 far_group:3 many_ranks:3 long_ago:0 just_now:0 \
  far_remote:3 other_window:0 other_group:0 file_and_directory:3 far_paradigm:3; do
  python3 lie.py "${lie%:*}"
  rm -rf lied
  expect "${lie#*:}" "$TRACEFOLD" expand -q lie/traces.otf2 -o lied
  if [ "${lie#*:}" = 0 ]; then
    check "$lie: not clean" is_clean lied/traces.otf2
  else
    check "$lie: more than one line: $(cat err.txt)" test "$(wc -l < err.txt)" = 1
    no_output lied
  fi
done

# So do lies of threads.
expect 0 "$TRACEFOLD" reduce -q threads_apart/traces.otf2 -o small --force
for lie in '"3,5"' '"2,4"' '"2,99"' '"2"' '7'; do
  python3 - "$lie" << 'END'
import hashlib, json, shutil, sys
text = open("small/tracefold.json", "rb").read()
plan = json.loads(text)
plan["messages"]["threads"][1]["locations"] = json.loads(sys.argv[1])
lie = json.dumps(plan).encode()
shutil.rmtree("lie", ignore_errors=True)
shutil.copytree("small", "lie")
open("lie/tracefold.json", "wb").write(lie)
anchor = open("small/traces.otf2", "rb").read()
known, made = (hashlib.sha256(one).hexdigest().encode() for one in (text, lie))
open("lie/traces.otf2", "wb").write(anchor.replace(known, made))
END
  rm -rf lied
  status=0
  "$TRACEFOLD" expand -q lie/traces.otf2 -o lied 2> err.txt || status=$?
  case $lie in
    '"2,4"') wanted=0 ;;     # threads of the rank itself
    '"2,99"') wanted=0 ;;    # nothing stands for it: its rank says nothing
    *) wanted=3 ;;
  esac
  check "threads at $lie: status $status, $(cat err.txt)" test "$status" = "$wanted"
  check "threads at $lie: more than one line: $(cat err.txt)" test "$(wc -l < err.txt)" = $((wanted / 3))
done

# What is expanded can be reduced again, and holds before the judge.
shared=${TRACEFOLD_SHARED:-$root/../shared}
expect 0 "$TRACEFOLD" reduce -q app/traces.otf2 -o small --force
expect 0 "$TRACEFOLD" expand -q small/traces.otf2 -o full --force
expect 0 "$TRACEFOLD" reduce -q full/traces.otf2 -o again
expect 0 "$TRACEFOLD" verify again/traces.otf2 --against full/traces.otf2
if [ -e "$shared/check/judge.py" ] && build_facts "$shared"; then
  expect 0 /usr/bin/python3 "$shared/check/judge.py" app/traces.otf2 small/traces.otf2
  expect 0 /usr/bin/python3 "$shared/check/judge.py" full/traces.otf2 again/traces.otf2
else
  skipped "no judge at $shared"
fi

finish
