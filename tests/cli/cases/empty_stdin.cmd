: | "$TRACEFOLD" select
