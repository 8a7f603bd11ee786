echo "not a plan" | "$TRACEFOLD" select
