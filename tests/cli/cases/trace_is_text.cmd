echo hello > text.otf2
"$TRACEFOLD" info text.otf2
