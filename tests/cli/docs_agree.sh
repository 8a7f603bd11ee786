#!/bin/bash
# Checks that --help, man page and completions agree, and that help fits into 80 columns: docs_agree.sh TRACEFOLD DOCS_FOLDER
# Every command, and of every command every long option, has to be in all of them, and nothing else.
set -u
tracefold=${1:?usage: docs_agree.sh TRACEFOLD DOCS_FOLDER}
docs=${2:?usage: docs_agree.sh TRACEFOLD DOCS_FOLDER}
wrong=0

complain() {
  echo "docs_agree: $*" >&2
  wrong=1
}

# compare WHERE WHAT EXPECTED FOUND: two lists of words, in any order.
compare() {
  local word
  while read -r word; do [[ $word ]] && complain "$1: $2 $word is missing"; done < <(comm -23 <(sorted "$3") <(sorted "$4"))
  while read -r word; do [[ $word ]] && complain "$1: $2 $word is not in --help"; done < <(comm -13 <(sorted "$3") <(sorted "$4"))
}

sorted() { tr -s ' \n' '\n\n' <<<"$1" | grep . | LC_ALL=C sort -u; }

# Words like --option in stdin.
long_options() { grep -oE -e '--[a-z][a-z-]*' | LC_ALL=C sort -u; }

# The options that a help text defines, not those that it mentions.
help_options() { grep -E '^  -' | sed -E 's/ Excludes:.*//; s/^  ([^ ]+).*/\1/' | long_options; }

# The options of a command that the man page lists under .SS COMMAND; its general ones are those of the .SS General.
man_section() { sed 's/\\-/-/g' "$docs/tracefold.1" | awk -v name="$1" '/^\.S[SH]/ { on = ($0 == ".SS " name) } on'; }

