"$TRACEFOLD" iterations app/traces.otf2 --format json | sed "s|\"/.*app|\"FOLDER/app|"
