#!/usr/bin/env bash
# For the scripts of a release: prints what GitHub's API says, or a default if it has no such thing. Any other error,
# such as a lost connection, must not look like a missing setting: it fails with the message of gh.

# read_github DEFAULT PATH [ARGUMENT]...
read_github() {
  local default=$1 response errors status=0
  shift
  errors=$(mktemp)
  response=$(gh api "$@" 2> "$errors") || status=1
  if ((status == 1)) && grep --quiet 'HTTP 404' "$errors"; then
    response=$default status=0
  fi
  ((status == 0)) || cat "$errors" >&2
  rm "$errors"
  printf '%s\n' "$response"
  return "$status"
}