# fish: "-n CONDITION ... -l NAME"; a condition without commands holds for all.
fish_options() {
  grep '^complete' "$docs/tracefold.fish" | awk -v name="$1" '
    match($0, /__tracefold_in [^"'\'']*/) { in_list = " " substr($0, RSTART + 15, RLENGTH - 15) " " } !/__tracefold_in/ { in_list = " $commands " }
    /not __tracefold_in/ { next }
    (index(in_list, " " name " ") || index(in_list, " $commands ")) && match($0, / -l [a-z-]+/) { print "--" substr($0, RSTART + 4, RLENGTH - 4) }'
}

# bash: the arm of the command, with what $general stands for.
bash_options() {
  local arm
  arm=$(grep -E "^    $1\) options=" "$docs/tracefold.bash")
  { echo "$arm"; [[ $arm == *\$general* ]] && grep -E '^  local general=' "$docs/tracefold.bash"; } | long_options
}

# zsh: the arm of the command, with the arrays that it names.
zsh_options() {
  local arm array
  arm=$(awk -v name="$1" '$1 == name ")" { on = 1 } on; on && /;;/ { exit }' "$docs/_tracefold")
  { echo "$arm"
    for array in $(grep -oE '\$[a-z]+' <<<"$arm" | tr -d '$'); do
      awk -v name="$array" '$1 ~ "^" name "=\\(" { on = 1 } on; on && ($1 == ")" || /^  [a-z]+=\(.*\)$/) { exit }' "$docs/_tracefold"
    done
  } | sed -E "s/\[[^]]*\]//g; s/'\([^)]*\)//g" | long_options
}

help=$("$tracefold" --help) || { complain "'$tracefold --help' failed"; exit 1; }
[[ ! $(awk 'length > 80' <<<"$help") ]] || complain "--help is wider than 80 columns"
commands=$(awk '/^Subcommands:/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }' <<<"$help")
[[ $commands ]] || complain "no commands in --help"

compare "man page" command "$commands" "$(sed -n '/^\.SH COMMANDS/,/^\.SH OPTIONS/s/^\.SS //p' "$docs/tracefold.1")"
compare "bash completion" command "$commands" "$(sed -nE 's/^  local commands="(.*)"/\1/p' "$docs/tracefold.bash")"
compare "zsh completion" command "$commands" "$(sed -nE "s/^    '([a-z]+):.*/\1/p" "$docs/_tracefold")"
compare "fish completion" command "$commands" "$(sed -nE 's/^set -l commands (.*)/\1/p' "$docs/tracefold.fish")"
compare "fish completion" "description of command" "$commands" "$(sed -nE 's/^complete .* -a ([a-z]+) -d .*/\1/p' "$docs/tracefold.fish" | grep -vx off)"

all=$(help_options <<<"$help")
compare "bash completion" "general option" "$all" "$(grep 'compgen -W "\$commands' "$docs/tracefold.bash" | long_options)"
compare "zsh completion" "general option" "$all" "$(grep '_arguments -C' "$docs/_tracefold" | long_options)"
compare "fish completion" "general option" "$all" "$(grep -E '^complete -c tracefold (-s|-n "not )' "$docs/tracefold.fish" | sed -nE 's/.* -l ([a-z-]+).*/--\1/p')"

for command in $commands; do
  text=$("$tracefold" "$command" --help) || complain "'tracefold $command --help' failed"
  options=$(help_options <<<"$text")
  wide=$(awk 'length > 80' <<<"$text") && [[ ! $wide ]] || complain "$command --help is wider than 80 columns: $wide"
  all+=" $options"
  own=$(comm -23 <(sorted "$options") <(man_section General | long_options))
  compare "man page, $command" option "$own" "$(man_section "$command" | long_options)"
  compare "bash completion, $command" option "$options" "$(bash_options "$command")"
  compare "zsh completion, $command" option "$options" "$(zsh_options "$command")"
  compare "fish completion, $command" option "$options" "$(fish_options "$command")"
done

# Names of metrics, one a line; those of counters are the traces' own.
metrics=$({ sed -nE 's/^    \{"([^"]+)", MetricKind.*/\1/p' "$docs/../../model/profile/metric.hpp"; echo "computation time"; } | LC_ALL=C sort)
[[ $metrics ]] || complain "no metrics in model/profile/metric.hpp"

# complete_map WORD: what bash makes of this word behind --map.
complete_map() {
  bash -c 'complete() { :; }; . "$1"; _tracefold_metrics "$2"; [[ ! ${COMPREPLY[*]} ]] || printf "%s\n" "${COMPREPLY[@]}"' - "$docs/tracefold.bash" "$1"
}
[[ $(complete_map "'" | LC_ALL=C sort) == "$metrics" ]] || complain "bash completion: --map has other metrics than there are"
[[ $(complete_map "'MPI ti") == "MPI time" ]] || complain "bash completion: --map 'MPI ti: $(complete_map "'MPI ti")"
[[ $(complete_map 'MPI\ ti') == 'MPI\ time' ]] || complain "bash completion: --map MPI\\ ti: $(complete_map 'MPI\ ti')"
[[ ! $(complete_map nosuch) ]] || complain "bash completion: --map nosuch: $(complete_map nosuch)"
fish=$(sed -nE 's/^complete .* -l map -x -a "([^"]*)".*/\1/p' "$docs/tracefold.fish" | grep -oE "'[^']+'" | tr -d "'" | LC_ALL=C sort)
[[ $fish == "$metrics" ]] || complain "fish completion: --map has other metrics than there are"
zsh=$(sed -nE "s/^  metrics='(.*)'$/\1/p" "$docs/_tracefold" | sed -E 's/([^\\]) /\1\n/g; s/\\ / /g' | LC_ALL=C sort)
[[ $zsh == "$metrics" ]] || complain "zsh completion: --map has other metrics than there are"

# Each option of any command is also explained: a .TP paragraph in OPTIONS.
explained=$(sed 's/\\-/-/g' "$docs/tracefold.1" | awk '/^\.SH/ { on = ($2 == "OPTIONS") } on && tag { print } { tag = ($0 == ".TP") }' | long_options)
compare "man page, OPTIONS" option "$all" "$explained"

exit $wrong
