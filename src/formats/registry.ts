import { BANDIT } from './bandit.ts';
import { CARGO_AUDIT } from './cargo-audit.ts';
import { CHECKOV } from './checkov.ts';
import { CYCLONEDX } from './cyclonedx.ts';
import { DEPENDENCY_CHECK } from './dependency-check.ts';
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
import { ZAP } from './zap.ts';
import type { Format } from './format.ts';

/** All formats that are recognised; a document has the first one whose marks it has. */
const KNOWN = [
  CYCLONEDX,
  SPDX,
  SYFT,
  SARIF,
  TRIVY,
  GRYPE,
  OSV_SCANNER,
  NPM_AUDIT,
  SNYK,
  DEPENDENCY_CHECK,
  SEMGREP,
  CHECKOV,
  GITLEAKS,
  BANDIT,

  GITLAB,
  ZAP,
  PIP_AUDIT,
  CARGO_AUDIT,
  GOVULNCHECK,
  YARN_AUDIT,
] as const satisfies readonly Format[];

/** The name of a format that is recognised. */
export type KnownName = (typeof KNOWN)[number]['name'];

/** What a file is recognised as: a format, JSON or XML of no known format, empty, or unknown. */
export type FormatName = KnownName | 'json' | 'xml' | 'empty' | 'unknown';

export const FORMATS: readonly (Format & { readonly name: KnownName })[] = KNOWN;

const LABELS: ReadonlyMap<FormatName, string> = new Map<FormatName, string>([
  ...KNOWN.map(({ name, label }) => [name, label] as const),
  ['json', 'JSON'],
  ['xml', 'XML'],
]);

/** The format of this name; undefined for `json`, `xml`, `empty` and `unknown`. */
export function findFormat(name: FormatName): Format | undefined {
  return KNOWN.find((format) => format.name === name);
}

/** The name of a format in messages, with its version: `CycloneDX 1.6`, `SPDX-2.3`, `Trivy (schema 2)`. */
export function labelFormat(name: FormatName, specVersion?: string): string {
  const label = LABELS.get(name) ?? name;
  if (specVersion === undefined) return label;
  if (specVersion.startsWith(label)) return specVersion;
  const isStandard = findFormat(name)?.isStandard === true;
  return isStandard ? `${label} ${specVersion}` : `${label} (schema ${specVersion})`;
}
