#!/usr/bin/env bash
# Plans that were changed at random do no harm: odd_plans.sh TRACEFOLD MAKE_TRACE
# TRACEFOLD_MOMENTS says how many (60), TRACEFOLD_SEED which (1).
[ -w /dev/shm ] && export TMPDIR=${TMPDIR:-/dev/shm}  # where a sync costs nothing
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

trace_in app --ranks 4 --threads 2 --iterations 8
before=$(hash_of app)
"$TRACEFOLD" group app/traces.otf2 | "$TRACEFOLD" select --per-group 2 | "$TRACEFOLD" iterations --clusters 3 > plan.json
check "an odd plan did harm" python3 "$here/odd_plans.py" "$TRACEFOLD" plan.json "${TRACEFOLD_MOMENTS:-60}" "${TRACEFOLD_SEED:-1}"
check "the input has changed" [ "$before" = "$(hash_of app)" ]
check "something is left" no_pending
finish
