"$TRACEFOLD" iterations app/traces.otf2 --region exchnge
