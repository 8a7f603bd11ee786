#!/usr/bin/env bash
# What `export` writes: the documented columns, the same bytes with any number of threads, and, where npm's registry is
# reached, what DuckDB, hyparquet and pandas read of it.
# usage: tables.sh TRACEFOLD MAKE_TRACE
# shellcheck source=../cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
readers=$root/tests/parquet

"$TRACEFOLD" export --schema > schema.md
check "docs/dataframes.md does not end with what --schema prints" \
  diff <(sed '1,/^<!-- tables/d' "$root/docs/dataframes.md" | sed '/./,$!d') schema.md

trace_in app --ranks 8 --threads 2 --iterations 20
"$TRACEFOLD" reduce app/traces.otf2 -o small -q > /dev/null
mkdir odd records
/usr/bin/python3 "$root/tests/dataframes/make_odd_trace.py" odd
/usr/bin/python3 "$root/tests/cli/make_records_trace.py" records
for trace in app small odd records; do
  for format in parquet csv; do
    for threads in 1 3; do
      "$TRACEFOLD" export $trace/traces.otf2 -o $trace.$format.$threads --format $format --threads $threads -q > /dev/null
    done
    check "$trace as $format depends on the number of threads" diff -r $trace.$format.1 $trace.$format.3
  done
done

# Of a small trace: all processes and messages of the original, and who is shown by whom.
same_columns() {  # TABLE COLUMNS
  check "$1 of a small trace differ" diff <(cut -d, -f"$2" app.csv.1/"$1".csv) <(cut -d, -f"$2" small.csv.1/"$1".csv)
}
same_columns processes 1-8
same_columns messages 1-5
same_columns matrix 1-4
rows_of_groups=$(tail -n +2 small.csv.1/processes.csv | cut -d, -f9 | sort -u | wc -l)
check "processes are not shown by the rows that are kept" \
  [ "$rows_of_groups" = "$(tail -n +2 small.csv.1/calls.csv | cut -d, -f1 | sort -u | wc -l)" ]

# A tar of a trace, and a part of one.
tar -cf app.tar app
"$TRACEFOLD" export app.tar -o tar -q --tables calls,messages
for table in calls messages; do
  check "$table of a tar differ" cmp tar/$table.parquet app.parquet.1/$table.parquet
done
"$TRACEFOLD" export app/traces.otf2 -o first -q --format csv --time 0%-50% --tables calls
"$TRACEFOLD" export app/traces.otf2 -o second -q --format csv --time 50%-100% --tables calls
sum() { awk -F, 'NR > 1 { ns += $9 } END { print ns }' "$1"; }
check "exclusive times of two halves are not those of all" \
  [ "$(($(sum first/calls.csv) + $(sum second/calls.csv)))" = "$(sum app.csv.1/calls.csv)" ]

# A folder is replaced only where all of it is ours, and nothing is left where something fails.
expect 4 "$TRACEFOLD" export app/traces.otf2 -o app.csv.1
expect 0 "$TRACEFOLD" export app/traces.otf2 -o app.csv.1 --force --tables facts
echo mine > app.csv.1/notes.txt
expect 4 "$TRACEFOLD" export app/traces.otf2 -o app.csv.1 --force
check "a foreign file is gone" test -f app.csv.1/notes.txt
expect 2 "$TRACEFOLD" export app/traces.otf2 -o other --tables call
no_output other
head -c 3000 app/traces/0.evt > cut && cp -r app damaged && cp cut damaged/traces/0.evt
expect 3 "$TRACEFOLD" export damaged/traces.otf2 -o other
no_output other

if ! command -v npm node > /dev/null || ! "$root/tests/install_packages.sh" "$readers"; then
  skipped "no npm: nothing else reads the tables"
  finish
fi
for trace in app small odd records; do
  check "readers differ on $trace" node "$readers/read_tables.mjs" $trace.parquet.1 $trace.csv.3
done
for trace in app small; do
  answers=
  if /usr/bin/python3 "$root/tests/dataframes/answer_by_pandas.py" "$root" $trace.csv.3 > answers.json; then
    answers=answers.json
  else
    skipped "no pandas"
  fi
  check "questions to $trace" node "$readers/ask_tables.mjs" "$root/docs/dataframes.md" "$work/$trace.parquet.1" $answers
done
finish
