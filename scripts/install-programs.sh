#!/usr/bin/env bash
# Installs zizmor, and nginx and squid for the tests that need them, if it can. Checks that need a
# missing program are skipped; with REQUIRE_PROGRAMS=true a failed installation is an error, and they fail.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/.* zizmor==\([0-9.]*\)$/\1/p' .github/workflows/ci.yml)
zizmor=${XDG_CACHE_HOME:-$HOME/.cache}/scan-upload-action/zizmor-$version
PATH=$PATH:/usr/sbin:/usr/local/sbin

list_missing() {
  local program
  for program in "$@"; do
    command -v "$program" > /dev/null || printf '%s ' "$program"
  done
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

install_packages() {
  # This file tells packages not to start the services that they install.
  local policy=/usr/sbin/policy-rc.d
  if [[ ! -e $policy ]]; then
    trap 'as_root rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" > /dev/null
    as_root chmod 755 "$policy"
  fi
  # An unavailable package source is not an error if the packages come from another one.
  as_root apt-get update -qq || true
  as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
    apt-get install -qq -y --no-install-recommends "$@" > /dev/null
}

read -r -a packages <<< "$(list_missing nginx squid)"
[[ -x $zizmor/bin/zizmor ]] || python3 -m pip --version > /dev/null 2>&1 || packages+=(python3-pip)
if ((${#packages[@]} > 0)) && command -v apt-get > /dev/null && as_root true; then
  install_packages "${packages[@]}" || true
fi
# With --target, pip also installs where the system's Python refuses packages of others (PEP 668).
[[ -x $zizmor/bin/zizmor ]] ||
  python3 -m pip install --quiet --no-deps --only-binary zizmor --target "$zizmor" "zizmor==$version" || true

missing=$(list_missing nginx squid "$zizmor/bin/zizmor")
if [[ -n $missing ]]; then
  printf 'programs: could not install %s\n' "$missing" >&2
  [[ ${REQUIRE_PROGRAMS:-} != true ]]
fi
