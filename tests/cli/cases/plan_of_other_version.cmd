echo "{\"tracefold_plan\": 99}" | "$TRACEFOLD" write -o out
