#!/usr/bin/env bash
# Prints the CycloneDX SBOM of dist/index.js, from the lockfile alone. The packages in stand-ins/ are links in it,
# and are left out, because nothing of what they stand for is in the bundle.
set -euo pipefail
cd "$(dirname "$0")/.."

jq '{
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: { component: { type: "application", name, version, "bom-ref": "\(.name)@\(.version)" } },
  components: [
    .packages | to_entries[]
    | select((.key | startswith("node_modules/")) and ([.value | .dev, .optional, .link] | any | not))
    | (.key | sub(".*node_modules/"; "")) as $name
    | {
        type: "library",
        name: $name,
        version: .value.version,
        "bom-ref": "\($name)@\(.value.version)",
        purl: "pkg:npm/\($name | sub("@"; "%40"))@\(.value.version)",
        licenses: [{ expression: .value.license }]
      }
  ]
}' package-lock.json
