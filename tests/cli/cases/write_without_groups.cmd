# A plan without representatives keeps every process and every record.
# Definitions that nothing refers to are left out, so these lines may differ.
about_events() { "$TRACEFOLD" info "$1/traces.otf2" | grep -Ev '^(size|written|communicators|regions)'; }
"$TRACEFOLD" filter app/traces.otf2 | "$TRACEFOLD" write -q -o all
diff <(about_events app) <(about_events all)
