import { describe, expect, test } from '@jest/globals';
import { StepError } from '../../src/errors.ts';
import type { Content } from '../../src/formats/content.ts';
import type { ScanFile } from '../../src/formats/inspect.ts';
import { checkContents } from '../../src/plan/check.ts';
import { describePart } from '../../src/plan/plan.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { makeBom, makeContent } from '../support/contents.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';

const TEXT: Content = { format: 'unknown', inspected: 'full', kind: 'text' };
const STREAM = makeContent({ syntax: 'ndjson', inspected: 'partial' });
const SPDX = makeContent({ format: 'spdx', specVersion: 'SPDX-2.3', components: 2 });
const TRUNCATED = { fault: 'truncated', problem: 'is truncated' } as const;

/** Inspection results, by what the rows below call them. */
const CONTENTS = {
  json: makeContent(),
  'json in part': makeContent({ inspected: 'partial' }),
  null: makeContent({ kind: 'null' }),
  bare: makeContent({ kind: 'bare' }),
  scalar: makeContent({ kind: 'scalar' }),
  truncated: makeContent(TRUNCATED),
  'json and text': makeContent({ fault: 'trailing', problem: 'has other text' }),
  malformed: makeContent({ fault: 'malformed', problem: 'is malformed' }),
  error: makeContent({ fault: 'error', problem: 'only states an error: x' }),
  'json in latin-1': makeContent({ invalidByte: 7 }),
  'other sbom': makeContent({ isSbom: true }),
  stream: STREAM,
  'truncated stream': { ...STREAM, ...TRUNCATED },
  'trivy stream': { ...STREAM, format: 'trivy' },
  'govulncheck stream': { ...STREAM, format: 'govulncheck' },
  'cyclonedx stream': { ...STREAM, format: 'cyclonedx' },
  'truncated xml': makeContent({ format: 'xml', syntax: 'xml', ...TRUNCATED }),
  text: TEXT,
  'text and json': { ...TEXT, kind: 'mixed' },
  colored: { ...TEXT, kind: 'colored' },
  'sbom text': { ...TEXT, isSbom: true },
  'utf-16': { ...TEXT, kind: 'utf-16' },
  page: { ...TEXT, kind: 'html' },
  lfs: { ...TEXT, kind: 'lfs' },
  gzip: { ...TEXT, kind: 'gzip' },
  zip: { ...TEXT, kind: 'zip' },
  empty: { format: 'empty', inspected: 'full', fault: 'empty', problem: 'is empty (0 bytes)' },
  grype: makeContent({ format: 'grype', findings: 0 }),
  sarif: makeContent({ format: 'sarif' }),
  'sarif in part': makeContent({ format: 'sarif', specVersion: '2.1.0', inspected: 'partial' }),
  'failed sarif': makeContent({ format: 'sarif', findings: 0, isFailed: true }),
  spdx: SPDX,
  'spdx tags': { format: 'spdx', specVersion: 'SPDX-2.3', inspected: 'partial' },
  // The components of an SBOM, and its vulnerabilities: `3/-` has no list of them.
  '-/-': makeBom(),
  '0/-': makeBom(0),
  '3/-': makeBom(3),
  '0/0': makeBom(0, 0),
  '0/1': makeBom(0, 1),
  '0/3': makeBom(0, 3),
  '3/0': makeBom(3, 0),
  xml: makeContent({ format: 'xml', syntax: 'xml', inspected: 'partial' }),
  'bom xml': { ...makeBom(), syntax: 'xml', inspected: 'partial' },
  'sbom xml': { ...makeBom(), syntax: 'xml', inspected: 'partial', isSbom: true },
  '3/0 truncated': { ...makeBom(3, 0), ...TRUNCATED },
  '3/2': makeBom(3, 2),
} satisfies Readonly<Record<string, Content>>;

type ContentName = keyof typeof CONTENTS;

/** A file whose content has a name in the table. */
interface FileSpec extends Partial<Omit<ScanFile, 'content'>> {
  readonly content: ContentName;
}

