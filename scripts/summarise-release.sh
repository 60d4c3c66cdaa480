#!/usr/bin/env bash
# Prints, as markdown, what the approver of a release checks: bash scripts/summarise-release.sh v1.2.3
set -euo pipefail

tag=$1
commit=$(git rev-parse HEAD)
repository=$(gh api 'repos/{owner}/{repo}' --jq .html_url)
# Only the number and the logins: a title is foreign text.
pull_request=$(gh api "repos/{owner}/{repo}/commits/$commit/pulls" --jq '
  .[] | select(.merged_at) | "[#\(.number)](\(.html_url)) by \(.user.login)"')
previous=$(git describe --tags --abbrev=0 --match 'v*.*.*' "$commit^" 2> /dev/null || true)

printf '## Release %s\n\nApprove it only if you expect this version and know every change.\n\n' "$tag"
printf -- '- Commit: [%s](%s)\n' "$commit" "$repository/commit/$commit"
printf -- '- Pull request: %s\n' "${pull_request:-none, so nobody has reviewed this commit}"
if [[ -n $previous ]]; then
  printf -- '- Changes: [since %s](%s)\n\n' "$previous" "$repository/compare/$previous...$commit"
  # No line of it can end the block, as each begins with a commit.
  printf '```text\n%s\n```\n' "$(git log --format='%h %an: %s' "$previous..$commit")"
else
  printf -- '- Changes: this is the first release\n'
fi
printf '\nSHA-256 of what will be signed:\n\n```text\n%s\n```\n' "$(git ls-files -z dist | xargs -0 sha256sum)"
