"$TRACEFOLD" iterations app/traces.otf2 --region time_step