/** The warnings about one file or a pair, each beginning with `?`, or the problems and their fixes. */
async function check(...specs: readonly FileSpec[]): Promise<readonly string[]> {
  const files = specs.map(async ({ content, ...file }) =>
    makeScanFile({ ...file, content: CONTENTS[content] }),
  );
  const operation = specs.length === 1 ? 'upload-file' : 'upload-multiple-files';
  const plan = makePlan(operation, ...(await Promise.all(files)));
  expect(checkContents(plan, 'off')).toBe(plan);
  const { parts } = checkContents(plan, 'warn');
  const texts = parts.flatMap(({ warnings = [] }) => warnings);
  for (const part of parts) {
    const own = texts.filter((text) => text.includes(describePart(part)));
    expect(new Set(part.warnings)).toEqual(new Set(own));
  }
  const refusal = catchRefusal(plan);
  if (refusal === undefined) return [...new Set(texts)].map((text) => `? ${text}`);
  const { problems, fixes } = refusal;
  const others = texts.filter((text) => !problems.includes(text));
  // A swap says it all.
  return [...problems, ...fixes, ...(problems.join().includes('swapped') ? others : [])];
}

function catchRefusal(plan: UploadPlan): StepError | undefined {
  try {
    checkContents(plan, 'error');
    return undefined;
  } catch (error) {
    if (error instanceof StepError && error.situation === 'contents') return error;
    throw error;
  }
}

const [SBOM_INPUT, REPORT_INPUT] = ['dependencies-file', 'vulnerabilities-file'] as const;

/** Checks an SBOM and a report. */
function checkPair(
  sbom: ContentName,
  report: ContentName,
  names: readonly [string, string] = ['bom', 'report'],
): Promise<readonly string[]> {
  return check(
    { name: names[0], content: sbom, input: SBOM_INPUT },
    { name: names[1], content: report, input: REPORT_INPUT },
  );
}

/** Expects these texts, of which only parts are given. */
function contain(...texts: readonly string[]): readonly unknown[] {
  return texts.map((text) => expect.stringContaining(text));
}

const LFS_FIX = 'Set `lfs: true` at the checkout.';
const JSON_FIX = 'Let the scan step write JSON, or correct `files`.';
const SCALAR = 'is only a JSON string, number or boolean.';
const SCALAR_FIX = 'Let the scan step write its JSON as it is';
const SBOM_FIX = 'Let the scan step write JSON, as `syft -o cyclonedx-json` does';
const SCAN_FIX = 'Fix the scan step: it failed, or is still writing the file.';
const EMPTY_FIX =
  'If the tool writes an empty file when it finds nothing, set `content-check: warn`.';
const OUTPUT_FIX = 'Write only the report to the file';
const DOCUMENTS = 'is several JSON documents one after the other';
const REPEATED = `${DOCUMENTS}, one of them Trivy: the service may read only the first.`;
const SINGLE = `${DOCUMENTS}: the service may expect a single one.`;

describe('a scan file', () => {
  test.each<ContentName>(['json', '3/0', '0/3', 'grype', 'null', 'json in part'])(
    'is accepted if it is JSON: %s',
    async (content) => {
      for (const name of ['scan.json', 'scan.xml']) {
        expect(await check({ name, content })).toEqual([]);
      }
    },
  );

  test.each<[ContentName, string, ...string[]]>([
    ['xml', 'is XML of no known format, not JSON.', JSON_FIX],
    ['bom xml', 'is CycloneDX 1.6 in XML, not JSON.', JSON_FIX],
    ['sbom xml', 'is CycloneDX 1.6 in XML, not JSON.', JSON_FIX],
    ['text', 'is text, not JSON.', JSON_FIX],
    ['spdx tags', 'is SPDX-2.3, not JSON.', JSON_FIX],
    ['page', 'is a web page (HTML), not JSON.', JSON_FIX],
    ['gzip', 'is gzip-compressed data, not JSON.', '(`gunzip`), and name the result in `files`.'],
    ['zip', 'is a ZIP archive, not JSON.', '(`unzip`), and name the result in `files`.'],
    ['lfs', 'is a Git LFS pointer.', LFS_FIX],
    ['scalar', SCALAR, SCALAR_FIX],
    ['text and json', 'is text with JSON after it, not JSON.', OUTPUT_FIX],
    [
      'colored',
      'is text with terminal colours (escape sequences), not JSON.',
      'Set `NO_COLOR: 1` for',
    ],
    ['malformed', 'is malformed.', 'The tool wrote invalid JSON: update it'],
    ['error', 'only states an error: x.', 'Fix the scan step: it failed.'],
    ['json in latin-1', '? has a byte that is not UTF-8 (at byte 7).'],
    ['empty', 'is empty (0 bytes).', SCAN_FIX, EMPTY_FIX],
    ['truncated stream', 'is truncated.', SCAN_FIX],
    ['truncated xml', 'is truncated.', SCAN_FIX],
    [
      'utf-16',
      "is UTF-16 text, as Windows PowerShell's > writes it: write it with Out-File",
      'Let the scan step write UTF-8.',
    ],
    ['json and text', 'has other text.', OUTPUT_FIX],
    ['failed sarif', '? states that its scan failed or did not run: findings may be missing.'],
    ['stream', `? ${SINGLE}`],
    ['govulncheck stream', `? ${SINGLE}`],
    ['trivy stream', `? ${REPEATED}`],
  ])('%s has a problem, or a warning', async (content, what, ...fixes) => {
    for (const name of ['scan.json', 'scan.xml', 'scan', 'scan.jsonl']) {
      const message = what.replace(/^(\? )?/, `$1ScanJsonFile '${name}' `);
      expect(await check({ name, content })).toEqual(contain(message, ...fixes));
    }
  });
});

