import { describe, expect, test } from '@jest/globals';
import { StepError } from '../../src/errors.ts';
import type { Content } from '../../src/formats/content.ts';
import { checkContents } from '../../src/plan/check.ts';
import { describePart } from '../../src/plan/plan.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { makeBom, makeContent } from '../support/contents.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';

const PLAIN = makeContent();
const XML = makeContent({ format: 'xml', syntax: 'xml' });
const BOM_XML: Content = { ...makeBom(3, 0), syntax: 'xml' };
const TEXT: Content = { format: 'unknown', inspected: 'full', kind: 'text' };
const LFS: Content = { ...TEXT, kind: 'lfs' };
const MIXED: Content = { ...TEXT, stray: `npm warn ${'old '.repeat(30)}` };
const PAGE: Content = { ...TEXT, kind: 'html' };
const STREAM = makeContent({ syntax: 'ndjson', inspected: 'partial' });
const APPENDED: Content = { ...STREAM, format: 'trivy' };
const EMPTY: Content = { format: 'empty', inspected: 'full', problem: 'is empty (0 bytes)' };
const CUT: Content = { ...PLAIN, problem: 'is truncated' };
const UTF_16: Content = { ...TEXT, problem: 'is UTF-16 text', isMisencoded: true };
const FAILED = makeContent({ format: 'sarif', findings: 0, isFailed: true });
const TRAILING: Content = { ...CUT, problem: 'has other text', stray: 'Done in 3.21s.' };
const GRYPE = makeContent({ format: 'grype', findings: 0 });
/** An SBOM without a list of vulnerabilities. */
const UNSCANNED = makeBom(3);
const SPDX = makeContent({ format: 'spdx', specVersion: 'SPDX-2.3', components: 2 });
const SCALAR = makeContent({ kind: 'scalar' });
const NULL = makeContent({ kind: 'null' });
const BLANK = makeContent({ format: 'sarif', isBlank: true });
const SPDX_TAGS: Content = { format: 'spdx', specVersion: 'SPDX-2.3', inspected: 'partial' };

const LFS_FIX = 'Set `lfs: true` at the checkout.';
const JSON_FIX = 'Let the scan step write JSON, or correct `files`.';
const SCALAR_FIX =
  'Let the scan step write its JSON as it is: JSON that is encoded twice is a string.';
const SBOM_FIX =
  'Let the scan step write JSON, as `syft -o cyclonedx-json` does, or correct `dependencies-file`.';
const RUNLESS = 'is SARIF without runs: check whether the repository was checked out.';
const TEXTUAL =
  'is text. The service may expect JSON: most tools write it with an option, such as `trivy --format json`.';
const SCAN_FIX = 'Fix the scan step: it failed, or is still writing the file.';
const EMPTY_FIX =
  'If the tool writes an empty file when it finds nothing, set `content-check: warn`.';
const OUTPUT_FIX =
  'Write only the report to the file: by an option of the tool, or with `>` rather than `&>`, and `npm run --silent`.';
const fixInput = (input: string): string =>
  `Correct \`${input}\`, or the step that writes the file.`;
const REPEATED =
  'one of them Trivy: the service may read only the first. Write each report to a file of its own, with `>` rather than `>>`.';
const SINGLE =
  'one after the other: the service may expect a single one. If it takes an array, `jq --slurp` writes one.';

const NO_BOM = 'is not recognised as CycloneDX: it is';
const ONLY_NULL =
  'only `null`, as some tools write if they find nothing, and `jq` if a key is missing';
const WRITE_BOM =
  'Most tools write CycloneDX too: `syft -o cyclonedx-json`, `trivy --format cyclonedx`';

