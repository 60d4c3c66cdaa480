import { expect, test } from '@jest/globals';
import { StepError } from '../../src/errors.ts';
import { conclude } from '../../src/formats/content.ts';
import type { Content } from '../../src/formats/content.ts';
import type { InspectedFile } from '../../src/formats/inspect.ts';
import { checkContents } from '../../src/plan/check.ts';
import { describePart } from '../../src/plan/plan.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { makeBom, makeContent, makePlan, makeScanFile } from '../support/scans.ts';

const TEXT: Content = { format: 'unknown', inspected: 'full', kind: 'text' };
const STREAM = makeContent({ syntax: 'ndjson', inspected: 'partial' });
const XML = makeContent({ format: 'xml', syntax: 'xml', inspected: 'partial' });
const TRUNCATED = { kind: 'truncated', problem: 'is truncated' } as const;

/** Inspection results, by what the rows below call them. */
const CONTENTS: Readonly<Record<string, Content>> = {
  json: makeContent(),
  null: makeContent({ kind: 'null' }),
  bare: makeContent({ kind: 'bare' }),
  scalar: makeContent({ kind: 'scalar' }),
  truncated: makeContent(TRUNCATED),
  trailing: makeContent({ kind: 'trailing', problem: 'has other text' }),
  malformed: makeContent({ kind: 'malformed', problem: 'is malformed' }),
  error: makeContent({ kind: 'error', problem: 'only states an error: x' }),
  latin1: makeContent({ invalidByte: 7 }),
  sbom: makeContent({ role: 'SBOM' }),
  stream: STREAM,
  'trivy-stream': { ...STREAM, format: 'trivy' },
  'go-stream': { ...STREAM, format: 'govulncheck' },
  'bom-stream': { ...STREAM, format: 'cyclonedx' },
  text: TEXT,
  mixed: { ...TEXT, kind: 'mixed' },
  colored: { ...TEXT, kind: 'colored' },
  'sbom-text': { ...TEXT, role: 'SBOM' },
  'utf-16': { ...TEXT, kind: 'utf-16' },
  page: { ...TEXT, kind: 'html' },
  around: { ...TEXT, kind: 'around' },
  script: { ...TEXT, kind: 'script' },
  nul: { ...TEXT, kind: 'nul' },
  escapes: makeContent({ kind: 'colored-inside', problem: 'has terminal colours' }),
  appended: makeContent({ kind: 'appended', problem: 'has other text' }),
  'appended-sarif': makeContent({ kind: 'appended-sarif', problem: 'has other text' }),
  dsse: makeContent({ kind: 'dsse' }),
  bundle: makeContent({ kind: 'bundle' }),
  lfs: { ...TEXT, kind: 'lfs' },
  gzip: { ...TEXT, kind: 'gzip' },
  zip: { ...TEXT, kind: 'zip' },
  empty: { format: 'empty', inspected: 'full', kind: 'empty', problem: 'is empty (0 bytes)' },
  grype: makeContent({ format: 'grype', findings: 0 }),
  sarif: makeContent({ format: 'sarif', specVersion: '2.1.0', inspected: 'partial' }),
  failed: makeContent({ format: 'sarif', findings: 0, scan: 'failed', firstError: 'No rules' }),
  idle: makeContent({ format: 'semgrep', findings: 0, scan: 'idle' }),
  partial: makeContent({
    format: 'semgrep',
    findings: 0,
    scan: 'partial',
    errors: 2,
    firstError: 'x',
  }),
  spdx: makeContent({ format: 'spdx', specVersion: 'SPDX-2.3', components: 2 }),
  'spdx-tags': { format: 'spdx', specVersion: 'SPDX-2.3', inspected: 'partial' },
  xml: XML,
  'bom-xml': { ...makeBom(), syntax: 'xml', inspected: 'partial' },
  'sbom-xml': { ...makeBom(), syntax: 'xml', inspected: 'partial', role: 'SBOM' },
  // The components of an SBOM, and its vulnerabilities: `3/-` has no list of them.
  '-/-': makeBom(),
  unnamed: { ...makeBom(3), mayBeReport: true },
  '0/-': makeBom(0),
  '3/-': makeBom(3),
  '0/0': makeBom(0, 0),
  '0/1': makeBom(0, 1),
  '3/0': makeBom(3, 0),
  '3/2': makeBom(3, 2),
  '3/0-truncated': { ...makeBom(3, 0), ...TRUNCATED },
};

const INPUTS = ['dependencies-file', 'vulnerabilities-file'] as const;

