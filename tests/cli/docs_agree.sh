#!/bin/bash
# Checks that help fits into 80 columns, and that what make_docs has made agrees with it: docs_agree.sh TRACEFOLD MAKE_DOCS DOCS_FOLDER
# Of every command every long option has to be completed in three shells, and nothing else; bash is asked by running what it would run.
set -u
tracefold=${1:?usage: docs_agree.sh TRACEFOLD MAKE_DOCS DOCS_FOLDER}
make_docs=${2:?usage: docs_agree.sh TRACEFOLD MAKE_DOCS DOCS_FOLDER}
docs=${3:?usage: docs_agree.sh TRACEFOLD MAKE_DOCS DOCS_FOLDER}
template=$(dirname "$0")/../../cli/docs/tracefold.1.in
wrong=0

complain() {
  echo "docs_agree: $*" >&2
  wrong=1
}

sorted() { tr -s ' \n' '\n\n' <<<"$1" | grep . | LC_ALL=C sort -u; }

# compare WHERE EXPECTED FOUND: two lists of words, in any order.
compare() {
  local difference
  difference=$(diff <(sorted "$2") <(sorted "$3")) || complain "$1: $difference"
}

# Words like --option in stdin.
long_options() { grep -oE -e '--[a-z][a-z-]*' | LC_ALL=C sort -u; }

# The options that a help text defines, not those that it mentions.
help_options() { grep -E '^  -' | sed -E 's/^  ([^ ]+).*/\1/' | long_options; }

