import { describe, expect, test } from '@jest/globals';
import { checkContents } from '../../src/plan/check.ts';
import { describePart } from '../../src/plan/plan.ts';
import type { ScanFile } from '../../src/formats/inspect.ts';
import type { Content } from '../../src/formats/content.ts';
import { makeBom, makeContent } from '../support/contents.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';

const PLAIN = makeContent();
const XML = makeContent({ format: 'xml', syntax: 'xml' });
const BOM_XML: Content = { ...makeBom(3, 0), syntax: 'xml' };
const TEXT: Content = { format: 'unknown', inspected: 'full', kind: 'text' };
const PAGE: Content = { ...TEXT, kind: 'html' };
const STREAM = makeContent({ syntax: 'ndjson', documents: 12 });
const APPENDED = makeContent({ format: 'trivy', syntax: 'ndjson', documents: 2, isRepeated: true });
const REPEATED =
  'is 2 JSON documents one after the other, several of them Trivy: the service may read only the first. Write each report to a file of its own, with `>` rather than `>>`.';
const EMPTY: Content = { format: 'empty', inspected: 'full', problem: 'is empty (0 bytes)' };
const UTF_16: Content = { ...TEXT, kind: 'utf-16', problem: 'is UTF-16 text' };
const SCAN_FIX = 'Fix the scan step: it failed, or is still writing the file.';
const EMPTY_FIX = `${SCAN_FIX} If the tool writes an empty file when it finds nothing, set \`content-check: warn\`.`;
const INPUT_FIX = 'Correct `files`, or the step that writes the file.';
const REPORT_FIX = INPUT_FIX.replace('files', 'vulnerabilities-file');
const GRYPE = makeContent({ format: 'grype', findings: 0 });
/** An SBOM without a list of vulnerabilities. */
const UNSCANNED = makeBom(3);
const SPDX = makeContent({ format: 'spdx', specVersion: 'SPDX-2.3', components: 2 });

/** The problems and warnings of a plan, each with its situation and fix; each is about the parts that it names. */
function check(
  name: 'upload-file' | 'upload-multiple-files',
  ...files: readonly ScanFile[]
): readonly string[] {
  const plan = makePlan(name, ...files);
  return checkContents(plan).map((each) => {
    const named = plan.parts.filter((planned) => each.message.includes(describePart(planned)));
    expect(each.parts).toEqual(named);
    if (each.situation === undefined) return `warning: ${each.message}`;
    return `${each.situation}: ${each.message} ${each.fixes.join(' ')}`;
  });
}

async function checkScan(content: Content, name = 'scan.json'): Promise<readonly string[]> {
  return check('upload-file', await makeScanFile({ name, content }));
}

async function checkPair(
  sbom: Content,
  report: Content,
  [first, second]: readonly [string, string] = ['bom', 'report'],
): Promise<readonly string[]> {
  const [dependencies, vulnerabilities] = await Promise.all([
    makeScanFile({ name: first, content: sbom, input: 'dependencies-file' }),
    makeScanFile({ name: second, content: report, input: 'vulnerabilities-file' }),
  ]);
  return check('upload-multiple-files', dependencies, vulnerabilities);
}

describe('checkContents of a scan file', () => {
  test.each([
    [PLAIN],
    [makeBom(3, 0)],
    [makeBom(0, 3)],
    [makeBom(0, 0)],
    [GRYPE],
    [makeContent({ inspected: 'partial' })],
  ])('accepts JSON: %j', async (content) => {
    expect(await checkScan(content)).toEqual([]);
    expect(await checkScan(content, 'scan.xml')).toEqual([]);
  });

  test.each<[Content, string, string?]>([
    [XML, 'is XML of no known format, not JSON'],
    [BOM_XML, 'is CycloneDX 1.6 in XML, not JSON'],
    [TEXT, 'is text, not JSON'],
    [PAGE, 'is a web page (HTML), not JSON'],
    [EMPTY, 'is empty (0 bytes)', EMPTY_FIX],
    [{ ...STREAM, problem: 'is truncated' }, 'is truncated', SCAN_FIX],
    [{ ...PLAIN, problem: 'is truncated' }, 'is truncated', SCAN_FIX],
    [{ ...XML, problem: 'is truncated' }, 'is truncated', SCAN_FIX],
    [UTF_16, 'is UTF-16 text', 'Change the encoding in the scan step.'],
  ])('reports %j', async (content, message, fix = INPUT_FIX) => {
    for (const name of ['scan.json', 'scan.xml', 'scan', 'scan.jsonl']) {
      expect(await checkScan(content, name)).toEqual([
        `contents: ScanJsonFile '${name}' ${message}. ${fix}`,
      ]);
    }
  });
});

