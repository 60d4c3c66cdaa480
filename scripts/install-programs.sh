#!/usr/bin/env bash
# Installs jq, nginx and squid for the tests that need them, if it can.
# Otherwise those tests are skipped; with CI=true a failed installation is an error.
set -euo pipefail

packages=()
for program in jq nginx squid; do
  PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v "$program" > /dev/null || packages+=("$program")
done
if ((${#packages[@]} == 0)); then
  printf 'programs: nothing is missing\n'
  exit 0
fi

as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

if ! command -v apt-get > /dev/null || ! as_root true 2> /dev/null; then
  printf 'programs: not installed (no apt-get, or neither root nor sudo without a password)\n'
  exit 0
fi

# This file tells packages not to start the services that they install.
policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
  trap 'as_root rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" > /dev/null
  as_root chmod 755 "$policy"
fi

# An unavailable package source is not an error if the packages come from another one.
as_root apt-get update -qq || true
if as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
  apt-get install -qq -y --no-install-recommends "${packages[@]}" > /dev/null; then
  printf 'programs: installed %s\n' "${packages[*]}"
else
  printf 'programs: apt-get could not install %s\n' "${packages[*]}" >&2
  [[ ${CI:-} != true ]]
fi
