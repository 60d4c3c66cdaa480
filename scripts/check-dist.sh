#!/usr/bin/env bash
# Builds in a directory of another name and depth, and fails unless this gives the dist/ of the work tree: the
# same files, byte for byte.
set -euo pipefail
cd "$(dirname "$0")/.."

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

copy=$temporary/another/name
mkdir -p "$copy/lib" "$copy/dist"
# The only file that is not built.
printf '{"type":"commonjs"}\n' > "$copy/dist/package.json"
cp lib/package.json "$copy/lib"
# Copied, not linked: ncc writes other paths if node_modules is a link.
cp -R package.json tsconfig*.json src scripts stand-ins node_modules "$copy"
(cd "$copy" && npm run --silent build)

if ! diff --recursive --brief dist "$copy/dist"; then
  printf 'dist/ is not what src/ builds: run npm run build, and commit dist/ with src/.\n' >&2
  exit 1
fi
printf 'dist/ is what src/ builds\n'