describe('checkContents of a stream of JSON documents', () => {
  const SINGLE =
    'one after the other: the service may expect a single one. If it takes an array, `jq --slurp` writes one.';
  const FOUND = makeContent({ format: 'sarif', syntax: 'ndjson', inspected: 'partial' });

  test.each<[Content, string]>([
    [STREAM, `is 12 JSON documents ${SINGLE}`],
    [FOUND, `is JSON documents ${SINGLE}`],
    [{ ...STREAM, documents: 1 }, `is 1 JSON document ${SINGLE}`],
    [APPENDED, REPEATED],
  ])('warns about the scan file %j', async (content, message) => {
    for (const name of ['scan.json', 'scan.xml', 'scan', 'scan.jsonl']) {
      expect(await checkScan(content, name)).toEqual([
        `warning: ScanJsonFile '${name}' ${message}`,
      ]);
    }
  });

  test.each(['report.json', 'report.sarif', 'report.jsonl', 'report'])(
    'accepts the report %s',
    async (name) => {
      expect(await checkPair(makeBom(1, 0), STREAM, ['bom', name])).toEqual([]);
    },
  );

  test('warns in each part about reports that were appended to each other', async () => {
    const content: Content = { ...APPENDED, format: 'cyclonedx' };
    expect(await checkPair(content, APPENDED)).toEqual([
      `warning: DependenciesCDX 'bom' ${REPEATED.replace('Trivy', 'CycloneDX')}`,
      `warning: VulnerabilitiesTool 'report' ${REPEATED}`,
    ]);
  });
});