describe('an SBOM and a report', () => {
  test.each<[ContentName, ContentName]>([
    ['3/0', 'json'],
    ['3/0', 'null'],
    ['3/0', 'stream'],
    ['3/0', '0/3'],
    ['3/0', '3/0'],
    ['3/2', '3/2'],
    ['3/2', '3/0'],
    ['3/2', 'grype'],
    ['-/-', '-/-'],
    ['bom xml', 'json'],
    ['sbom xml', 'json'],
    ['3/0', 'bom xml'],
    ['3/0', 'other sbom'],
  ])('are accepted: %s and %s', async (sbom, report) => {
    expect(await checkPair(sbom, report)).toEqual([]);
  });

  const NO_BOM = 'is not recognised as CycloneDX: it is';
  const WRITE_BOM = 'Most tools write CycloneDX too: `syft -o cyclonedx-json`, `trivy --format';
  test.each<[ContentName, string]>([
    ['json', `${NO_BOM} JSON of no known format.`],
    ['null', `${NO_BOM} only \`null\`, as some tools write`],
    ['spdx tags', `${NO_BOM} SPDX-2.3. ${WRITE_BOM}`],
    ['spdx', `${NO_BOM} SPDX-2.3. ${WRITE_BOM}`],
    ['stream', `${NO_BOM} several JSON documents one after the other.`],
    ['grype', `${NO_BOM} Grype.`],
    ['other sbom', `${NO_BOM} JSON of no known format. ${WRITE_BOM}`],
    ['sbom text', `${NO_BOM} text. ${WRITE_BOM}`],
    ['0/0', 'is an SBOM without components.'],
    ['0/3', 'is an SBOM without components.'],
  ])('have a warning about the SBOM %s', async (sbom, what) => {
    expect(await checkPair(sbom, 'json')).toEqual(contain(`? DependenciesCDX 'bom' ${what}`));
  });

  test.each<[ContentName, string, string]>([
    ['text', 'is text, not an SBOM.', SBOM_FIX],
    ['text and json', 'is text, not an SBOM.', OUTPUT_FIX],
    ['colored', 'is text, not an SBOM.', SBOM_FIX],
    ['scalar', SCALAR, SCALAR_FIX],
  ])('have a problem with the SBOM %s', async (sbom, what, fix) => {
    const problems = contain(`DependenciesCDX 'bom' ${what}`, fix);
    expect(await checkPair(sbom, 'json')).toEqual(problems);
    expect(await checkPair(sbom, 'stream')).toEqual(problems);
  });

  test.each<[ContentName, ContentName, ...string[]]>([
    ['3/0', 'scalar', `VulnerabilitiesTool 'report' ${SCALAR}`, SCALAR_FIX],
    [
      '3/0',
      'spdx',
      "? VulnerabilitiesTool 'report' is an SBOM (SPDX-2.3: 2 components), not a vuln",
    ],
    ['3/0', 'spdx tags', 'is an SBOM (SPDX-2.3: not counted), not a vulnerability report.'],
    ['3/0', '3/-', '(CycloneDX 1.6: 3 components, no list of vulnerabilities), not a vulnerab'],
    [
      'cyclonedx stream',
      'trivy stream',
      `? DependenciesCDX 'bom' ${REPEATED.replace('Trivy', 'CycloneDX')}`,
      `? VulnerabilitiesTool 'report' ${REPEATED}`,
    ],
    // Only the problems of malformed files, each fix once.
    ['truncated', 'empty', 'is truncated.', 'is empty (0 bytes).', SCAN_FIX, EMPTY_FIX],
  ])('have a problem, or a warning: %s and %s', async (sbom, report, ...texts) => {
    expect(await checkPair(sbom, report)).toEqual(contain(...texts));
  });
});

