# Sections are added, never changed; --json and a pipe say the same.
sections() { python3 -c "import json, sys; print(*json.load(sys.stdin))"; }
"$TRACEFOLD" filter app/traces.otf2 | tee filter.json | sections
"$TRACEFOLD" group < filter.json | tee group.json | sections
"$TRACEFOLD" select < group.json | sections
"$TRACEFOLD" group app/traces.otf2 --json > json
"$TRACEFOLD" group - < filter.json > dash
"$TRACEFOLD" group app/traces.otf2 > piped
cmp json piped && cmp dash group.json
