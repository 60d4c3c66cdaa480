import { BANDIT } from './bandit.ts';
import { CARGO_AUDIT } from './cargo-audit.ts';
import { CHECKOV } from './checkov.ts';
import { CYCLONEDX_JSON, CYCLONEDX_XML } from './cyclonedx.ts';
import { DEPENDENCY_CHECK_JSON, DEPENDENCY_CHECK_XML } from './dependency-check.ts';
import { GITLAB } from './gitlab.ts';
import { GITLEAKS } from './gitleaks.ts';
import { GOVULNCHECK } from './govulncheck.ts';
import { GRYPE } from './grype.ts';
import { NPM_AUDIT } from './npm-audit.ts';
import { OSV_SCANNER } from './osv-scanner.ts';
import { PIP_AUDIT } from './pip-audit.ts';
import { SARIF } from './sarif.ts';
import { SEMGREP } from './semgrep.ts';
import { SNYK } from './snyk.ts';
import { SPDX } from './spdx.ts';
import { SYFT } from './syft.ts';
import { TRIVY } from './trivy.ts';
import { YARN_AUDIT } from './yarn-audit.ts';
import { ZAP_JSON, ZAP_XML } from './zap.ts';
import type { Format } from './format.ts';

/** All formats that are recognised; a document has the first one whose marks it has. */
const KNOWN = [
  {
    name: 'cyclonedx',
    label: 'CycloneDX',
    holds: 'either',
    isStandard: true,
    json: CYCLONEDX_JSON,
    xml: CYCLONEDX_XML,
  },
  { name: 'spdx', label: 'SPDX', holds: 'SBOM', isStandard: true, json: SPDX },
  { name: 'syft', label: 'Syft', holds: 'SBOM', json: SYFT },
  { name: 'sarif', label: 'SARIF', holds: 'report', isStandard: true, json: SARIF },
  { name: 'trivy', label: 'Trivy', holds: 'report', json: TRIVY },
  { name: 'grype', label: 'Grype', holds: 'report', json: GRYPE },
  { name: 'osv-scanner', label: 'OSV-Scanner', holds: 'report', json: OSV_SCANNER },
  { name: 'npm-audit', label: 'npm audit', holds: 'report', json: NPM_AUDIT },
  { name: 'snyk', label: 'Snyk', holds: 'report', json: SNYK },
  {
    name: 'dependency-check',
    label: 'OWASP Dependency-Check',
    holds: 'report',
    json: DEPENDENCY_CHECK_JSON,
    xml: DEPENDENCY_CHECK_XML,
  },
  { name: 'semgrep', label: 'Semgrep', holds: 'report', json: SEMGREP },
  { name: 'checkov', label: 'Checkov', holds: 'report', json: CHECKOV },
  { name: 'gitleaks', label: 'Gitleaks', holds: 'report', json: GITLEAKS },
  { name: 'bandit', label: 'Bandit', holds: 'report', json: BANDIT },
  { name: 'gitlab', label: 'GitLab security report', holds: 'report', json: GITLAB },
  { name: 'zap', label: 'OWASP ZAP', holds: 'report', json: ZAP_JSON, xml: ZAP_XML },
  { name: 'pip-audit', label: 'pip-audit', holds: 'report', json: PIP_AUDIT },
  { name: 'cargo-audit', label: 'cargo-audit', holds: 'report', json: CARGO_AUDIT },
  { name: 'govulncheck', label: 'govulncheck', holds: 'report', isStream: true, json: GOVULNCHECK },
  { name: 'yarn-audit', label: 'yarn audit', holds: 'report', isStream: true, json: YARN_AUDIT },
] as const satisfies readonly Format[];

/** The name of a format that is recognised. */
export type KnownName = (typeof KNOWN)[number]['name'];

/** What a file is recognised as: a format, JSON or XML of no known format, empty, or unknown. */
export type FormatName = KnownName | 'json' | 'xml' | 'empty' | 'unknown';

export type KnownFormat = Format & { readonly name: KnownName };

export const FORMATS: readonly KnownFormat[] = KNOWN;

/** The format of this name; undefined for `json`, `xml`, `empty` and `unknown`. */
export function findFormat(name: FormatName): KnownFormat | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** The name of a format in messages, with its version: `CycloneDX 1.6`, `SPDX-2.3`, `Trivy (schema 2)`. */
export function labelFormat(name: FormatName, specVersion?: string): string {
  const format = findFormat(name);
  const label = format?.label ?? (name === 'json' || name === 'xml' ? name.toUpperCase() : name);
  if (specVersion === undefined) return label;
  if (specVersion.startsWith(label)) return specVersion;
  return format?.isStandard === true
    ? `${label} ${specVersion}`
    : `${label} (schema ${specVersion})`;
}