describe('checkContents of an SBOM and a report', () => {
  test.each<[Content, Content]>([
    [makeBom(3, 0), PLAIN],
    [makeBom(3, 0), TEXT],
    [makeBom(3, 0), makeBom(0, 3)],
    [makeBom(3, 0), makeBom(3, 0)],
    [makeBom(3, 2), makeBom(3, 2)],
    [makeBom(3, 2), GRYPE],
    [makeBom(3, 2), makeBom(3, 0)],
    [makeBom(), GRYPE],
    [makeBom(), makeBom()],
    [BOM_XML, PLAIN],
  ])('accepts %j and %j', async (sbom, report) => {
    expect(await checkPair(sbom, report)).toEqual([]);
  });

  test.each<[Content, string]>([
    [PLAIN, 'is not recognised as CycloneDX: it is JSON of no known format'],
    [XML, 'is not recognised as CycloneDX: it is XML of no known format'],
    [TEXT, 'is not recognised as CycloneDX: it is text'],
    [SPDX, 'is not recognised as CycloneDX: it is SPDX-2.3'],
    [GRYPE, 'is not recognised as CycloneDX: it is Grype'],
    [makeBom(0, 0), 'is an SBOM without components'],
    [makeBom(0, 3), 'is an SBOM without components'],
  ])('warns about the SBOM %j', async (sbom, message) => {
    expect(await checkPair(sbom, PLAIN)).toEqual([`warning: DependenciesCDX 'bom' ${message}.`]);
  });

  test.each<[Content, string]>([
    [SPDX, 'SPDX-2.3: 2 components'],
    [UNSCANNED, 'CycloneDX 1.6: 3 components'],
  ])('warns about an SBOM in the place of the report: %j', async (report, shown) => {
    expect(await checkPair(makeBom(3, 0), report)).toEqual([
      `warning: VulnerabilitiesTool 'report' is an SBOM (${shown}), not a vulnerability report.`,
    ]);
  });

  test.each<[Content, string]>([
    [PLAIN, 'JSON of no known format'],
    [XML, 'XML of no known format'],
    [TEXT, 'text'],
    [STREAM, '12 JSON documents one after the other'],
  ])('reports an SBOM that was not scanned beside %j as swapped', async (sbom, shown) => {
    expect(await checkPair(sbom, UNSCANNED)).toEqual([
      `contents: DependenciesCDX 'bom' is ${shown}, not an SBOM, and VulnerabilitiesTool 'report' is an SBOM (CycloneDX 1.6: 3 components): they are swapped. Swap \`dependencies-file\` and \`vulnerabilities-file\`.`,
    ]);
  });

  test.each<[string, Content]>([
    ['may be a clean report', makeBom(3, 0)],
    ['was inspected in part', { ...UNSCANNED, inspected: 'partial' }],
    ['has no components', { ...UNSCANNED, components: 0 }],
  ])('only warns about the other file beside an SBOM that %s', async (_, report) => {
    expect(await checkPair(PLAIN, report)).toEqual([
      "warning: DependenciesCDX 'bom' is not recognised as CycloneDX: it is JSON of no known format.",
    ]);
  });

  test('reports only the problems of malformed files', async () => {
    const broken: Content = { ...PLAIN, problem: 'is not well-formed JSON (at byte 8)' };
    expect(await checkPair(broken, EMPTY, ['bom.xml', 'report.json'])).toEqual([
      `contents: DependenciesCDX 'bom.xml' is not well-formed JSON (at byte 8). ${SCAN_FIX}`,
      `contents: VulnerabilitiesTool 'report.json' is empty (0 bytes). ${EMPTY_FIX}`,
    ]);
  });
});

describe('checkContents of a file whose name does not match its content', () => {
  test.each<[string, Content, string, string?]>([
    ['report.json', PAGE, 'is a web page (HTML), although its name ends in .json'],
    ['REPORT.JSON', TEXT, 'is text, although its name ends in .JSON'],
    ['report.sarif', TEXT, 'is text, although its name ends in .sarif'],
    ['report.xml', PAGE, 'is a web page (HTML), although its name ends in .xml'],
    ['report.jsonl', { ...STREAM, problem: 'is truncated' }, 'is truncated', SCAN_FIX],
  ])('reports %s: %j', async (name, content, message, fix = REPORT_FIX) => {
    expect(await checkPair(makeBom(1, 0), content, ['bom', name])).toEqual([
      `contents: VulnerabilitiesTool '${name}' ${message}. ${fix}`,
    ]);
  });

  test('warns about JSON and XML in place of each other', async () => {
    expect(await checkPair(BOM_XML, STREAM, ['bom', 'report.xml'])).toEqual([
      "warning: VulnerabilitiesTool 'report.xml' is 12 JSON documents one after the other, although its name ends in .xml.",
    ]);
    expect(await checkPair(BOM_XML, GRYPE, ['bom.json', 'report.xml'])).toEqual([
      "warning: DependenciesCDX 'bom.json' is CycloneDX 1.6 in XML, although its name ends in .json.",
      "warning: VulnerabilitiesTool 'report.xml' is Grype in JSON, although its name ends in .xml.",
    ]);
  });

  test.each<[Content, readonly string[]]>([
    [TEXT, ['report', 'report.html', 'report.json.gz', 'report.xml.zip', 'report.txt', 'json']],
    [PAGE, ['report.html', 'REPORT.HTM', 'report.xhtml']],
  ])('accepts the report %j with the names %j', async (report, names) => {
    for (const name of names) {
      expect(await checkPair(makeBom(1, 0), report, ['bom', name])).toEqual([]);
    }
  });

  test.each(['report', 'report.txt', 'report.html.cdx', 'html'])(
    'reports a web page with the name %s',
    async (name) => {
      expect(await checkPair(makeBom(1, 0), PAGE, ['bom', name])).toEqual([
        `contents: VulnerabilitiesTool '${name}' is a web page (HTML), not a scan. ${REPORT_FIX}`,
      ]);
      expect(await checkPair(PAGE, GRYPE, [name, 'report'])).toEqual([
        `contents: DependenciesCDX '${name}' is a web page (HTML), not a scan. ${REPORT_FIX.replace('vulnerabilities', 'dependencies')}`,
        expect.stringMatching(/^warning: /),
      ]);
    },
  );

  test('warns about a stream as the SBOM', async () => {
    expect(await checkPair(STREAM, GRYPE)).toEqual([
      "warning: DependenciesCDX 'bom' is not recognised as CycloneDX: it is 12 JSON documents one after the other.",
    ]);
  });
});

