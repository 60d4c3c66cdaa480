import { readBuildErrors } from './build-errors.ts';
import { listComponents, listSpdxPackages } from './format.ts';
import type { Format } from './format.ts';
import { readSarif } from './sarif.ts';

/** The formats of SBOMs, and that of reports of any tool: the first rows of the table. */
export const STANDARDS = {
  // 1.0 to 2.0; from 1.5 on tools may be components. Documents are counted at their top level.
  cyclonedx: {
    label: 'CycloneDX',
    holds: 'either',
    isStandard: true,
    signs: ['bomFormat=CycloneDX', 'specFormat=CycloneDX'],
    xml: 'http://cyclonedx.org/schema/bom/',
    specVersion: ['specVersion'],
    tools: ['metadata/tools', 'metadata/tools/components'],
    components: listComponents('components'),
    lists: ['vulnerabilities'],
    severity: 'ratings/severity',
    // Trivy writes an empty list in an SBOM, for which it looks for no vulnerabilities by default.
    otherSigns: ['metadata/tools/name=trivy', 'metadata/tools/components/name=trivy'],
    subject: ['metadata/component/name'],
  },
  // SPDX 2, also in what GitHub exports, and SPDX 3 in JSON-LD, with all elements in one list.
  spdx: {
    label: 'SPDX',
    holds: 'SBOM',
    isStandard: true,
    signs: ['spdxVersion', 'sbom/spdxVersion', '@context*=spdx.org/rdf/3'],
    specVersion: ['spdxVersion', 'sbom/spdxVersion', '@graph/specVersion'],
    tools: ['creationInfo/creators', 'sbom/creationInfo/creators'],
    components: listSpdxPackages,
    subject: ['name', 'sbom/name'],
  },
  syft: {
    label: 'Syft',
    holds: 'SBOM',
    signs: ['artifacts descriptor/name=syft'],
    specVersion: ['schema/version'],
    tools: ['descriptor'],
    components: listComponents('artifacts'),
    subject: [
      'source/name',
      'source/target/userInput',
      'source/target',
      'source/metadata/userInput',
    ],
  },
  sarif: {
    label: 'SARIF',
    isStandard: true,
    signs: ['runs/tool/driver/name', 'runs $schema*=sarif', 'runs version*=2.1.0'],
    specVersion: ['version'],
    // Before 2.1 a tool had no driver.
    tools: ['runs/tool/driver', 'runs/tool'],
    findings: readSarif,
    scores: [
      'runs/tool/driver/rules/properties/security-severity',
      'runs/tool/extensions/rules/properties/security-severity',
    ],
    // Results may be in other places (3.13.5, 3.14.2).
    otherSigns: ['inlineExternalProperties/results', 'runs/externalPropertyFileReferences/results'],
    noListSigns: ['runs!results'],
    errors: [
      {
        at: ['runs/invocations/toolExecutionNotifications'],
        level: 'level',
        about: 'locations/physicalLocation/artifactLocation/uri',
        isOfRules: ['associatedRule'],
      },
      { at: ['runs/invocations/toolConfigurationNotifications'], level: 'level' },
    ],
    failedSigns: ['runs/invocations/executionSuccessful=false'],
    readErrors: readBuildErrors,
  },
} as const satisfies Readonly<Record<string, Format>>;