/**
 * Plans the files of a row: `NAME=CONTENT` for a scan file of `files`, or two for an SBOM and a report of their inputs.
 * A `*` before a name means that no pattern names it; another input comes first (`files: a=json b=json`).
 */
async function plan(row: string): Promise<UploadPlan> {
  const inputs = ['files', 'scan-file', ...INPUTS].filter((input) => row.startsWith(`${input}: `));
  const specs = row.replace(/^.*: /, '').split(' ');
  const own = specs.length === 1 ? (['files'] as const) : INPUTS;
  const files = specs.map(async (spec, index): Promise<InspectedFile> => {
    const [, mark, name = '', content = ''] = /^([*]?)(.*)=(.*)$/.exec(spec) ?? [];
    return makeScanFile({
      name,
      input: inputs[0] ?? own[index] ?? 'files',
      ...(mark === '*' && { isUnnamed: true }),
      content: findContent(content),
    });
  });
  const operation = specs.length === 1 ? 'upload-file' : 'upload-multiple-files';
  return makePlan(operation, ...(await Promise.all(files)));
}

function findContent(name: string): Content {
  const content = CONTENTS[name];
  if (content === undefined) throw new Error(`No content is called ${name}.`);
  return conclude(content);
}

/** The warnings about the files of a row, each after `?`, or the faults and their fixes. */
async function check(row: string): Promise<readonly string[]> {
  const planned = await plan(row);
  expect(checkContents(planned, 'off')).toBe(planned);
  const { parts } = checkContents(planned, 'warn');
  const texts = parts.flatMap(({ warnings = [] }) => warnings);
  for (const part of parts) {
    const own = texts.filter((text) => text.includes(describePart(part)));
    expect(new Set(part.warnings)).toEqual(new Set(own));
  }
  try {
    checkContents(planned, 'error');
    return texts.map((text) => `? ${text}`);
  } catch (error) {
    if (!(error instanceof StepError) || error.situation !== 'contents') throw error;
    return [...error.faults, ...error.fixes];
  }
}

const JSON_FIX = 'Check that the scan step did not fail and writes JSON, or correct `files`.';
const SCALAR = ['is only a JSON string, number or boolean.', 'write its JSON as it is'] as const;
const SBOM_FIX = 'Let the scan step write JSON, as `syft -o cyclonedx-json` does';
const SCAN_FIX = 'Fix the scan step: it failed, or is still writing the file.';
const EMPTY_FIX = 'an empty file when it finds nothing, set `content-check: warn`.';
const REDIRECT_FIX = 'Write only the report to the file';
const FILE_FIX = 'Correct `vulnerabilities-file`, or the step that writes the file.';
const DOCUMENTS = 'is several JSON documents one after the other';
const EMPTY_SBOM = 'is an SBOM without components. Check what the scan step passes to its tool.';
const STREAM_HINT = `${DOCUMENTS}: the service may read only the first. Write them as`;
const NO_BOM = "? SBOM 'a' is not recognised as CycloneDX: it is";
const WRITE_BOM = 'Most tools write CycloneDX too: `syft -o cyclonedx-json`, `trivy --format';
const IS_TEXT = "? Report 'b' is text. The service may expect JSON: most tools write";
const SWAP = 'Set the SBOM as `dependencies-file` and the report as `vulnerabilities-file`.';
const ADVICE =
  'Check the scan step, which may have written no file here; if this is the scan, write its path.';
const CHOSE = `is JSON of no known format, and \`files\` does not name it. ${ADVICE}`;