describe('checkContents of a swapped SBOM and report', () => {
  test.each<[Content, Content, string, string]>([
    [
      makeBom(0, 1),
      makeBom(2, 0),
      'a report (CycloneDX 1.6: 0 components, 1 vulnerability)',
      'an SBOM (CycloneDX 1.6: 2 components, 0 vulnerabilities)',
    ],
    [
      GRYPE,
      makeBom(2, 0),
      'a report (Grype: 0 findings)',
      'an SBOM (CycloneDX 1.6: 2 components, 0 vulnerabilities)',
    ],
    [
      makeContent({ format: 'sarif', specVersion: '2.1.0', inspected: 'partial' }),
      makeBom(1, 0),
      'a report (SARIF 2.1.0: not read to its end)',
      'an SBOM (CycloneDX 1.6: 1 component, 0 vulnerabilities)',
    ],
    [GRYPE, SPDX, 'a report (Grype: 0 findings)', 'an SBOM (SPDX-2.3: 2 components)'],
  ])('reports only that they are swapped: %j and %j', async (sbom, report, first, second) => {
    expect(await checkPair(sbom, report)).toEqual([
      `contents: DependenciesCDX 'bom' is ${first}, and VulnerabilitiesTool 'report' is ${second}: they are swapped. Swap \`dependencies-file\` and \`vulnerabilities-file\`.`,
    ]);
  });

  test('says which inputs to use instead of `files`', async () => {
    const dependencies = await makeScanFile({ name: 'vex', content: makeBom(0, 1) });
    const vulnerabilities = await makeScanFile({ name: 'spdx', content: SPDX });
    expect(check('upload-multiple-files', dependencies, vulnerabilities)).toEqual([
      expect.stringMatching(
        /^contents: .*\. Set the SBOM as `dependencies-file` and the report as `vulnerabilities-file` instead of `files`\.$/,
      ),
    ]);
  });

  test('reports that they are swapped together with other problems', async () => {
    expect(await checkPair(GRYPE, { ...makeBom(2, 0), problem: 'is truncated' })).toEqual([
      `contents: VulnerabilitiesTool 'report' is truncated. ${SCAN_FIX}`,
      expect.stringMatching(/^contents: .*Swap `dependencies-file` and/),
    ]);
  });

  test.each<[Content, Content]>([
    [GRYPE, GRYPE],
    [GRYPE, makeBom(3, 2)],
    [GRYPE, { ...makeBom(), inspected: 'partial' }],
    [makeBom(0, 3), makeBom(3, 2)],
    [GRYPE, makeBom(0, 3)],
    [PLAIN, makeBom(3, 0)],
    [makeBom(0, 0), makeBom(3, 0)],
    [makeBom(0, 3), makeBom(0, 0)],
    [SPDX, makeBom(3, 0)],
  ])('does not report %j and %j as swapped', async (sbom, report) => {
    expect(await checkPair(sbom, report)).toEqual([expect.stringMatching(/^warning: /)]);
  });
});
