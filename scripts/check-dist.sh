#!/usr/bin/env bash
# Builds in a directory of another name and depth, and fails unless this gives the committed dist/: the
# same files, byte for byte.
set -euo pipefail
cd "$(dirname "$0")/.."

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
mkdir "$temporary/committed"
git archive HEAD dist | tar -x -C "$temporary/committed"

copy=$temporary/another/name
mkdir -p "$copy/lib" "$copy/dist"
# The only file that is not built.
printf '{"type":"commonjs"}\n' > "$copy/dist/package.json"
cp lib/package.json "$copy/lib"
# Copied, not linked: ncc writes other paths if node_modules is a link.
cp -R package.json tsconfig*.json src scripts stand-ins node_modules "$copy"
(cd "$copy" && npm run --silent build)

diff --recursive --brief "$temporary/committed/dist" "$copy/dist"
printf 'dist/ is what src/ builds\n'
