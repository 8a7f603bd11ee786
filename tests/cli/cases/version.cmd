"$TRACEFOLD" --version
