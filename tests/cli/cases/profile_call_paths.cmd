"$TRACEFOLD" profile app/traces.otf2 --call-paths --sort visits --top 3 --group 0
