#!/usr/bin/env bash
# Fails unless a commit may be released as a tag, and prints the release's notes. A maintainer runs it
# before the tag exists, since the tag can neither move nor be deleted, and release.yml runs it again:
#
#   bash scripts/check-release.sh v1.2.3 COMMIT
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/read-github.sh

tag=$1
fail() {
  printf '%s%s\n' "${GITHUB_ACTIONS:+::error::}" "$1" >&2
  exit 1
}
show() { git show "$commit:$1"; }

[[ $tag =~ ^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] || fail "$tag is not vMAJOR.MINOR.PATCH."
gh --version > /dev/null 2>&1 || fail 'This needs gh: https://cli.github.com'
git rev-parse --verify --quiet origin/main > /dev/null || fail 'There is no origin/main: in a clone, run git fetch origin.'
commit=$(git rev-parse --verify --quiet "$2^{commit}") || fail "There is no commit $2: run git fetch origin."
git merge-base --is-ancestor "$commit" origin/main || fail "$commit is not on main."
version=$(show package.json | sed -n 's/^  "version": "\(.*\)",$/\1/p')
[[ $tag == "v$version" ]] || fail "The tag is $tag, package.json says $version."
newest=$({ printf '%s\n' "$tag" && git tag --list 'v*.*.*' --merged "$commit"; } | sort --version-sort | tail -n 1)
[[ $newest == "$tag" ]] || fail "$newest is newer than $tag."

# A pattern, so that it does not find itself.
repository=$(gh api 'repos/{owner}/{repo}' --jq .full_name)
if git grep --line-number 'your[-]org' "$commit" >&2; then
  fail "Placeholders are left. Run: npm run rename -- $repository"
fi
show scripts/repository.ts | grep --quiet --fixed-strings "'$repository'" ||
  fail "The files have another name than $repository. Run: npm run rename -- $repository"

bash scripts/pin-upload.sh "$tag" "$commit" || fail 'The called workflow is not that of this release.'

# A run creates an environment that does not exist, and then waits for nobody.
reviewers=$(read_github 0 'repos/{owner}/{repo}/environments/release' --jq '
  [.protection_rules[] | select(.type == "required_reviewers" and .prevent_self_review).reviewers[]] | length')
((reviewers > 0)) || fail 'The environment "release" has no required reviewers, or does not prevent self-review.'

required=$(show .github/rulesets/main.json | sed -n 's/.*"context": "\([^"]*\)".*/\1/p' | sort)
[[ -n $required ]] || fail '.github/rulesets/main.json requires no checks.'
succeeded=$(gh api --paginate "repos/{owner}/{repo}/commits/$commit/check-runs?per_page=100" --jq '
  .check_runs[] | select(.app.slug == "github-actions" and .conclusion == "success").name')
missing=$(comm -23 <(printf '%s\n' "$required") <(sort -u <<< "$succeeded"))
[[ -z $missing ]] || fail "Not successful for this commit: ${missing//$'\n'/, }. Run this again when they are."

# The text below the version's heading, up to the next heading or the links at the end. Relative links
# would not work on the page of a release.
notes=$(show CHANGELOG.md | awk -v heading="## [$version] - " '
  /^## / || /^\[[^]]+\]: / { inside = 0 }
  inside { print }
  index($0, heading) == 1 { inside = 1 }
' | sed -E "s%\]\(([^):#]+)(#[^)]*)?\)%](https://github.com/$repository/blob/$tag/\1\2)%g")
[[ -n ${notes//[[:space:]]/} ]] || fail "CHANGELOG.md has nothing below '## [$version] - YYYY-MM-DD'."
printf '%s\n' "$notes"
