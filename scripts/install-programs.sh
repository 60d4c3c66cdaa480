#!/usr/bin/env bash
# Installs the programs that tests run against, where they are missing and can be installed: nginx and
# squid for __tests__/peers from the packages of Debian or Ubuntu, and Chromium, which draws a job
# summary, from Debian's (Ubuntu has none as a package). Services are neither started nor enabled.
# Elsewhere it says so, and the tests skip what is not there; with CI=true an installation that was
# possible and failed is an error.
set -euo pipefail

readonly DAEMONS=(nginx squid)
readonly FONTS=(fonts-liberation fonts-noto-color-emoji)
readonly POLICY=/usr/sbin/policy-rc.d

skip() {
  printf 'programs: not installed (%s): the tests that need them will be skipped\n' "$1"
  exit 0
}

fail() {
  [[ ${CI:-} == true ]] || skip "$1"
  printf 'programs: not installed (%s)\n' "$1" >&2
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

# A fresh package enables its service, if it has one, for the next start of the system.
disable_services() {
  command -v systemctl > /dev/null || return 0
  for package in "$@"; do
    as_root systemctl disable "$package.service" > /dev/null 2>&1 || true
  done
}

is_debian() {
  grep -qx 'ID=debian' /etc/os-release 2> /dev/null
}

packages=()
for daemon in "${DAEMONS[@]}"; do
  is_installed "$daemon" || packages+=("$daemon")
done
if is_debian && ! is_installed chromium; then packages+=(chromium "${FONTS[@]}"); fi
if ((${#packages[@]} == 0)); then
  printf 'programs: nothing is missing\n'
  exit 0
fi

[[ $(uname -s) == Linux ]] || skip 'not Linux'
command -v apt-get > /dev/null || skip 'no apt-get'
((EUID == 0)) || sudo -n true 2> /dev/null || skip 'neither root nor sudo without a password'

install_packages "${packages[@]}" || fail "apt-get could not install ${packages[*]}"
disable_services "${packages[@]}"
printf 'programs: installed %s\n' "${packages[*]}"
