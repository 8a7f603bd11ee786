#!/usr/bin/env bash
# tracefold.profiles beside a reduced trace, as a file: when it is made and how much it keeps, what
# each command does where it is missing or another one, and how it goes on with the trace.
#   whole_program_files.sh TRACEFOLD MAKE_TRACE
export COLUMNS=200  # lines are not wrapped
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

note='of all 24 processes of the original: counts exactly, times to 1 %, from tracefold.profiles'
unknown='warning: what all processes of the original did is not known: '

trace_in app --ranks 12 --threads 2 --iterations 40
"$TRACEFOLD" reduce app/traces.otf2 -o small > summary.txt 2> err.txt

# size_of FOLDER: of its file, 0 without one.
size_of() { stat -c %s "$1/tracefold.profiles" 2> /dev/null || echo 0; }

# says FILE WORDS, lacks FILE WORDS
says() { check "'$2' is not in: $(head -c 600 "$1")" grep -qF -- "$2" "$1"; }
lacks() { check "'$2' is in: $(head -c 600 "$1")" [ -z "$(grep -F -- "$2" "$1")" ]; }

# Each asks a folder's trace what all processes did.
profile_of() { expect 0 "$TRACEFOLD" profile "$1/traces.otf2"; }
pairs_of() { expect 0 "$TRACEFOLD" similarity --pairs "$1/traces.otf2"; }
map_of() { expect 0 "$TRACEFOLD" iterations --map visits --format csv "$1/traces.otf2"; }

# The tables that tell of processes.
tables_of() {
  local folder=$1
  : > tables.txt
  local command
  for command in profile 'profile --per-process' 'similarity --pairs' 'group --why' 'iterations --map visits' 'correlate --view time:main' \
    'correlate --all-pairs' 'group --format table'; do
    # shellcheck disable=SC2086
    expect 0 "$TRACEFOLD" $command "$folder/traces.otf2"
    cat out.txt >> tables.txt
    check "$command: $(head -c 200 out.txt)" grep -qi "${2:-.}" out.txt
  done
  cp tables.txt out.txt
}

# The processes that are in each iteration of the map that was asked for last.
rows_of() { tail -n 1 out.txt | tr -d '\r' | sed 's/.*,//'; }

# unknown_beside FOLDER WORDS: nothing is known of all processes, with a warning that says why.
unknown_beside() {
  answers_for_kept_processes "$1" "$2"
  expect 1 "$TRACEFOLD" verify "$1/traces.otf2" --against app/traces.otf2
  says out.txt "tracefold.profiles: $2"
  check "verify says more: $(cat out.txt)" [ "$(wc -l < out.txt)" = 1 ]
}

answers_for_kept_processes() {
  local command
  for command in profile pairs map; do
    "${command}_of" "$1"
    says err.txt "$unknown"
    says err.txt "tracefold.profiles: $2"
    lacks err.txt 'of all 24 processes'
    case $command in
      pairs) says out.txt 'Of the 3 kept processes only' ;;
      profile) check 'profile has no rows' [ "$(wc -l < out.txt)" -gt 5 ] ;;
      map) check "the map has $(rows_of) rows" [ "$(rows_of)" = 3 ] ;;
    esac
  done

  expect 0 "$TRACEFOLD" info "$1/traces.otf2"
  says err.txt "tracefold.profiles: $2"
  lacks out.txt 'of all 24 processes'
  expect 3 "$TRACEFOLD" summary "$1/traces.otf2"
  says err.txt 'what its processes did in the original is unknown: tracefold.profiles is not beside it'
  expect 3 "$TRACEFOLD" matrix --metric waiting "$1/traces.otf2"
  says err.txt "tracefold.profiles: $2"
}

