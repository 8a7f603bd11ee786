# The plan records what was asked for.
"$TRACEFOLD" group app/traces.otf2 --exact --ignore 'MPI_*' --ignore-root --combine 'OMP*' | "$TRACEFOLD" select --by slowest --per-group auto --always 2-4 \
  | python3 -c "import json, sys; p = json.load(sys.stdin); print(p['groups']['comparison'], [p['functions'][f]['name'] for f in p['groups']['ignored']], p['selection'], *p['representatives'], sep='\n')"
