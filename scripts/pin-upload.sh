#!/usr/bin/env bash
# The called workflow of a release runs the action of an earlier commit with the same dist/, as no commit can
# name itself. Writes the newest commit on main into it or, with a commit, fails unless that one's is right:
#
#   bash scripts/pin-upload.sh v1.2.3 [COMMIT]
set -euo pipefail
cd "$(dirname "$0")/.."

tag=$1
workflow=.github/workflows/upload.yml
repository=$(sed -n "s/^export const REPOSITORY = '\(.*\)';$/\1/p" scripts/repository.ts)
uses="- uses: $repository@"

if (($# == 1)); then
  commit=$(git rev-parse --verify --quiet origin/main)
  text=$(sed "s%$uses.*%$uses$commit # $tag%" "$workflow")
  printf '%s\n' "$text" > "$workflow"
  exit
fi
pinned=$(git show "$2:$workflow" | sed -nE "s%^ *$uses([0-9a-f]{40}) # $tag\$%\1%p")
if [[ -z $pinned ]] || ! git merge-base --is-ancestor "$pinned" "$2" ||
  ! git diff --quiet "$pinned" "$2" -- action.yml dist; then
  echo "$workflow does not run the dist/ of $tag. Run: bash scripts/pin-upload.sh $tag" >&2
  exit 1
fi
