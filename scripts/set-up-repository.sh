#!/usr/bin/env bash
# Creates the team of .github/CODEOWNERS, and sets up what a release needs: bash scripts/set-up-repository.sh
# It runs before the first push, because a run would create the environment without protection, and may run
# again. It needs the role Admin, and gh with the scope admin:org.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/read-github.sh

put() { gh api --silent --method PUT "$@"; }

if ! gh --version > /dev/null 2>&1; then
  echo 'This needs gh: https://cli.github.com' >&2
  exit 1
fi
repository=$(gh api 'repos/{owner}/{repo}' --jq .full_name)
visibility=$(gh api "repos/$repository" --jq .visibility)
teams=orgs/${repository%%/*}/teams

team=$(read_github '' "$teams/scan-upload-maintainers" --jq .id)
[[ -n $team ]] || team=$(gh api --method POST "$teams" -f name=scan-upload-maintainers -f privacy=closed --jq .id)
put "$teams/scan-upload-maintainers/repos/$repository" -f permission=maintain

put "repos/$repository/immutable-releases"
put "repos/$repository/vulnerability-alerts"
gh api --silent --method PATCH "repos/$repository" -F allow_merge_commit=false
# Runs may only read, and use pinned actions of GitHub and one other.
put "repos/$repository/actions/permissions/workflow" -f default_workflow_permissions=read
put "repos/$repository/actions/permissions" -F enabled=true -f allowed_actions=selected -F sha_pinning_required=true
put "repos/$repository/actions/permissions/selected-actions" -F github_owned_allowed=true -F verified_allowed=false \
  -f 'patterns_allowed[]=ossf/scorecard-action@*'
if [[ $visibility == public ]]; then
  put "repos/$repository/private-vulnerability-reporting"
else
  # Without it other repositories do not find the action.
  put "repos/$repository/actions/permissions/access" -f access_level=organization
fi

environment=repos/$repository/environments/release
put "$environment" -F 'reviewers[][type]=Team' -F "reviewers[][id]=$team" -F prevent_self_review=true \
  -F can_admins_bypass=false -F 'deployment_branch_policy[protected_branches]=false' \
  -F 'deployment_branch_policy[custom_branch_policies]=true'
policies=$(gh api "$environment/deployment-branch-policies" --jq '.branch_policies[].name')
[[ $policies == *'v*.*.*'* ]] ||
  gh api --silent --method POST "$environment/deployment-branch-policies" -f name='v*.*.*' -f type=tag
printf '%s is set up. Add at least two people to the team scan-upload-maintainers.\n' "$repository"
