"$TRACEFOLD" info