describe('a file whose name does not match its content', () => {
  test.each<[string, ContentName, string]>([
    ['report.json', 'page', 'is a web page (HTML), although its name ends in .json.'],
    ['REPORT.JSON', 'text', 'is text, although its name ends in .JSON.'],
    ['report.sarif', 'text', 'is text, although its name ends in .sarif.'],
    ['report.XML', 'page', 'is a web page (HTML), although its name ends in .XML.'],
    ['report', 'page', 'is a web page (HTML), not a scan.'],
    ['report.html.cdx', 'page', 'is a web page (HTML), not a scan.'],
    ['html', 'page', 'is a web page (HTML), not a scan.'],
  ])('has a problem: %s %s', async (name, content, what) => {
    expect(await checkPair('3/0', content, ['bom', name])).toEqual([
      `VulnerabilitiesTool '${name}' ${what}`,
      'Correct `vulnerabilities-file`, or the step that writes the file.',
    ]);
    const found = await checkPair(content, 'grype', [name, 'report']);
    expect(found.slice(0, 2)).toEqual(
      contain(`DependenciesCDX '${name}' ${what}`, 'Correct `dependencies-file`, or the step'),
    );
  });

  const TEXTUAL = '? is text. The service may expect JSON: most tools write it with an option';
  test.each<[string, ContentName, string]>([
    ['report.json', 'lfs', 'is a Git LFS pointer.'],
    ['report.txt', 'lfs', 'is a Git LFS pointer.'],
    ['report.json', 'gzip', 'is gzip-compressed data, although '],
    ['report.json', 'text and json', 'is text with JSON after it, although '],
    ['report.json', 'colored', 'is text with terminal colours (escape sequences), although '],
    ['report.txt', 'text and json', '? is text. The service may '],
    ['report.xml', 'stream', '? is several JSON documents one after the other, although its name'],
    ['report.xml', 'grype', '? is Grype in JSON, although its name ends in .xml.'],
    ['report.json', 'bom xml', '? is CycloneDX 1.6 in XML, although its name ends in .json.'],
    [
      'report.txt',
      'sbom xml',
      '? is an SBOM (CycloneDX 1.6: not counted), not a vulnerability report.',
    ],
    ...'report report.html report.json.gz report.xml.zip report.txt json'
      .split(' ')
      .map((name): [string, ContentName, string] => [name, 'text', TEXTUAL]),
  ])('has a problem or a warning as the report: %s %s', async (name, content, what) => {
    const [message] = await checkPair('3/0', content, ['bom', name]);
    const start = what.replace(/^(\? )?/, `$1VulnerabilitiesTool '${name}' `);
    expect(message?.slice(0, start.length)).toBe(start);
  });

  test.each<[ContentName, string]>([
    ['page', 'report.html REPORT.HTM report.xhtml'],
    ['stream', 'report.json report.sarif report.jsonl report'],
    ['gzip', 'report.gz report'],
  ])('is accepted as the report %s: %s', async (content, names) => {
    for (const name of names.split(' ')) {
      expect(await checkPair('3/0', content, ['bom', name])).toEqual([]);
    }
  });
});