# offered WORD...: what bash completion offers for the last word of a command line; FILES stands for names of files.
offered() {
  bash -c 'given=("${@:2}"); complete() { :; }; _filedir() { COMPREPLY+=(FILES); }
    _init_completion() { words=("${given[@]}"); cword=$((${#given[@]} - 1)); cur=${given[-1]}; prev=${given[-2]}; }
    . "$1/tracefold.bash"; _tracefold; [[ ! ${COMPREPLY[*]} ]] || printf "%s\n" "${COMPREPLY[@]}"' - "$docs" tracefold "$@"
}

# A line for each option and the commands that have it: "complete -c tracefold -n '__fish_seen_subcommand_from COMMAND...' ... -l NAME".
fish_options() {
  sed -nE "s/^complete -c tracefold -n '__fish_seen_subcommand_from ([a-z ]*)'.* -l ([a-z-]+) .*/ \1 \2/p" "$docs/tracefold.fish" \
    | awk -v name="$1" '{ option = $NF; $NF = ""; if (index(" " $0 " ", " " name " ")) print "--" option }'
}

# The arm of the command; what excludes an option stands in brackets before it.
zsh_options() {
  awk -v name="$1" '$1 == name ")" { on = 1 } on; on && /;;/ { exit }' "$docs/_tracefold" \
    | sed -E "s/^ *'\([^)]*\)'//; s/\[.*//" | long_options
}

help=$("$tracefold" --help) || { complain "'$tracefold --help' failed"; exit 1; }
[[ ! $(awk 'length > 80' <<<"$help") ]] || complain "--help is wider than 80 columns"
commands=$(awk '/^(Commands|More commands):/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }' <<<"$help")
[[ $commands ]] || complain "no commands in --help"

compare "bash, commands" "$commands help --help --version" "$(offered '')"
compare "bash, help" "$commands" "$(offered help '')"
compare "zsh, commands" "$commands" "$(sed -nE "s/^    '([a-z]+):.*/\1/p" "$docs/_tracefold")"
compare "fish, commands" "$commands" "$(sed -nE 's/^set -l commands (.*)/\1/p' "$docs/tracefold.fish")"
compare "fish, what commands do" "$commands help" "$(sed -nE 's/^complete .* -a ([a-z]+) -d .*/\1/p' "$docs/tracefold.fish")"

for command in $commands; do
  text=$("$tracefold" "$command" --help-all) || complain "'tracefold $command --help' failed"
  options=$(help_options <<<"$text")
  ! grep -q 'Excludes:' <<<"$text" || complain "$command --help says 'Excludes:'"
  wide=$(awk 'length > 80' <<<"$text") && [[ ! $wide ]] || complain "$command --help is wider than 80 columns: $wide"
  compare "bash, $command" "$options" "$(offered "$command" --)"
  compare "zsh, $command" "$options" "$(zsh_options "$command")"
  compare "fish, $command" "$options" "$(fish_options "$command")"
  compare "bash, $command, a trace" FILES "$(offered "$command" '')"
done

# Values. Names of metrics hold blanks, which are quoted where the word does not begin with a quote.
compare "reduce --by" "pairs functions signature" "$(offered reduce --by '')"
compare "lattice --by" "pairs functions" "$(offered lattice --by '')"
compare "export --format" "parquet csv" "$(offered export --format '')"
compare "matrix --metric" "bytes messages waiting" "$(offered matrix --metric '')"
compare "select --halo a" "auto all" "$(offered select --halo a)"
compare "iterations --csv" "iterations processes map" "$(offered iterations --csv '')"
compare "profile --sort" "variation exclusive inclusive visits name" "$(offered profile --sort '')"
compare "profile --function-groups" "FILES paradigm role library class" "$(offered profile --function-groups '')"
compare "write -o" FILES "$(offered write -o '')"
compare "group --threshold" "" "$(offered group --threshold '')"
metrics=$({ sed -nE 's/^    \{"([^"]+)", MetricKind.*/\1/p' "$(dirname "$0")/../../model/profile/metric.hpp"; echo "computation time"; } | LC_ALL=C sort)
[[ $metrics ]] || complain "no metrics in model/profile/metric.hpp"
page=$(sed 's/\\-/-/g' "$docs/tracefold.1")
while read -r metric; do
  grep -qF " $metric" <<<"$page" || complain "the man page does not list the metric $metric"
done <<<"$metrics"
[[ $(offered iterations --map "'" | LC_ALL=C sort) == "$metrics" ]] || complain "bash: --map has other metrics than there are"
[[ $(offered iterations --map "'MPI ti") == "MPI time" ]] || complain "bash: --map 'MPI ti: $(offered iterations --map "'MPI ti")"
[[ $(offered iterations --map 'MPI\ ti') == 'MPI\ time' ]] || complain "bash: --map MPI\\ ti: $(offered iterations --map 'MPI\ ti')"
compare "--map nosuch" "" "$(offered iterations --map nosuch)"
fish=$(sed -nE 's/^complete .* -l map .* -a "([^"]*)".*/\1/p' "$docs/tracefold.fish" | grep -oE "'[^']+'" | tr -d "'" | LC_ALL=C sort)
[[ $fish == "$metrics" ]] || complain "fish: --map has other metrics than there are"
zsh=$(sed -nE "s/^ *--map'.*:METRIC:\((.*)\)'.*/\1/p" "$docs/_tracefold" | sed -E 's/([^\\]) /\1\n/g; s/\\ / /g' | LC_ALL=C sort)
[[ $zsh == "$metrics" ]] || complain "zsh: --map has other metrics than there are"
# fish and zsh themselves, asked as somebody who presses the tabulator.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if command -v fish > /dev/null; then
  asked=$(HOME=$folder fish -N -c "source $docs/tracefold.fish; complete -C 'tracefold iterations --map '" | cut -f 1 | LC_ALL=C sort)
  [[ $asked == "$metrics" ]] || complain "fish completes --map by: $asked"
fi
if command -v zsh > /dev/null; then
  cat > "$folder/ask.zsh" << 'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=0; bindkey '^I' complete-word; echo READY-\$((1+1))"
while zpty -r shell line; do [[ $line == *READY-2* ]] && break; done
zpty -w -n shell "tracefold iterations --map MPI"$'\t\t'
for ((k = 0; k < 100; ++k)); do
  while zpty -r -t shell line; do print -r -- "$line"; ((k < 90)) && k=90; done
  sleep 0.1
done
zpty -d shell
END
  asked=$(HOME=$folder zsh -f "$folder/ask.zsh" "$docs" | sed -E 's/\x1b\[[0-9;?]*m//g; s/\x1b\[[0-9;?]*[A-Za-z]/\n/g; s/\r//g; s/   */\n/g' \
    | grep -x 'MPI\\ .*[a-zN]' | sed 's/\\ / /g' | LC_ALL=C sort -u)
  [[ $asked == "$(grep '^MPI ' <<<"$metrics")" ]] || complain "zsh completes --map MPI by: $asked"
fi
for shell in bash zsh fish; do
  file=$docs/tracefold.$shell
  [[ $shell == zsh ]] && file=$docs/_tracefold
  command -v $shell > /dev/null || { complain "$shell is missing, which './install.sh --tests' installs"; continue; }
  $shell -n "$file" || complain "$shell cannot read $file"
done

# The man page has all options, and explains them: else it is not made.
grep -q '@' "$docs/tracefold.1" && complain "the man page has marks of its template: $(grep -m 1 '@' "$docs/tracefold.1")"
unexplained() { "$make_docs" "$1" "$folder/docs" 2>&1 | grep -q "$2" || complain "make_docs does not complain of $3"; }
sed '/^@OPTION --halo@$/d' "$template" > "$folder/less"
unexplained "$folder/less" 'nothing explains reduce --halo' "an option without a paragraph"
sed 's/^@OPTION --halo@$/&\n@OPTION --hallo@/' "$template" > "$folder/more"
unexplained "$folder/more" 'no such option' "a paragraph on what is no option"
sed '/^@TAKES verify@$/d' "$template" > "$folder/untold"
unexplained "$folder/untold" 'no @TAKES verify@' "a command whose options are not listed"

exit $wrong
