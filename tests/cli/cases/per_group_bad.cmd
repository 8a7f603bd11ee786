"$TRACEFOLD" reduce app/traces.otf2 -o out --per-group 0; "$TRACEFOLD" select app/traces.otf2 --per-group many
