"$TRACEFOLD" info app/traces.otf2 --json | python3 -c "import json, sys; print(*json.load(sys.stdin))"