# change_block FOLDER: another byte in the blocks of its file, whose hash, and that of the plan, are named anew.
change_block() {
  python3 - "$1" << 'END'
import hashlib, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def change(name, old, new):
    file = folder / name
    before = file.read_bytes()
    after = before.replace(old.encode(), new.encode())
    assert after != before, name
    file.write_bytes(after)
    return hashlib.sha256(before).hexdigest(), hashlib.sha256(after).hexdigest()
file = folder / "tracefold.profiles"
data = bytearray(file.read_bytes())
old = hashlib.sha256(data).hexdigest()
data[int.from_bytes(data[-48:-40], "little") // 2] ^= 1  # in the middle of what is before the document
file.write_bytes(data)
change("traces.otf2", *change("tracefold.json", old, hashlib.sha256(data).hexdigest()))
END
}

it_answers_for_all_processes() {
  says summary.txt 'known of all 24 processes: counts exactly, times to 1 %, from tracefold.profiles'
  local command
  for command in profile pairs map; do
    "${command}_of" small
    says err.txt "$note"
    lacks err.txt warning
    [ "$command" != map ] || check "the map has $(rows_of) rows" [ "$(rows_of)" = 24 ]
  done
  lacks out.txt 'kept processes only'
  tables_of small
  says err.txt "$note"
  lacks out.txt 'kept process'
  expect 0 "$TRACEFOLD" verify small/traces.otf2 --against app/traces.otf2 -v
  says out.txt 'ok   the profiles beside it are those that the plan names'
}

a_file_that_is_not_the_one_is_not_read() {
  cp -rp small bad
  rm bad/tracefold.profiles
  unknown_beside bad 'is missing'

  cp -p small/tracefold.profiles bad
  printf '\377' | dd of=bad/tracefold.profiles bs=1 seek=2000 conv=notrunc status=none
  unknown_beside bad 'is another file than the plan beside it names'

  cp -p small/tracefold.profiles bad
  truncate -s 2000 bad/tracefold.profiles
  unknown_beside bad 'is another file than the plan beside it names'

  # A changed block, under the hash that the plan and the anchor name.
  cp -p small/tracefold.* bad
  change_block bad
  answers_for_kept_processes bad 'packed bytes are damaged'

  cp -p small/tracefold.profiles bad
  cp -p small/tracefold.json small/traces.otf2 bad
  : > bad/tracefold.profiles
  unknown_beside bad 'is another file than the plan beside it names'

  expect 0 "$TRACEFOLD" reduce bad/traces.otf2 -o bad_again
  says err.txt "$unknown"
  lacks out.txt 'known of all'
  check 'a file that is not the one goes on' [ "$(size_of bad_again)" = 0 ]
}

it_takes_no_more_room_than_it_may() {
  local room
  for room in 4000 4K 100K auto; do
    expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o "room_$room" --profiles "$room"
    says out.txt 'known of all 24 processes: '
    check "$room: nothing is kept" [ "$(size_of "room_$room")" -gt 0 ]
  done
  check "4K: $(size_of room_4K) bytes" [ "$(size_of room_4K)" -le 4096 ]
  check "4000: $(size_of room_4000) bytes" [ "$(size_of room_4000)" -le 4000 ]
  check 'much room changes it' cmp -s room_100K/tracefold.profiles small/tracefold.profiles
  check 'auto changes it' diff -r room_auto small
}

what_is_left_out_is_said() {
  local size share
  size=$(size_of small)
  for share in $(seq 99 -1 20); do  # sequences and series of call paths go first
    rm -rf less
    expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o less --profiles $((size * share / 100))
    ! grep -q 'which has sums' out.txt || break
  done
  says out.txt 'times to 1 %, from tracefold.profiles, which has sums of 2 iterations each'
  expect 0 "$TRACEFOLD" iterations --map visits less/traces.otf2
  says err.txt 'which has sums of 2 iterations each, has no iterations of single call paths, does not tell what made others wait, does not tell who waits for whom'
  expect 0 "$TRACEFOLD" info less/traces.otf2
  says out.txt 'has no iterations of single call paths'
  expect 0 "$TRACEFOLD" verify less/traces.otf2 --against app/traces.otf2

  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o none --profiles 1K
  says out.txt 'profiles of all processes take more room than --profiles allows: not kept'
  check '1K makes a file' [ "$(size_of none)" = 0 ]
  profile_of none
  lacks err.txt warning
  lacks err.txt 'of all 24'
  expect 0 "$TRACEFOLD" verify none/traces.otf2 --against app/traces.otf2

  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o off --profiles off
  lacks out.txt 'known of all'
  check 'off makes a file' [ "$(size_of off)" = 0 ]
  lacks off/tracefold.json tracefold.profiles
  profile_of off
  lacks err.txt warning
  tables_of off 'of the [0-9]* kept process[es]* only'
  expect 0 "$TRACEFOLD" verify off/traces.otf2 --against app/traces.otf2
}

no_iterations_are_stored_where_there_is_little_room() {
  trace_in long --ranks 4 --threads 1 --iterations 2000
  "$TRACEFOLD" reduce long/traces.otf2 -o long_small -q
  local room=0 step
  for step in 2000 2500 3000 3500 4000; do
    rm -rf tight
    "$TRACEFOLD" reduce long/traces.otf2 -o tight --profiles "$step" > out.txt
    ! grep -q 'which has no iterations' out.txt || { room=$step && break; }
  done
  check 'no room is too small for iterations alone' [ "$room" -gt 0 ]
  says out.txt 'times to 10 %, from tracefold.profiles, which has no iterations'
  profile_of tight
  says err.txt 'times to 10 %, from tracefold.profiles, which has no iterations'
  map_of tight
  lacks err.txt 'of all 4 processes'
  check 'there is no map of kept processes' [ "$(wc -l < out.txt)" -gt 10 ]
}

bad_sizes_are_refused() {
  local word
  for word in foo 4X -1 ''; do
    expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o bad_size "--profiles=$word"
    says err.txt --profiles
    no_output bad_size
    rm -rf bad_size
  done
  expect 2 "$TRACEFOLD" reduce app/traces.otf2 -o bad_size --profiles foo
  says err.txt '--profiles foo: not a size'
}

# The plan beside the trace is enough to choose other representatives.
select_takes_the_plan_beside_the_trace() {
  "$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select --representative first --format csv > right.csv
  "$TRACEFOLD" select --representative first --format csv < small/tracefold.json > out.txt 2> err.txt
  says err.txt "$note"
  check "other representatives: $(diff right.csv out.txt | head -c 300)" cmp -s right.csv out.txt
  "$TRACEFOLD" select --representative first < small/tracefold.json 2> /dev/null | "$TRACEFOLD" write -o anew -q
  expect 0 "$TRACEFOLD" verify anew/traces.otf2 --against app/traces.otf2

  local status=0
  "$TRACEFOLD" select < off/tracefold.json > out.txt 2> err.txt || status=$?
  check "of a trace without profiles: status $status" [ "$status" = 3 ]
  says err.txt 'what its processes did is not known: the trace beside it keeps no profiles of all processes'
  status=0
  # shellcheck disable=SC2002
  cat small/tracefold.json | "$TRACEFOLD" select > out.txt 2> err.txt || status=$?
  check "through a pipe: status $status" [ "$status" = 3 ]
  says err.txt "tracefold.profiles is beside the plan's file, which is not what is read"
}

it_goes_on_with_the_trace() {
  expect 0 "$TRACEFOLD" reduce small/traces.otf2 -o again
  says out.txt 'known of all 24 processes: counts exactly, times to 1 %'
  check 'reduced again it is another file' cmp small/tracefold.profiles again/tracefold.profiles
  "$TRACEFOLD" info small/traces.otf2 -q | sed -n 's/^size  *//p' > size.txt
  "$TRACEFOLD" reduce small/traces.otf2 -o again_2 > out.txt 2> err.txt
  says out.txt ", $(cat size.txt) → "
  profile_of again
  says err.txt "$note"
  expect 0 "$TRACEFOLD" verify again/traces.otf2 --against small/traces.otf2
  expect 1 "$TRACEFOLD" verify again/traces.otf2 --against app/traces.otf2
  says err.txt 'again/traces.otf2 was reduced more than once'
  check "stdout says more: $(cat out.txt)" [ "$(cat out.txt)" = 'again/traces.otf2: not made from app/traces.otf2' ]

  expect 0 "$TRACEFOLD" reduce small/traces.otf2 -o again_off --profiles off
  check 'off keeps it' [ "$(size_of again_off)" = 0 ]
  expect 0 "$TRACEFOLD" verify again_off/traces.otf2 --against small/traces.otf2

  expect 0 "$TRACEFOLD" reduce small/traces.otf2 -o again_1K --profiles 1K
  check "1K keeps $(size_of again_1K) bytes" [ "$(size_of again_1K)" = 0 ]
  says err.txt 'tracefold.profiles is not written: it takes '
  expect 0 "$TRACEFOLD" verify again_1K/traces.otf2 --against small/traces.otf2
}

# Ranks 0 and 6 are kept for themselves and others.
it_is_cut_to_the_processes_that_are_left() {
  "$TRACEFOLD" filter small/traces.otf2 --locations 0,6 | "$TRACEFOLD" reduce - -o part > out.txt 2> err.txt
  says out.txt 'known of all'
  lacks err.txt 'is not written'
  check 'it is not cut' [ "$(size_of part)" -lt "$(size_of small)" ]
  expect 0 "$TRACEFOLD" verify part/traces.otf2 --against small/traces.otf2 -v
  says out.txt 'ok   the profiles beside it are those that the plan names'

  local others
  expect 0 "$TRACEFOLD" profile --per-process --format csv small/traces.otf2
  cp out.txt of_all.txt
  expect 0 "$TRACEFOLD" profile --per-process --format csv part/traces.otf2
  says err.txt 'of the 12 processes that are left: counts exactly, times to 1 %'
  others=$(grep -cvxFf of_all.txt out.txt || true)
  check "$others lines are not of the whole" [ "$others" = 0 ]
  check 'nothing is cut' [ "$(wc -l < out.txt)" -lt "$(wc -l < of_all.txt)" ]
  expect 0 "$TRACEFOLD" iterations --map visits part/traces.otf2
  expect 0 "$TRACEFOLD" iterations --map 'execution time' part/traces.otf2

  "$TRACEFOLD" filter small/traces.otf2 --locations 0,6 | "$TRACEFOLD" write - -o part_written -q
  check 'write cuts it in another way' cmp part/tracefold.profiles part_written/tracefold.profiles
}

# Times of two processes that are nearly equal differ by no more than they are exact.
pairs_say_how_exact_they_are() {
  trace_in even --ranks 2 --threads 8 --iterations 40
  "$TRACEFOLD" reduce even/traces.otf2 -o even_small -q
  pairs_of even_small
  "$TRACEFOLD" similarity --pairs even_small/traces.otf2 --json -q > pairs.json
  check 'no error is told' python3 -c 'import json
pairs = json.load(open("pairs.json"))["pairs"]
assert pairs and all(pair["difference_error_seconds"] > 0 for pair in pairs)
hidden = sum(pair["difference_seconds"] <= pair["difference_error_seconds"] for pair in pairs)
assert open("out.txt").read().count("  < ") == hidden, hidden'
  "$TRACEFOLD" reduce even/traces.otf2 -o even_off --profiles off -q
  pairs_of even_off
  lacks out.txt 'In no group two processes differ'
}

waiting_is_known_of_what_filters_leave() {
  local status=0
  "$TRACEFOLD" filter small/traces.otf2 --drop MPI_Recv -q | "$TRACEFOLD" matrix - --metric waiting > out.txt 2> err.txt || status=$?
  check "without a function: status $status" [ "$status" = 3 ]
  says err.txt 'who waits for whom is not known without the functions that are left out'

  "$TRACEFOLD" matrix small/traces.otf2 --metric waiting --json -q > all.json
  "$TRACEFOLD" filter small/traces.otf2 --locations 0 -q > left.json
  "$TRACEFOLD" matrix - --metric waiting --json -q < left.json > left_waiting.json
  "$TRACEFOLD" reduce - -q -o cut < left.json
  "$TRACEFOLD" matrix cut/traces.otf2 --metric waiting --json -q > cut_waiting.json
  check 'all wait where some are left' [ "$(cells_of left_waiting.json)" -lt "$(cells_of all.json)" ]
  check 'others wait than in the trace that is cut' [ "$(cells_of left_waiting.json)" = "$(cells_of cut_waiting.json)" ]

  "$TRACEFOLD" matrix small/traces.otf2 --json -q > all.json
  "$TRACEFOLD" matrix - --json -q < left.json > left_bytes.json
  check 'all send where some are left' [ "$(cells_of left_bytes.json)" -lt "$(cells_of all.json)" ]
}
cells_of() { python3 -c 'import json, sys; print(sum(len(part["cells"]) for part in json.load(open(sys.argv[1]))["parts"]))' "$1"; }

# What all processes do without some functions is not known.
it_ends_where_functions_are_left_out() {
  "$TRACEFOLD" filter small/traces.otf2 --drop 'MPI_Wait*' |
    "$TRACEFOLD" reduce - -o dropped > out.txt 2> err.txt
  says err.txt 'tracefold.profiles is not written: functions are left out now'
  lacks out.txt 'known of all'
  check 'it is kept' [ "$(size_of dropped)" = 0 ]
}

it_is_the_same_by_stages() {
  "$TRACEFOLD" reduce app/traces.otf2 -o whole -q
  "$TRACEFOLD" group app/traces.otf2 --messages on | "$TRACEFOLD" select | "$TRACEFOLD" iterations |
    "$TRACEFOLD" write -o staged -q
  check 'by stages it is another one' diff -r whole staged
  check 'by stages there is none' [ "$(size_of staged)" -gt 0 ]

  # Without profiles nothing is known of errors, whatever a stage before has measured.
  "$TRACEFOLD" reduce app/traces.otf2 -o without -q --profiles off
  "$TRACEFOLD" group app/traces.otf2 --messages on | "$TRACEFOLD" select | "$TRACEFOLD" iterations |
    "$TRACEFOLD" write -o staged_without -q --profiles off
  check 'without profiles it is another one' diff -r without staged_without
  check 'without profiles errors are told' [ -z "$(grep '"errors":' without/tracefold.json)" ]
  expect 0 "$TRACEFOLD" verify staged_without/traces.otf2 --against app/traces.otf2

  "$TRACEFOLD" reduce app/traces.otf2 -o all_iterations -q --iterations off
  "$TRACEFOLD" group app/traces.otf2 --messages on | "$TRACEFOLD" select | "$TRACEFOLD" write -o staged_all -q
  check 'without iterations it is another one' diff -r all_iterations staged_all
  check 'without iterations there is none' [ "$(size_of staged_all)" -gt 0 ]
}

it_is_the_same_for_any_threads_and_memory() {
  local number=0 options
  for options in '--threads 1' '--threads 2' '--memory 16M' '--memory 4G'; do
    number=$((number + 1))
    # shellcheck disable=SC2086
    "$TRACEFOLD" reduce app/traces.otf2 -o "same_$number" -q $options
    check "$options changes it" diff -r small "same_$number"
  done
}

a_folder_that_has_it_is_replaced() {
  cp -rp small old
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o old -q
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o old -q --force --profiles off
  check 'the old file stays' [ ! -e old/tracefold.profiles ]
  expect 0 "$TRACEFOLD" reduce app/traces.otf2 -o old -q --force
  check 'replaced it is another one' diff -r small old

  printf x >> old/tracefold.profiles
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o old -q --force
  says err.txt "holds 'tracefold.profiles', which is not what tracefold has written"
  cp -rp off with_foreign
  cp small/tracefold.profiles with_foreign
  expect 4 "$TRACEFOLD" reduce app/traces.otf2 -o with_foreign -q --force
  check 'the file of somebody else is gone' cmp small/tracefold.profiles with_foreign/tracefold.profiles
  no_pending
}

there_is_none_where_everything_stays() {
  trace_in single --ranks 1 --threads 1 --iterations 5
  expect 0 "$TRACEFOLD" reduce single/traces.otf2 -o single_small --iterations off
  lacks out.txt 'known of all'
  check 'it has a file' [ "$(size_of single_small)" = 0 ]
  profile_of single_small
  lacks err.txt warning
}

# A loop that only processes have which are gone is no loop of what is left.
maps_are_cut_to_the_processes_that_are_left() {
  local pack=${TRACEFOLD_SHARED:-$root/../shared}/traces/amg_8x2.tar.zst
  [ -e "$pack" ] || { skipped "no $pack"; return; }
  tar --zstd -xf "$pack"
  expect 0 "$TRACEFOLD" reduce -q "$(find amg_8x2 -name traces.otf2)" -o amg
  expect 0 "$TRACEFOLD" iterations -q amg/traces.otf2 --map 'execution time' --loop 2 -o map.svg
  "$TRACEFOLD" filter -q amg/traces.otf2 --locations 0-1,3-4,4294967296-4294967297,4294967299 | "$TRACEFOLD" group -q | "$TRACEFOLD" select -q | "$TRACEFOLD" write -q -o amg_part
  expect 0 "$TRACEFOLD" iterations -q amg_part/traces.otf2 --map 'execution time' -o map.svg --force
  expect 2 "$TRACEFOLD" iterations -q amg_part/traces.otf2 --map 'execution time' --loop 2 -o map.svg --force
  check 'no such loop' grep -q 'no such loop' err.txt
  expect 0 "$TRACEFOLD" report -q amg_part/traces.otf2 -o amg.html
}

it_answers_for_all_processes
maps_are_cut_to_the_processes_that_are_left
a_file_that_is_not_the_one_is_not_read
it_takes_no_more_room_than_it_may
what_is_left_out_is_said
no_iterations_are_stored_where_there_is_little_room
bad_sizes_are_refused
select_takes_the_plan_beside_the_trace
it_goes_on_with_the_trace
it_is_cut_to_the_processes_that_are_left
pairs_say_how_exact_they_are
waiting_is_known_of_what_filters_leave
it_ends_where_functions_are_left_out
it_is_the_same_by_stages
it_is_the_same_for_any_threads_and_memory
a_folder_that_has_it_is_replaced
there_is_none_where_everything_stays

finish
