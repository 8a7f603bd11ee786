#!/bin/sh
# Fails where a folder includes what does not stand below it.
# usage: layers_test.sh SOURCE_FOLDER
cd "${1:?source folder}" || exit 2
status=0

complain() {
  echo "$1: $2 may not include $3"
  status=1
}

# check FOLDER ALLOWED...: the quoted includes of a folder.
check() {
  folder=$1
  shift
  for file in "$folder"/*.hpp "$folder"/*.cpp; do
    [ -e "$file" ] || continue
    for include in $(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file"); do
      case " $* " in
        *" ${include%%/*} "*) ;;
        *) complain "$file" "$folder" "\"$include\"" ;;
      esac
    done
  done
}

# only LIBRARY FOLDER...: no other folder includes <LIBRARY...>.
only() {
  library=$1
  shift
  for folder in model lattice filters emitters pipeline cli; do
    case " $* " in *" $folder "*) continue ;; esac
    for file in $(grep -l "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$library" "$folder"/*.hpp "$folder"/*.cpp 2>/dev/null); do
      complain "$file" "$folder" "<$library...>"
    done
  done
}

check model model
check lattice lattice
check filters filters model lattice
check emitters emitters model
check pipeline pipeline emitters filters model
check cli cli pipeline emitters filters model lattice
only boost/ lattice filters
only otf2/ pipeline emitters
only oneapi/tbb pipeline cli
only tbb/ pipeline cli
for file in cli/*.hpp cli/*.cpp; do
  for include in $(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*<\(\(oneapi\/\)\{0,1\}tbb[^>]*\)>.*/\1/p' "$file"); do
    [ "$include" = oneapi/tbb/global_control.h ] || complain "$file" cli "<$include>"
  done
done
exit $status
