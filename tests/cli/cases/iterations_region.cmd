"$TRACEFOLD" iterations app/traces.otf2 --region exchange --format csv