test.each<[string, ...string[]]>([
  // A scan file is JSON, whatever its name is.
  ['a.xml=json'],
  ['a=3/0'],
  ['a=null'],
  ['a=xml', "Scan file 'a' is XML of no known format, not JSON.", JSON_FIX],
  ['a=gzip', 'is gzip-compressed data, not JSON.', '(`gunzip`), and name the result in `files`.'],
  ['a=zip', 'is a ZIP archive, not JSON.', '(`unzip`), and name the result in `files`.'],
  ['a=lfs', 'is a Git LFS pointer.', 'Set `lfs: true` at the checkout.'],
  ['a=scalar', ...SCALAR],
  ['a=mixed', 'is text with JSON after it.', REDIRECT_FIX],
  ['a=around', 'is text with JSON in it, not JSON.', REDIRECT_FIX],
  ['a=colored', 'is text with terminal colours (escape sequences), not', 'Set `NO_COLOR: 1`'],
  ['a=escapes', 'has terminal colours.', 'Set `NO_COLOR: 1`'],
  ['a=appended', 'has other text.', '(`merge-multiple`).'],
  ['a=appended-sarif', 'has other text.', 'a relative `ErrorLog` is written beside each project'],
  ['a=script', 'is JavaScript with JSON in it, not JSON.', 'Remove its first line: `tail -n +2`.'],
  ['a=nul', 'is data with a NUL byte, not JSON.', JSON_FIX],
  ['a=0/-', `? Scan file 'a' ${EMPTY_SBOM}`],
  ['a=0/0', `? Scan file 'a' ${EMPTY_SBOM}`],
  ['a=0/1'],
  ['a=malformed', 'is malformed.', 'The tool wrote invalid JSON: update it'],
  ['a=error', 'only states an error: x.', 'Fix the scan step: it failed.'],
  ['a=empty', 'is empty (0 bytes).', EMPTY_FIX],
  ['a=truncated', 'is truncated.', SCAN_FIX],
  ['a=trailing', 'has other text.', REDIRECT_FIX],
  ['a=utf-16', 'is UTF-16 text, as Windows PowerShell', 'Let the scan step write UTF-8.'],
  ['a=latin1', "? Scan file 'a' has a byte that is not UTF-8 (at byte 7)."],
  [
    'a=failed',
    '? Scan file \'a\' states that its scan failed or did not run ("No rules"): findings',
  ],
  ['a=idle', "? Scan file 'a' states that nothing was scanned."],
  ['a=partial'],
  ['a=go-stream', `? Scan file 'a' ${DOCUMENTS}: the service may read only the first. Write them`],
  ['a=bundle', "jq -r '.dsseEnvelope.payload | @base64d | fromjson | .predicate'`."],
  ['a=stream', `? Scan file 'a' ${STREAM_HINT}`],

  // An SBOM and a report.
  ['a=3/0 b=json'],
  ['a=3/0 b=stream'],
  ['a=bom-xml b=json'],
  ['a=3/0 b=bom-xml'],
  ['a=3/0 b=sbom'],
  ['a=null b=json', `${NO_BOM} only \`null\`, as some tools write`],
  ['a=spdx-tags b=json', `${NO_BOM} SPDX-2.3. ${WRITE_BOM}`],
  ['a=stream b=json', `${NO_BOM} several JSON documents one after the other.`],
  ['a=sbom b=json', `${NO_BOM} JSON of no known format. ${WRITE_BOM}`],
  ['a=sbom-text b=json', `${NO_BOM} text. ${WRITE_BOM}`],
  ['a=0/1 b=json', `? SBOM 'a' ${EMPTY_SBOM}`],
  ['a=text b=json', "SBOM 'a' is text, not an SBOM.", SBOM_FIX],
  ['a=around b=json', 'is text with JSON in it, not an SBOM.', REDIRECT_FIX],
  ['a=colored b=json', 'is text with terminal colours', 'or correct `dependencies-file`.'],
  [
    'a=dsse b=json',
    "is a signed attestation (DSSE). Take the document out of it: `jq -r '.payload |",
  ],
  ['a=dsse b=3/-', 'Take the document out of it', 'is an SBOM (CycloneDX 1.6) without'],
  [
    'a=grype b=bundle',
    NO_BOM,
    'is a signed attestation (Sigstore bundle). Take the document out of it: ',
  ],
  ['a=script b=json', 'is JavaScript with JSON in it, not an SBOM.', '`tail -n +2`.'],
  ['a=scalar b=json', ...SCALAR],
  [
    'a=3/0 b=spdx',
    "? Report 'b' is an SBOM (SPDX-2.3) without a list of vulnerabilities, not a vulnerab",
  ],
  ['a=3/0 b=spdx-tags', 'is an SBOM (SPDX-2.3) without a list'],
  ['a=3/0 b=3/-', '(CycloneDX 1.6) without a list of vulnerabilities, not a vuln'],
  ['a=bom-stream b=trivy-stream', STREAM_HINT, STREAM_HINT],
  // Only the faults of malformed files, each fix once.
  ['a=truncated b=empty', 'is truncated.', 'is empty (0 bytes).', SCAN_FIX, EMPTY_FIX],
  ['a=truncated b=truncated', "'a' is truncated.", "'b' is truncated.", SCAN_FIX],

  // A name promises a syntax.
  ['a=3/0 b.JSON=text', 'is text, although its name ends in .JSON.', FILE_FIX],
  ['a=3/0 b.sarif=text', 'is text, although its name ends in .sarif.', FILE_FIX],
  ['a=3/0 b.XML=page', 'is a web page (HTML), although its name ends in .XML.', FILE_FIX],
  ['a=3/0 html=page', 'is a web page (HTML), not a scan.', FILE_FIX],
  ['a=3/0 b.json=gzip', 'is gzip-compressed data, although ', '(`gunzip`)'],
  ['a=3/0 b.xml=grype'],
  ['a=3/0 b=sbom-xml', 'is an SBOM (CycloneDX 1.6) without a list'],
  ['a=3/0 b=text', IS_TEXT],
  ['a=3/0 b=colored', "? Report 'b' is text with terminal colours (escape sequences). The"],
  ['a=3/0 b=mixed', 'is text with JSON after it.', REDIRECT_FIX],
  ['a=3/0 b=around', "? Report 'b' is text with JSON in it. The service may expect JSON"],
  ['a=3/0 b.js=script', "? Report 'b.js' is JavaScript with JSON in it. The service may expect"],
  ['a=3/0 b.json=script', 'is JavaScript with JSON in it, although its name', '`tail -n +2`.'],
  ['a=3/0 b=xml', "? Report 'b' is XML of no known format. The service may expect JSON"],
  ['a=3/0 b.html=page', "? Report 'b.html' is a web page (HTML). The service may"],
  ['a=3/0 b=unnamed'],
  ['a=3/0 b.sarif=stream'],

  // Swapped files are one problem.
  [
    'a=0/1 b=3/0',
    "SBOM 'a' is a report (CycloneDX 1.6), and Report 'b' is an SBOM (CycloneDX 1.6): they are swapped.",
    SWAP,
  ],
  ['a=sarif b=3/-', 'is a report (SARIF 2.1.0), and ', SWAP],
  ['a=json b=spdx', 'is no SBOM (JSON of no known format), and ', SWAP],
  ['a=text b=3/-', 'is no SBOM (text), and ', SWAP],
  ['a=stream b=sbom-xml', 'is no SBOM (several JSON documents one after the other), and ', SWAP],
  ['a=grype b=sbom', "and Report 'b' is an SBOM (JSON of no known format): they are", SWAP],
  ['files: a=grype b=spdx', 'they are swapped.', SWAP],
  ['a=sarif b=0/-', "and Report 'b' is an SBOM (CycloneDX 1.6): they are", SWAP],
  ['a=sarif b=0/0', NO_BOM],
  ['a=json b=0/-', NO_BOM],
  // A file with a fault may be anything.
  ['a=grype b=3/0-truncated', "'b' is truncated.", SCAN_FIX],
  ['a=empty b=3/-', "'a' is empty (0 bytes).", EMPTY_FIX],
  ['a=grype b=grype', `${NO_BOM} Grype.`],
  ['a=grype b=3/2', NO_BOM],
  ['a=grype b=bom-xml', NO_BOM],
  ['a=sbom b=3/-', NO_BOM, 'is an SBOM (CycloneDX 1.6) without'],
  ['a=json b=3/0', NO_BOM],
  ['a=spdx b=3/0', NO_BOM],
  ['a=0/0 b=3/0', 'is an SBOM without components.'],

  // A pattern may match a file by mistake.
  ['*a=3/-', ', and the only match of `files`: its report may be missing. For an SBOM alone'],
  ['scan-file: *a=3/-'],
  ['*a=grype'],
  ['*a=json', `? Scan file 'a' ${CHOSE}`],
  ['files: *a=3/0 *b=json', CHOSE],
  ['files: *a=3/0 *b=bare'],
  ['*a=json b=json', NO_BOM],
  ...'package package-lock npm-shrinkwrap composer tsconfig tsconfig.build scans.schema'
    .split(' ')
    .map((name): [string, ...string[]] => [
      `*${name}.json=json`,
      `${name}.json' is JSON of`,
      ADVICE,
    ]),
  ...'Packages.lock project.assets shop.csproj.nuget.dgspec global appsettings appsettings.Development local.settings secrets launchSettings Shop.Api.deps Shop.Api.runtimeconfig'
    .split(' ')
    .map((name): [string, ...string[]] => [`*${name}.json=json`, `${name}.json' is`, ADVICE]),
  ['appsettings.json=json'],
  ['*secrets.json=grype'],
  ['*tsconfig.json=malformed', 'is JSON of no known format, and `files` does not name it', ADVICE],
  ['*package.json=json b=json', "SBOM 'package.json' is JSON of no known", ADVICE],
  ['*package.json=3/0 b=json'],
  ['*my-package.json=json b=json', 'is not recognised as CycloneDX'],
  ['package.json=json'],
])('checkContents checks %s', async (row, ...texts) => {
  expect(await check(row)).toEqual(texts.map((text) => expect.stringContaining(text)));
});
