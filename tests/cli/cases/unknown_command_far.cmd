"$TRACEFOLD" compress app/traces.otf2