/** The warnings of a plan, each beginning with `?`, or its problems and their fixes; each names its parts. */
function check(plan: UploadPlan): readonly string[] {
  const texts = checkContents(plan, 'warn').parts.map(({ warnings = [] }) => warnings);
  for (const [index, part] of plan.parts.entries()) {
    for (const [at, list] of texts.entries()) {
      const own = list.filter((text) => text.includes(describePart(part)));
      if (at === index) expect(own).toEqual(list);
      else expect(texts[index]).toEqual(expect.arrayContaining(own));
    }
  }
  expect(checkContents(plan, 'off')).toBe(plan);
  try {
    expect(checkContents(plan, 'error')).toEqual(checkContents(plan, 'warn'));
    return [...new Set(texts.flat())].map((text) => `? ${text}`);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    expect(error.situation).toBe('contents');
    expect(texts.flat()).toEqual(expect.arrayContaining([...error.problems]));
    const others = texts.flat().filter((text) => !error.problems.includes(text));
    // A swap says it all.
    expect(error.message.includes('swapped') ? others : []).toEqual([]);
    return [...error.problems, ...error.fixes];
  }
}

async function checkScan(content: Content, name = 'scan.json'): Promise<readonly string[]> {
  return check(makePlan('upload-file', await makeScanFile({ name, content })));
}

async function checkPair(
  sbom: Content,
  report: Content,
  [first, second]: readonly [string, string] = ['bom', 'report'],
  inputs: readonly [string, string] = ['dependencies-file', 'vulnerabilities-file'],
): Promise<readonly string[]> {
  const files = await Promise.all([
    makeScanFile({ name: first, content: sbom, input: inputs[0] }),
    makeScanFile({ name: second, content: report, input: inputs[1] }),
  ]);
  return check(makePlan('upload-multiple-files', ...files));
}

describe('a scan file', () => {
  test.each([
    [PLAIN],
    [makeBom(3, 0)],
    [makeBom(0, 3)],
    [GRYPE],
    [NULL],
    [makeContent({ format: 'semgrep', findings: 0, isBlank: true })],
    [makeContent({ inspected: 'partial' })],
  ])('is accepted if it is JSON: %j', async (content) => {
    for (const name of ['scan.json', 'scan.xml'])
      expect(await checkScan(content, name)).toEqual([]);
  });

  test.each<[Content, string, ...string[]]>([
    [XML, 'is XML of no known format, not JSON.', JSON_FIX],
    [BOM_XML, 'is CycloneDX 1.6 in XML, not JSON.', JSON_FIX],
    [TEXT, 'is text, not JSON.', JSON_FIX],
    [SPDX_TAGS, 'is SPDX-2.3, not JSON.', JSON_FIX],
    [PAGE, 'is a web page (HTML), not JSON.', JSON_FIX],
    [LFS, 'is a Git LFS pointer.', LFS_FIX],
    [SCALAR, 'is only a JSON string, number or boolean.', SCALAR_FIX],
    [MIXED, `begins with 'npm warn ${'old '.repeat(17)}…', which is not JSON.`, OUTPUT_FIX],
    [EMPTY, 'is empty (0 bytes).', SCAN_FIX, EMPTY_FIX],
    [{ ...STREAM, problem: 'is truncated' }, 'is truncated.', SCAN_FIX],
    [{ ...XML, problem: 'is truncated' }, 'is truncated.', SCAN_FIX],
    [UTF_16, 'is UTF-16 text.', 'Let the scan step write UTF-8.'],
    [TRAILING, "has other text: 'Done in 3.21s.'.", OUTPUT_FIX],
    [FAILED, '? states that its scan failed, so that findings may be missing.'],
    [BLANK, `? ${RUNLESS}`],
    [STREAM, `? is several JSON documents ${SINGLE}`],
    [{ ...STREAM, format: 'govulncheck' }, `? is several JSON documents ${SINGLE}`],
    [APPENDED, `? is several JSON documents one after the other, ${REPEATED}`],
  ])('%j has a problem, or a warning', async (content, what, ...fixes) => {
    for (const name of ['scan.json', 'scan.xml', 'scan', 'scan.jsonl']) {
      const message = what.replace(/^(\? )?/, `$1ScanJsonFile '${name}' `);
      expect(await checkScan(content, name)).toEqual([message, ...fixes]);
    }
  });
});

