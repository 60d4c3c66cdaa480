#!/bin/sh
# Starts a local service in the background, and waits until it is ready:
#
#   sh scripts/start-service.sh LOG --port 18080 ...
set -eu

log=$1
shift
node local/serve.ts "$@" < /dev/null > "$log" 2>&1 &
# It prints its address when it is ready.
left=150
until grep -qs '^http://' "$log"; do
  left=$((left - 1))
  if [ "$left" -eq 0 ]; then
    cat "$log"
    exit 1
  fi
  sleep 0.2
done
