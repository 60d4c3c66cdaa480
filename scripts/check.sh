#!/usr/bin/env bash
# Runs all checks that a change must pass, quick ones first. It installs nothing; .ci/run does that before.
set -euo pipefail
cd "$(dirname "$0")/.."

# Runs a command under a heading, and prints how long it took.
step() {
  local title=$1 started=$SECONDS
  shift
  printf '\n== %s\n' "$title"
  "$@"
  printf '== %s: %d s\n' "$title" "$((SECONDS - started))"
}

step 'Format' npm run --silent format:check
step 'Types' npm run --silent typecheck
step 'Lint, type-aware' npm run --silent lint
step 'Files generated from action.yml' npm run --silent check:generated
step 'Workflows and examples' npm run --silent lint:workflows
step 'dist/ is what src/ builds' npm run --silent check:dist
step 'Simulation of many jobs' npm run --silent bench:fleet
step 'Tests' npm test -- --coverage
