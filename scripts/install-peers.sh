#!/usr/bin/env bash
# Installs the programs that __tests__/peers runs against, where they are missing and can be
# installed: nginx and squid from the packages of Debian or Ubuntu. Their services are neither
# started nor enabled. Elsewhere it says so, and the tests skip what is not there; with CI=true an
# installation that was possible and failed is an error.
set -euo pipefail

readonly PROGRAMS=(nginx squid)
readonly POLICY=/usr/sbin/policy-rc.d

skip() {
  printf 'peers: not installed (%s): the tests against real peers will be skipped\n' "$1"
  exit 0
}

fail() {
  [[ ${CI:-} == true ]] || skip "$1"
  printf 'peers: not installed (%s)\n' "$1" >&2
  exit 1
}

is_installed() {
  PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v "$1" > /dev/null
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

# Packages ask this file whether they may start what they installed.
forbid_services() {
  [[ ! -e $POLICY ]] || return 0
  trap 'as_root rm -f "$POLICY"' EXIT
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$POLICY" > /dev/null && as_root chmod 755 "$POLICY"
}

install_packages() {
  # One source that does not answer need not be the one that is needed.
  as_root apt-get update -qq || true
  forbid_services &&
    as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
      apt-get install -qq -y --no-install-recommends "$@" > /dev/null
}

# A fresh package enables its service for the next start of the system.
disable_services() {
  command -v systemctl > /dev/null || return 0
  as_root systemctl disable "${@/%/.service}" > /dev/null 2>&1 || true
}

missing=()
for program in "${PROGRAMS[@]}"; do
  is_installed "$program" || missing+=("$program")
done
if ((${#missing[@]} == 0)); then
  printf 'peers: %s are installed\n' "${PROGRAMS[*]}"
  exit 0
fi

[[ $(uname -s) == Linux ]] || skip 'not Linux'
command -v apt-get > /dev/null || skip 'no apt-get'
((EUID == 0)) || sudo -n true 2> /dev/null || skip 'neither root nor sudo without a password'

install_packages "${missing[@]}" || fail "apt-get could not install ${missing[*]}"
disable_services "${missing[@]}"
printf 'peers: installed %s\n' "${missing[*]}"