describe('an SBOM and a report', () => {
  test.each<[Content, Content]>([
    [makeBom(3, 0), PLAIN],
    [makeBom(3, 0), NULL],
    [makeBom(3, 0), STREAM],
    [makeBom(3, 0), makeBom(0, 3)],
    [makeBom(3, 0), makeBom(3, 0)],
    [makeBom(3, 2), makeBom(3, 2)],
    [makeBom(3, 2), makeBom(3, 0)],
    [makeBom(3, 2), GRYPE],
    [makeBom(), makeBom()],
    [BOM_XML, PLAIN],
  ])('are accepted: %j and %j', async (sbom, report) => {
    expect(await checkPair(sbom, report)).toEqual([]);
  });

  test.each<[Content, string]>([
    [PLAIN, `${NO_BOM} JSON of no known format`],
    [NULL, `${NO_BOM} ${ONLY_NULL}`],
    [SPDX_TAGS, `${NO_BOM} SPDX-2.3. ${WRITE_BOM}`],
    [SPDX, `${NO_BOM} SPDX-2.3. ${WRITE_BOM}`],
    [STREAM, `${NO_BOM} several JSON documents one after the other`],
    [GRYPE, `${NO_BOM} Grype`],
    [makeBom(0, 0), 'is an SBOM without components'],
    [makeBom(0, 3), 'is an SBOM without components'],
  ])('have a warning about the SBOM %j', async (sbom, what) => {
    expect(await checkPair(sbom, PLAIN)).toEqual([`? DependenciesCDX 'bom' ${what}.`]);
  });

  test.each<[Content, string, string]>([
    [TEXT, 'is text, not an SBOM.', SBOM_FIX],
    [MIXED, 'is text, not an SBOM.', OUTPUT_FIX],
    [SCALAR, 'is only a JSON string, number or boolean.', SCALAR_FIX],
  ])('have a problem with the SBOM %j', async (sbom, what, fix) => {
    const problems = [`DependenciesCDX 'bom' ${what}`, fix];
    expect(await checkPair(sbom, PLAIN)).toEqual(problems);
    expect(await checkPair(sbom, STREAM)).toEqual(problems);
  });

  test('have a problem with a report that is a single value, a warning if it is empty SARIF', async () => {
    expect(await checkPair(makeBom(3, 0), SCALAR)).toEqual([
      "VulnerabilitiesTool 'report' is only a JSON string, number or boolean.",
      SCALAR_FIX,
    ]);
    const warning = `? VulnerabilitiesTool 'report' ${RUNLESS}`;
    expect(await checkPair(makeBom(3, 0), BLANK)).toEqual([warning]);
  });

  test.each<[Content, string]>([
    [SPDX, 'SPDX-2.3: 2 components'],
    [SPDX_TAGS, 'SPDX-2.3: not counted'],
    [UNSCANNED, 'CycloneDX 1.6: 3 components, no list of vulnerabilities'],
  ])('have a warning about an SBOM in the place of the report: %j', async (report, shown) => {
    expect(await checkPair(makeBom(3, 0), report)).toEqual([
      `? VulnerabilitiesTool 'report' is an SBOM (${shown}), not a vulnerability report.`,
    ]);
  });

  test('have a warning in each part about reports that were appended to each other', async () => {
    const start = 'is several JSON documents one after the other, ';
    expect(await checkPair({ ...APPENDED, format: 'cyclonedx' }, APPENDED)).toEqual([
      `? DependenciesCDX 'bom' ${start}${REPEATED.replace('Trivy', 'CycloneDX')}`,
      `? VulnerabilitiesTool 'report' ${start}${REPEATED}`,
    ]);
  });

  test('have only the problems of malformed files, each fix once', async () => {
    expect(await checkPair(CUT, EMPTY, ['bom.xml', 'report.json'])).toEqual([
      "DependenciesCDX 'bom.xml' is truncated.",
      "VulnerabilitiesTool 'report.json' is empty (0 bytes).",
      SCAN_FIX,
      EMPTY_FIX,
    ]);
  });
});