describe('a swapped SBOM and report', () => {
  const SWAP = 'Swap `dependencies-file` and `vulnerabilities-file`.';
  const SBOM = 'an SBOM (CycloneDX 1.6: 3 components, no list of vulnerabilities)';

  test.each<[ContentName, ContentName, string, string]>([
    [
      '0/1',
      '3/0',
      'a report (CycloneDX 1.6: 0 components, 1 vulnerability)',
      'an SBOM (CycloneDX 1.6: 3 components, 0 vulnerabilities)',
    ],
    ['sarif in part', '3/-', 'a report (SARIF 2.1.0: not counted)', SBOM],
    ['grype', '3/-', 'a report (Grype: 0 findings)', SBOM],
    ['sarif', 'spdx', 'a report (SARIF: not counted)', 'an SBOM (SPDX-2.3: 2 components)'],
    ['json', 'spdx', 'JSON of no known format, not an SBOM', 'an SBOM (SPDX-2.3: 2 components)'],
    ['json', '3/-', 'JSON of no known format, not an SBOM', SBOM],
    ['text', '3/-', 'text, not an SBOM', SBOM],
    ['stream', '3/-', 'several JSON documents one after the other, not an SBOM', SBOM],
    ['grype', 'sbom xml', 'a report (Grype: 0 findings)', 'an SBOM (CycloneDX 1.6: not counted)'],
    [
      'json',
      'sbom xml',
      'JSON of no known format, not an SBOM',
      'an SBOM (CycloneDX 1.6: not counted)',
    ],
    ['grype', 'other sbom', 'a report (Grype: 0 findings)', 'an SBOM (JSON of no known format)'],
  ])('is one problem: %s and %s', async (sbom, report, first, second) => {
    const message = `DependenciesCDX 'bom' is ${first}, and VulnerabilitiesTool 'report' is ${second}: they are swapped.`;
    expect(await checkPair(sbom, report)).toEqual([message, SWAP]);
    const files = [
      { name: 'bom', content: sbom },
      { name: 'report', content: report },
    ];
    expect(await check(...files)).toEqual([
      message,
      'Set the SBOM as `dependencies-file` and the report as `vulnerabilities-file` instead of `files`.',
    ]);
  });

  test('is reported after other problems', async () => {
    expect(await checkPair('grype', '3/0 truncated')).toEqual(
      contain("VulnerabilitiesTool 'report' is truncated.", ': they are swapped.', SCAN_FIX, SWAP),
    );
  });

  test.each<[ContentName, ContentName]>([
    ['grype', 'grype'],
    ['grype', '3/2'],
    ['grype', 'bom xml'],
    ['other sbom', '3/-'],
    ['sbom text', '3/-'],
    ['json', 'other sbom'],
    ['0/3', '3/2'],
    ['grype', '0/3'],
    ['json', '3/0'],
    ['json', 'bom xml'],
    ['json', '0/-'],
    ['0/0', '3/0'],
    ['0/3', '0/0'],
    ['spdx', '3/0'],
  ])('is not %s and %s', async (sbom, report) => {
    const [warning, ...others] = await checkPair(sbom, report);
    expect(warning).toMatch(/^\? Dep/);
    expect(others.filter((text) => !text.startsWith('? Vul'))).toEqual([]);
  });
});

const ADVICE = 'If it is the scan, write its name in place of the wildcard; if not, the scan step';

describe('a file that a wildcard or a directory chose', () => {
  const chosenBy = 'wildcard';

  test.each<[ContentName, string, ...string[]]>([
    [
      '3/-',
      'files',
      ', and the only match of `files`: its report may be missing. For an SBOM alone',
    ],
    ['3/-', 'scan-file'],
    ['grype', 'files'],
    ['3/0', 'files'],
  ])('is a warning if it is only an SBOM: %s of %s', async (content, input, ...warnings) => {
    const found = await check({ name: 'bom', content, chosenBy, input });
    expect(found).toEqual(contain(...warnings.map((text) => `no list of vulnerabilities)${text}`)));
  });

  test.each<[ContentName, ...string[]]>([['json', 'JSON'], ['xml', 'XML'], ['grype'], ['bare']])(
    'is a warning if its format is not known: %s',
    async (content, ...languages) => {
      const files = [{ name: 'other', content, chosenBy } as const];
      const warnings = languages.map(
        (each) =>
          `? VulnerabilitiesTool 'other' is ${each} of no known format, and a wildcard of \`files\` chose it. ${ADVICE}`,
      );
      const sbom = { name: 'bom', content: '3/0', chosenBy } as const;
      expect(await check(sbom, ...files)).toEqual(contain(...warnings));
      // What is said of an SBOM that is none says it all.
      expect(await check(...files, { ...sbom, content: 'grype' })).toHaveLength(1);
    },
  );

  const MANIFESTS =
    'package.json package-lock.json npm-shrinkwrap.json composer.json tsconfig.json tsconfig.build.json scans.schema.json';

  test.each(MANIFESTS.split(' '))('is a problem if a wildcard chose %s', async (name) => {
    const file = { name, input: SBOM_INPUT, content: 'json' } as const;
    const report = { name: 'report', content: 'json' } as const;
    const what = `'${name}' is JSON of no known format, and a wildcard of \`${SBOM_INPUT}\` chose it.`;
    expect(await check({ ...file, chosenBy }, report)).toEqual(contain(what, ADVICE));
    const harmless = [
      await check({ ...file, chosenBy: 'directory' }, report),
      await check(file, report),
      await check({ ...file, chosenBy, name: `my-${name.replace('.schema', '')}` }, report),
      await check({ ...file, chosenBy, content: '3/0' }, report),
    ];
    expect(harmless.flat().filter((text) => !text.startsWith('? '))).toEqual([]);
  });

  test('is a warning if a directory chose it', async () => {
    const file = { name: 'package.json', content: 'json', input: 'scan-file' } as const;
    expect(await check({ ...file, chosenBy: 'directory' })).toEqual(
      contain(
        'a directory of `scan-file` chose it. If it is the scan, write its name in place of the d',
      ),
    );
  });
});
