echo "{\"a\": 1}" | "$TRACEFOLD" write -o out