describe('a file whose name does not match its content', () => {
  test.each<[string, Content, string, string?]>([
    ['report.json', PAGE, 'is a web page (HTML), although its name ends in .json.'],
    ['REPORT.JSON', TEXT, 'is text, although its name ends in .JSON.'],
    ['report.sarif', TEXT, 'is text, although its name ends in .sarif.'],
    ['report.XML', PAGE, 'is a web page (HTML), although its name ends in .XML.'],
    ['report', PAGE, 'is a web page (HTML), not a scan.'],
    ['report.html.cdx', PAGE, 'is a web page (HTML), not a scan.'],
    ['html', PAGE, 'is a web page (HTML), not a scan.'],
  ])('has a problem: %s %j', async (name, content, what) => {
    expect(await checkPair(makeBom(1, 0), content, ['bom', name])).toEqual([
      `VulnerabilitiesTool '${name}' ${what}`,
      fixInput('vulnerabilities-file'),
    ]);
    const found = await checkPair(content, GRYPE, [name, 'report']);
    const first = [`DependenciesCDX '${name}' ${what}`, fixInput('dependencies-file')];
    expect(found.slice(0, 2)).toEqual(first);
  });

  test.each([
    ['gzip', 'gzip-compressed data', 'gunzip'],
    ['zip', 'a ZIP archive', 'unzip'],
  ] as const)('has a problem as %s', async (kind, what, program) => {
    const content: Content = { ...TEXT, kind };
    const fix = (input: string): string =>
      `Decompress it before this step (\`${program}\`), and name the result in \`${input}\`.`;
    expect(await checkScan(content, 'scan.json.gz')).toEqual([
      `ScanJsonFile 'scan.json.gz' is ${what}, not JSON.`,
      fix('files'),
    ]);
    expect(await checkPair(makeBom(1, 0), content, ['bom', 'report.json'])).toEqual([
      `VulnerabilitiesTool 'report.json' is ${what}, although its name ends in .json.`,
      fix('vulnerabilities-file'),
    ]);
    expect(await checkPair(makeBom(1, 0), content, ['bom', 'report.gz'])).toEqual([]);
  });

  test.each(['report.json', 'report.txt'])(
    'has a problem as a Git LFS pointer: %s',
    async (name) => {
      const problem = `VulnerabilitiesTool '${name}' is a Git LFS pointer.`;
      expect(await checkPair(makeBom(1, 0), LFS, ['bom', name])).toEqual([problem, LFS_FIX]);
    },
  );

  test.each([
    ['report.json', ' begins with '],
    ['report.xml', ' is text, although '],
    ['report.txt', ' is text. The service may '],
  ])('has a problem or a warning if text is before JSON: %s', async (name, what) => {
    const [message = ''] = await checkPair(makeBom(1, 0), MIXED, ['bom', name]);
    expect(message).toContain(what);
    expect(message.startsWith('? ')).toBe(name === 'report.txt');
  });

  test('has a warning if it is JSON in place of XML, or XML in place of JSON', async () => {
    expect(await checkPair(BOM_XML, STREAM, ['bom', 'report.xml'])).toEqual([
      "? VulnerabilitiesTool 'report.xml' is several JSON documents one after the other, although its name ends in .xml.",
    ]);
    expect(await checkPair(BOM_XML, GRYPE, ['bom.json', 'report.xml'])).toEqual([
      "? DependenciesCDX 'bom.json' is CycloneDX 1.6 in XML, although its name ends in .json.",
      "? VulnerabilitiesTool 'report.xml' is Grype in JSON, although its name ends in .xml.",
    ]);
  });

  const OTHERS = 'report report.html report.json.gz report.xml.zip report.txt json';
  test.each(OTHERS.split(' '))('has a warning if it is text, and its name is %s', async (name) => {
    const warnings = [`? VulnerabilitiesTool '${name}' ${TEXTUAL}`];
    expect(await checkPair(makeBom(1, 0), TEXT, ['bom', name])).toEqual(warnings);
  });

  test.each<[Content, string]>([
    [PAGE, 'report.html REPORT.HTM report.xhtml'],
    [STREAM, 'report.json report.sarif report.jsonl report'],
  ])('is accepted as the report %j: %s', async (content, names) => {
    for (const name of names.split(' ')) {
      expect(await checkPair(makeBom(1, 0), content, ['bom', name])).toEqual([]);
    }
  });
});

