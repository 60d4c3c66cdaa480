#!/usr/bin/env bash
# Moves the major tag (v1) to a published release, the newest one of its line. It needs the role Maintain
# or Admin, and gh 2.81. With --back the release may be an older one:
#
#   bash scripts/move-major-tag.sh v1.2.3 [--back]
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/read-github.sh

tag=$1
major=${tag%%.*}
fail() {
  printf '%s\n%s has not moved.\n' "$1" "$major" >&2
  exit 1
}

[[ $tag =~ ^v[1-9][0-9]*\.[0-9]+\.[0-9]+$ ]] || fail "$tag is not vMAJOR.MINOR.PATCH."
gh release verify --help > /dev/null 2>&1 || fail 'This needs gh 2.81 or later: https://cli.github.com'
repository=$(gh api 'repos/{owner}/{repo}' --jq .full_name) || fail 'gh cannot read the repository: see above.'
# If somebody else moves the tag from here on, the push is refused.
tags=$(git ls-remote origin "refs/tags/$major" "refs/tags/$tag") || fail 'git cannot read the tags: see above.'
before=$(sed -n "s%\trefs/tags/$major\$%%p" <<< "$tags")
[[ $tags == *"refs/tags/$tag"* ]] || fail "There is no tag $tag."
git fetch --quiet --no-tags origin main:refs/remotes/origin/main
git fetch --quiet --no-tags origin "refs/tags/$tag"
commit=$(git rev-parse 'FETCH_HEAD^{commit}')
git merge-base --is-ancestor "$commit" origin/main || fail "$tag is not on main."

# Drafts are not found by their tag.
release=$(read_github none "repos/{owner}/{repo}/releases/tags/$tag" --jq '
  "\(.immutable) \([.assets[].name] | sort | join(" "))"') || fail 'gh cannot read the release: see above.'
[[ $release != none ]] || fail "There is no published release of $tag: publish its draft."
[[ $release == true\ * ]] || fail "The release of $tag can be changed: enable immutable releases, and release the next version."
[[ $release == 'true dist.cdx.json dist.sigstore.json' ]] ||
  fail "The release of $tag has other files than its workflow wrote: nobody should use it."
if [[ ${2:-} != --back ]]; then
  # The list may be older than this release.
  newest=$({ printf '%s\n' "$tag" && gh api --paginate 'repos/{owner}/{repo}/releases' --jq '.[] | select(.draft | not).tag_name'; } |
    grep -E "^$major\.[0-9]+\.[0-9]+$" | sort --version-sort | tail -n 1)
  [[ $newest == "$tag" ]] || fail "$newest is newer than $tag."
fi

# Approved, built from this tag and signed by release.yml, as SECURITY.md says.
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
git archive "$commit" dist | tar -x -C "$files"
for file in "$files"/dist/*; do
  gh attestation verify "$file" --repo "$repository" --signer-workflow "$repository/.github/workflows/release.yml" \
    --source-ref "refs/tags/$tag" --deny-self-hosted-runners > /dev/null ||
    fail "dist/${file##*/} of $tag could not be verified as signed by release.yml: see above."
done
gh release verify "$tag" --repo "$repository" > /dev/null || fail "The release of $tag could not be verified: see above."

git push --force-with-lease="refs/tags/$major:$before" origin "$commit:refs/tags/$major" ||
  fail 'The push was refused: see above. If somebody else moved it, ask them before you run this again.'
printf '%s is %s now.\n' "$major" "$tag"
