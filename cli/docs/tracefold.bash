# bash completion of tracefold

# Names of metrics hold spaces, which are quoted where the word does not begin with a quote.
_tracefold_metrics() {
  local name word=${1#[\"\']}
  word=${word//\\/}
  COMPREPLY=()
  while IFS= read -r name; do
    [[ $name == "$word"* ]] || continue
    [[ $1 == [\"\']* ]] || printf -v name %q "$name"
    COMPREPLY+=("$name")
  done << 'METRICS'
execution time
MPI management time
MPI collective synchronization time
MPI wait-at-barrier time
MPI one-sided synchronization time
MPI point-to-point time
MPI late-sender time
MPI late-receiver time
MPI collective time
MPI wait-at-NxN time
MPI late-broadcast time
MPI early-reduce time
MPI one-sided time
MPI individual file time
MPI collective file time
other file time
OpenMP time
visits
send synchronizations
receive synchronizations
collective synchronizations
one-sided synchronizations
sends
receives
collectives
collectives as source
collectives as destination
puts
gets
bytes sent
bytes received
collective bytes outgoing
collective bytes incoming
one-sided bytes sent
one-sided bytes received
individual file reads
individual file writes
collective file reads
collective file writes
MPI time
MPI synchronization time
MPI communication time
MPI file time
synchronizations
point-to-point synchronizations
communications
point-to-point communications
one-sided communications
bytes
point-to-point bytes
collective bytes
one-sided bytes
file operations
individual file operations
collective file operations
computation time
METRICS
}

_tracefold() {
  local cur prev words cword command="" word
  _init_completion || return
  local general="--threads --memory --max-size --quiet --verbose --wide --partial --reader --help"
  local commands="reduce filter group select write similarity lattice profile summary report iterations correlate matrix expand compare info verify"
  local options=""
  for word in "${words[@]:1:cword-1}"; do
    [[ " $commands " == *" $word "* ]] && command=$word && break
  done
  case $command in
    reduce) options="$general --trace --format --json --output --force --dry-run --iterations --region --begin-at --keep-iterations --fold-unsure --keep-ids --verify --plain-names --anonymize --profiles --member-metrics --tree --threshold --exact --by --ignore --ignore-root --combine --level --peers --bytes --order --messages --representative --per-group --time-features --accuracy --keep-extremes --always --halo --epilogue --timeout --log --then-delete --like" ;;
    filter) options="$general --trace --drop --keep --locations --time --iterations-only --format --json" ;;
    group) options="$general --trace --threshold --exact --by --ignore --ignore-root --combine --level --peers --bytes --order --messages --why --format --json" ;;
    select) options="$general --trace --representative --per-group --time-features --accuracy --keep-extremes --always --halo --format --json" ;;
    write) options="$general --trace --fold --messages --halo --output --force --dry-run --iterations --region --begin-at --keep-iterations --fold-unsure --keep-ids --verify --plain-names --profiles --member-metrics --tree --format --json" ;;
    similarity) options="$general --trace --threshold --exact --by --ignore --ignore-root --combine --level --peers --bytes --order --subsumption --pairs --format --json" ;;
    lattice) options="$general --trace --output --force --format --json --by --ignore --ignore-root --combine --full --closed --max-nodes --on-limit" ;;
    profile) options="$general --trace --sort --top --group --function --function-groups --call-paths --quartiles --per-process --output --force --format --json --threshold --exact --by --ignore --ignore-root --combine --level --peers --bytes --order" ;;
    summary) options="$general --scope --per-process --format --json" ;;
    report) options="$general --against --output --force" ;;
    iterations) options="$general --trace --json --region --begin-at --clusters --accuracy --keep-iterations --fold-unsure --loops --sweep --map --call-path --loop --rows --csv --bins --scale --output --force --format" ;;
    correlate) options="$general --trace --view --all-pairs --threshold --explain --metric --min-share --axes --grid --topology --over --loop --region --begin-at --max-shift --wrap --chance --top --output --force --format --json" ;;
    matrix) options="$general --trace --rows --split --metric --output --force --format --json" ;;
    expand) options="$general --output --force --format --json --locations" ;;
    compare) options="$general --between --align --metric --fail-over --format --json --threshold --exact --by --ignore --ignore-root --combine --level --peers --bytes --order" ;;
    info) options="$general --format --json" ;;
    verify) options="$general --against --anonymize --format --json" ;;
    *)
      COMPREPLY=($(compgen -W "$commands help --help --version" -- "$cur"))
      return
      ;;
  esac
  case $prev in
    --representative) COMPREPLY=($(compgen -W "first medoid slowest connected" -- "$cur")) ;;
    --by) COMPREPLY=($(compgen -W "pairs functions signature" -- "$cur")) ;;
    --scope) COMPREPLY=($(compgen -W "loop mpi run" -- "$cur")) ;;
    --then-delete) COMPREPLY=($(compgen -W "original" -- "$cur")) ;;
    --epilogue) _filedir -d ;;
    --log) _filedir ;;
    --level) COMPREPLY=($(compgen -W "main sub" -- "$cur")) ;;
    --peers) COMPREPLY=($(compgen -W "relative pattern ignore" -- "$cur")) ;;
    --bytes) COMPREPLY=($(compgen -W "5% ignore" -- "$cur")) ;;
    --order) COMPREPLY=($(compgen -W "keep ignore" -- "$cur")) ;;
    --anonymize) COMPREPLY=($(compgen -f -- "$cur")) ;;
    --tree) COMPREPLY=($(compgen -W "machine groups" -- "$cur")) ;;
    --fold) COMPREPLY=($(compgen -W "on off" -- "$cur")) ;;
    --member-metrics) COMPREPLY=($(compgen -W "on off" -- "$cur")) ;;
    --metric)
      [[ $command == matrix ]] && COMPREPLY=($(compgen -W "bytes messages waiting" -- "$cur"))
      [[ $command == compare ]] && COMPREPLY=($(compgen -W "time visits messages bytes" -- "$cur"))
      ;;
    --like) _filedir '@(otf2|json|tar|zst|gz)' ;;
    --messages)
      if [[ $command == group ]]; then
        COMPREPLY=($(compgen -W "on off" -- "$cur"))
      else
        COMPREPLY=($(compgen -W "drawn stored off" -- "$cur"))
      fi
      ;;
    --halo) COMPREPLY=($(compgen -W "auto 1 2 4 all off" -- "$cur")) ;;
    --per-group) COMPREPLY=($(compgen -W "auto 2 4 8" -- "$cur")) ;;
    --time-features) COMPREPLY=($(compgen -W "ten all" -- "$cur")) ;;
    --format) COMPREPLY=($(compgen -W "table csv json" -- "$cur")) ;;
    --sort) COMPREPLY=($(compgen -W "variation exclusive inclusive visits name" -- "$cur")) ;;
    --on-limit) COMPREPLY=($(compgen -W "poset functions fail" -- "$cur")) ;;
    --reader) COMPREPLY=($(compgen -W "own otf2" -- "$cur")) ;;
    --scale) COMPREPLY=($(compgen -W "linear zero equalized" -- "$cur")) ;;
    --map) _tracefold_metrics "$cur" ;;
    --function-groups)
      _filedir
      COMPREPLY+=($(compgen -W "paradigm role library class" -- "$cur"))
      ;;
    --split) COMPREPLY=($(compgen -W "communicator tag call-path" -- "$cur")) ;;
    --profiles) COMPREPLY=($(compgen -W "auto off 1M 16M" -- "$cur")) ;;
    --chance) COMPREPLY=($(compgen -W "0.05 0.01 1 off" -- "$cur")) ;;
    --timeout) COMPREPLY=($(compgen -W "60s 10m 1h" -- "$cur")) ;;
    --rows) COMPREPLY=($(compgen -W "rank group node topology" -- "$cur")) ;;
    --csv) COMPREPLY=($(compgen -W "iterations processes map" -- "$cur")) ;;
    --over) COMPREPLY=($(compgen -W "iterations" -- "$cur")) ;;
    --iterations) COMPREPLY=($(compgen -W "off 16 32 64 128" -- "$cur")) ;;
    -o | --output)
      case $command in
        lattice) _filedir '@(svg|dot|json|graphml|cxt)' ;;
        report) _filedir '@(html|htm)' ;;
        profile | matrix | iterations | correlate) _filedir svg ;;
        reduce | write) _filedir '@(tar|zst|json|pftrace|gz)' ;;
        expand) _filedir '@(tar|zst|gz)' ;;
        *) _filedir -d ;;
      esac
      ;;
    --threads | --memory | --max-size | --threshold | --drop | --keep | --locations | --time | --iterations-only | --region | --begin-at | --keep-iterations | --accuracy | --ignore | --combine | --always | --align | --between | --fail-over | --max-nodes | --top | --group | --function | --clusters | --sweep | --call-path | --loop | --bins | --view | --min-share | --axes | --grid | --topology | --max-shift) ;;
    *)
      if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
      else
        _filedir '@(otf2|tar|zst|gz)'
      fi
      ;;
  esac
}

complete -F _tracefold tracefold
