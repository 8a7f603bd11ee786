#!/usr/bin/env bash
# Installs into web/node_modules what package-lock.json lists, where it is not there yet. Tests that
# run at the same time wait for each other.
set -euo pipefail
cd "$(dirname "$0")/../../web"
exec 9< package-lock.json
flock 9
cmp -s package-lock.json node_modules/.installed && exit 0
npm ci --no-audit --no-fund --silent
cp package-lock.json node_modules/.installed
