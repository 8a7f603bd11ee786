#!/usr/bin/env bash
# Installs into FOLDER/node_modules what the package-lock.json there lists, where it is not there yet.
# Tests that run at the same time wait for each other. Where npm's registry is not reached, the status is 77.
# usage: install_packages.sh FOLDER
set -euo pipefail
cd "$1"
exec 9< package-lock.json
flock 9
cmp -s package-lock.json node_modules/.installed && exit 0
npm ci --no-audit --no-fund --silent || {
  npm ping > /dev/null 2>&1 || exit 77
  exit 1
}
cp package-lock.json node_modules/.installed