describe('a swapped SBOM and report', () => {
  const SWAP = 'Swap `dependencies-file` and `vulnerabilities-file`.';
  const UNSCANNED_BOM = 'an SBOM (CycloneDX 1.6: 3 components, no list of vulnerabilities)';
  const SARIF = makeContent({ format: 'sarif', specVersion: '2.1.0', inspected: 'partial' });

  test.each<[Content, Content, string, string]>([
    [
      makeBom(0, 1),
      makeBom(2, 0),
      'a report (CycloneDX 1.6: 0 components, 1 vulnerability)',
      'an SBOM (CycloneDX 1.6: 2 components, 0 vulnerabilities)',
    ],
    [SARIF, SPDX, 'a report (SARIF 2.1.0: not counted)', 'an SBOM (SPDX-2.3: 2 components)'],
    [GRYPE, UNSCANNED, 'a report (Grype: 0 findings)', UNSCANNED_BOM],
    [makeContent({ format: 'sarif' }), UNSCANNED, 'a report (SARIF)', UNSCANNED_BOM],
    [PLAIN, SPDX, 'JSON of no known format, not an SBOM', 'an SBOM (SPDX-2.3: 2 components)'],
    [PLAIN, UNSCANNED, 'JSON of no known format, not an SBOM', UNSCANNED_BOM],
    [TEXT, UNSCANNED, 'text, not an SBOM', UNSCANNED_BOM],
    [STREAM, UNSCANNED, 'several JSON documents one after the other, not an SBOM', UNSCANNED_BOM],
  ])('is one problem: %j and %j', async (sbom, report, first, second) => {
    const message = `DependenciesCDX 'bom' is ${first}, and VulnerabilitiesTool 'report' is ${second}: they are swapped.`;
    expect(await checkPair(sbom, report)).toEqual([message, SWAP]);
    expect(await checkPair(sbom, report, ['bom', 'report'], ['files', 'files'])).toEqual([
      message,
      'Set the SBOM as `dependencies-file` and the report as `vulnerabilities-file` instead of `files`.',
    ]);
  });

  test('is reported after other problems', async () => {
    expect(await checkPair(GRYPE, { ...makeBom(2, 0), problem: 'is truncated' })).toEqual([
      "VulnerabilitiesTool 'report' is truncated.",
      expect.stringMatching(/: they are swapped\.$/),
      SCAN_FIX,
      SWAP,
    ]);
  });

  test.each<[Content, Content]>([
    [GRYPE, GRYPE],
    [GRYPE, makeBom(3, 2)],
    [GRYPE, { ...makeBom(), inspected: 'partial' }],
    [makeBom(0, 3), makeBom(3, 2)],
    [GRYPE, makeBom(0, 3)],
    [PLAIN, makeBom(3, 0)],
    [PLAIN, { ...UNSCANNED, inspected: 'partial' }],
    [PLAIN, { ...UNSCANNED, components: 0 }],
    [makeBom(0, 0), makeBom(3, 0)],
    [makeBom(0, 3), makeBom(0, 0)],
    [SPDX, makeBom(3, 0)],
  ])('is not %j and %j', async (sbom, report) => {
    expect(await checkPair(sbom, report)).toEqual([expect.stringMatching(/^\? Dep/)]);
  });
});

/** Checks what is all that a wildcard of an input matched. */
async function checkAlone(input: string, content = UNSCANNED): Promise<readonly string[]> {
  const file = await makeScanFile({ name: 'bom', content, chosenBy: 'wildcard', input });
  return check(makePlan('upload-file', file));
}

