#!/usr/bin/env bash
# Builds dist/ again in a directory with another name and depth, and fails if a byte differs.
set -euo pipefail
cd "$(dirname "$0")/.."

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
copy=$temporary/another/name
mkdir -p "$copy/lib"
cp lib/package.json "$copy/lib"
# Copied, not linked: ncc writes other paths if node_modules is a link.
cp -R package.json tsconfig*.json src scripts stand-ins node_modules "$copy"
(cd "$copy" && npm run --silent build)
# dist/package.json is not built.
diff --recursive --brief --exclude package.json dist "$copy/dist"
printf 'dist/ is the same when it is built in another directory\n'
