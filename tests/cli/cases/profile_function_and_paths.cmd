"$TRACEFOLD" profile app/traces.otf2 --function main --call-paths