test('an SBOM that is all that a wildcard of `files` matched is a warning', async () => {
  expect(await checkAlone('files')).toEqual([
    "? ScanJsonFile 'bom' is an SBOM (CycloneDX 1.6: 3 components, no list of vulnerabilities), and the only match of `files`: its report may be missing. For an SBOM alone use `scan-file`.",
  ]);
  expect(await checkAlone('scan-file')).toEqual([]);
  for (const report of [GRYPE, makeBom(3, 0)])
    expect(await checkAlone('files', report)).toEqual([]);
});

/** Checks an SBOM and another file, both matched by a wildcard. */
async function checkWild(
  content: Content,
  sbom: Content = makeBom(3, 0),
): Promise<readonly string[]> {
  const bom = await makeScanFile({ name: 'bom', content: sbom, chosenBy: 'wildcard' });
  const other = await makeScanFile({ name: 'other', content, chosenBy: 'wildcard' });
  return check(makePlan('upload-multiple-files', bom, other));
}

test.each<[Content, ...string[]]>([
  [PLAIN, 'JSON'],
  [XML, 'XML'],
  [GRYPE],
  [makeContent({ kind: 'bare' })],
])(
  'content %j that a wildcard chose is a warning if its format is not known',
  async (content, ...languages) => {
    const hint =
      'of no known format, and a wildcard of `files` chose it. If it is the scan, write its name in place of the wildcard; if not, the scan step wrote no file here.';
    const warnings = languages.map((each) => `? VulnerabilitiesTool 'other' is ${each} ${hint}`);
    expect(await checkWild(content)).toEqual(warnings);
    // What is said of an SBOM that is none says it all.
    expect(await checkWild(GRYPE, content)).toHaveLength(1);
  },
);

/** Checks a file in the part of its input that was chosen by a wildcard, a directory, or its path. */
async function checkChosen(
  input: 'scan-file' | 'dependencies-file',
  name: string,
  chosenBy: 'wildcard' | 'directory' | undefined,
  content = PLAIN,
): Promise<readonly string[]> {
  const file = await makeScanFile({ name, content, input, ...(chosenBy && { chosenBy }) });
  if (input === 'scan-file') return check(makePlan('upload-file', file));
  return check(makePlan('upload-multiple-files', file, await makeScanFile({ name: 'report' })));
}

const MANIFESTS =
  'package.json package-lock.json npm-shrinkwrap.json composer.json tsconfig.json tsconfig.build.json scans.schema.json';

test.each(MANIFESTS.split(' '))('%s is a problem if a wildcard chose it', async (name) => {
  for (const input of ['scan-file', 'dependencies-file'] as const) {
    const chosen = `'${name}' is JSON of no known format, and a wildcard of \`${input}\` chose it.`;
    expect(await checkChosen(input, name, 'wildcard')).toEqual([
      expect.stringContaining(chosen),
      'If it is the scan, write its name in place of the wildcard; if not, the scan step wrote no file here.',
    ]);
    const bare = makeContent({ kind: 'bare' });
    expect((await checkChosen(input, name, 'wildcard', bare))[0]).toMatch(/^\w+ '.* JSON without/);
    const others = [
      await checkChosen(input, name, 'directory'),
      await checkChosen(input, name, undefined),
      await checkChosen(input, `my-${name.replace('.schema', '')}`, 'wildcard'),
      await checkChosen(input, name, 'wildcard', makeBom(3, 0)),
    ];
    expect(others.flat().filter((text) => !text.startsWith('? '))).toEqual([]);
  }
});

test('a file of no known format in a directory that the author named is a warning', async () => {
  expect(await checkChosen('scan-file', 'package.json', 'directory')).toEqual([
    "? ScanJsonFile 'package.json' is JSON of no known format, and a directory of `scan-file` chose it. If it is the scan, write its name in place of the directory; if not, the scan step wrote no file here.",
  ]);
});
