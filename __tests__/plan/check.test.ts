import { describe, expect, test } from '@jest/globals';
import { checkContents } from '../../src/plan/check.ts';
import type { Finding } from '../../src/plan/check.ts';
import type { Content } from '../../src/formats/content.ts';
import { makeBom, makeContent } from '../support/contents.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';

const PLAIN = makeContent();
const XML = makeContent({ format: 'xml', syntax: 'xml' });
const BOM_XML: Content = { ...makeBom(3, 0), syntax: 'xml' };
const TEXT: Content = { format: 'unknown', inspected: 'full', kind: 'text' };
const PAGE: Content = { ...TEXT, kind: 'a web page (HTML)' };
const LINES = makeContent({ format: 'unknown', syntax: 'ndjson', kind: 'several values' });
const EMPTY: Content = { format: 'empty', inspected: 'full', fault: 'is empty (0 bytes)' };
const GRYPE = makeContent({ format: 'grype', findings: 0 });
const SPDX = makeContent({ format: 'spdx', specVersion: 'SPDX-2.3', components: 2 });

async function checkScan(content: Content, name = 'scan.json'): Promise<readonly Finding[]> {
  const file = await makeScanFile({ name, content });
  return checkContents(makePlan('upload-file', file));
}

async function checkPair(
  inventory: Content,
  report: Content,
  names: readonly [string, string] = ['bom', 'report'],
): Promise<readonly Finding[]> {
  const dependencies = await makeScanFile({
    name: names[0],
    content: inventory,
    input: 'dependencies-file',
  });
  const vulnerabilities = await makeScanFile({
    name: names[1],
    content: report,
    input: 'vulnerabilities-file',
  });
  return checkContents(makePlan('upload-multiple-files', dependencies, vulnerabilities));
}

describe('checkContents of a scan file', () => {
  test.each([
    [PLAIN],
    [makeBom(3, 0)],
    [makeBom(0, 3)],
    [makeBom(0, 0)],
    [GRYPE],
    [makeContent({ inspected: 'partial' })],
  ])('has nothing to say of JSON: %j', async (content) => {
    expect(await checkScan(content)).toEqual([]);
    expect(await checkScan(content, 'scan.xml')).toEqual([]);
  });

  test.each<[Content, string]>([
    [XML, 'is XML of no known format, not JSON'],
    [BOM_XML, 'is CycloneDX 1.6 in XML, not JSON'],
    [TEXT, 'is text, not JSON'],
    [PAGE, 'is a web page (HTML), not JSON'],
    [EMPTY, 'is empty (0 bytes)'],
    [LINES, 'is several values, not JSON'],
    [{ ...LINES, fault: 'is truncated' }, 'is truncated'],
    [{ ...PLAIN, fault: 'is truncated' }, 'is truncated'],
    [{ ...XML, fault: 'is truncated' }, 'is truncated'],
  ])('finds a fault in %j', async (content, message) => {
    for (const name of ['scan.json', 'scan.xml', 'scan', 'scan.jsonl']) {
      expect(await checkScan(content, name)).toEqual([
        { level: 'fault', message: `ScanJsonFile '${name}' ${message}.` },
      ]);
    }
  });
});

describe('checkContents of an inventory and a report', () => {
  test.each<[Content, Content]>([
    [makeBom(3, 0), PLAIN],
    [makeBom(3, 0), XML],
    [makeBom(3, 0), TEXT],
    [makeBom(3, 0), GRYPE],
    [makeBom(3, 0), makeBom(0, 3)],
    [makeBom(3, 0), makeBom(3, 0)],
    [makeBom(3, 0), makeBom(0, 0)],
    [makeBom(3, 2), makeBom(3, 2)],
    [makeBom(3, 2), GRYPE],
    [makeBom(3, 2), makeBom(3, 0)],
    [makeBom(3, 0), SPDX],
    [makeBom(), GRYPE],
    [makeBom(), makeBom()],
    [BOM_XML, PLAIN],
  ])('has nothing to say of %j and %j', async (inventory, report) => {
    expect(await checkPair(inventory, report)).toEqual([]);
  });

  test.each<[Content, string]>([
    [PLAIN, 'is not recognised as CycloneDX: it is JSON of no known format'],
    [XML, 'is not recognised as CycloneDX: it is XML of no known format'],
    [TEXT, 'is not recognised as CycloneDX: it is text'],
    [SPDX, 'is not recognised as CycloneDX: it is SPDX-2.3'],
    [GRYPE, 'is not recognised as CycloneDX: it is Grype'],
    [makeBom(0, 0), 'is an inventory without components'],
    [makeBom(0, 3), 'is an inventory without components'],
  ])('only warns of the inventory %j', async (inventory, message) => {
    expect(await checkPair(inventory, PLAIN)).toEqual([
      { level: 'warning', message: `DependenciesCDX 'bom' ${message}.` },
    ]);
  });

  test('finds the faults of both, and nothing else to say of those', async () => {
    const broken: Content = { ...PLAIN, fault: 'is not well-formed JSON (at byte 8)' };
    expect(await checkPair(broken, EMPTY, ['bom.xml', 'report.json'])).toEqual([
      { level: 'fault', message: "DependenciesCDX 'bom.xml' is not well-formed JSON (at byte 8)." },
      { level: 'fault', message: "VulnerabilitiesTool 'report.json' is empty (0 bytes)." },
    ]);
  });
});

describe('checkContents of a file that is not what its name says', () => {
  test.each<[string, Content, string]>([
    ['report.json', PAGE, 'is a web page (HTML), although its name ends in .json'],
    ['REPORT.JSON', TEXT, 'is text, although its name ends in .JSON'],
    ['report.sarif', TEXT, 'is text, although its name ends in .sarif'],
    ['report.xml', PAGE, 'is a web page (HTML), although its name ends in .xml'],
    ['report.jsonl.json', LINES, 'is several values, although its name ends in .json'],
    ['report.xml', LINES, 'is several values, although its name ends in .xml'],
    ['report.jsonl', { ...LINES, fault: 'is truncated' }, 'is truncated'],
  ])('finds a fault in %s: %j', async (name, content, message) => {
    expect(await checkPair(makeBom(1, 0), content, ['bom', name])).toEqual([
      { level: 'fault', message: `VulnerabilitiesTool '${name}' ${message}.` },
    ]);
  });

  test('only warns of one document language in place of the other', async () => {
    expect(await checkPair(BOM_XML, GRYPE, ['bom.json', 'report.xml'])).toEqual([
      {
        level: 'warning',
        message:
          "DependenciesCDX 'bom.json' is CycloneDX 1.6 in XML, although its name ends in .json.",
      },
      {
        level: 'warning',
        message:
          "VulnerabilitiesTool 'report.xml' is Grype in JSON, although its name ends in .xml.",
      },
    ]);
  });

  test.each(['report', 'report.html', 'report.json.gz', 'report.xml.zip', 'report.txt', 'json'])(
    'has nothing to say of text that is called %s',
    async (name) => {
      expect(await checkPair(makeBom(1, 0), TEXT, ['bom', name])).toEqual([]);
    },
  );

  test.each(['report', 'report.txt', 'report.html.cdx', 'html'])(
    'finds a fault in a web page that is called %s',
    async (name) => {
      const message = (part: string): string =>
        `${part} '${name}' is a web page (HTML), not a scan.`;
      expect(await checkPair(makeBom(1, 0), PAGE, ['bom', name])).toEqual([
        { level: 'fault', message: message('VulnerabilitiesTool') },
      ]);
      expect(await checkPair(PAGE, GRYPE, [name, 'report'])).toMatchObject([
        { level: 'fault', message: message('DependenciesCDX') },
        { level: 'warning' },
      ]);
    },
  );

  test.each(['report.html', 'REPORT.HTM', 'report.xhtml'])(
    'takes a web page that is called %s for what is meant',
    async (name) => {
      expect(await checkPair(makeBom(1, 0), PAGE, ['bom', name])).toEqual([]);
    },
  );

  test.each(['report.ndjson', 'report.jsonl', 'report.txt', 'report'])(
    'takes NDJSON that is called %s for what is meant',
    async (name) => {
      expect(await checkPair(makeBom(1, 0), LINES, ['bom', name])).toEqual([]);
      expect(await checkPair(LINES, GRYPE, [name, 'report'])).toEqual([
        {
          level: 'warning',
          message: `DependenciesCDX '${name}' is not recognised as CycloneDX: it is several values.`,
        },
      ]);
    },
  );
});

describe('checkContents of a swapped pair', () => {
  test.each<[Content, Content, string, string]>([
    [
      makeBom(0, 1),
      makeBom(2, 0),
      'a report (CycloneDX 1.6: 0 components, 1 vulnerability)',
      'an inventory (CycloneDX 1.6: 2 components, 0 vulnerabilities)',
    ],
    [
      GRYPE,
      makeBom(2, 0),
      'a report (Grype: 0 findings)',
      'an inventory (CycloneDX 1.6: 2 components, 0 vulnerabilities)',
    ],
    [
      makeContent({ format: 'sarif', specVersion: '2.1.0', inspected: 'partial' }),
      makeBom(1, 0),
      'a report (SARIF 2.1.0: not read to its end)',
      'an inventory (CycloneDX 1.6: 1 component, 0 vulnerabilities)',
    ],
    [GRYPE, SPDX, 'a report (Grype: 0 findings)', 'an inventory (SPDX-2.3: 2 components)'],
  ])('says so, and nothing else: %j and %j', async (inventory, report, first, second) => {
    expect(await checkPair(inventory, report)).toEqual([
      {
        level: 'fault',
        message: `DependenciesCDX 'bom' is ${first}, and VulnerabilitiesTool 'report' is ${second}: swap these two inputs, dependencies-file and vulnerabilities-file.`,
      },
    ]);
  });

  test('says which is which where their inputs do not name them', async () => {
    const dependencies = await makeScanFile({ name: 'vex', content: makeBom(0, 1) });
    const vulnerabilities = await makeScanFile({ name: 'spdx', content: SPDX });
    const plan = makePlan('upload-multiple-files', dependencies, vulnerabilities);
    expect(checkContents(plan)).toEqual([
      {
        level: 'fault',
        message: expect.stringMatching(
          /: name them instead of files, the inventory as dependencies-file and the report as vulnerabilities-file\.$/,
        ),
      },
    ]);
  });

  test('still names a fault of either', async () => {
    const broken: Content = { ...makeBom(2, 0), fault: 'is truncated' };
    const messages = (await checkPair(GRYPE, broken)).map(({ message }) => message);
    expect(messages).toEqual([
      "VulnerabilitiesTool 'report' is truncated.",
      expect.stringMatching(/swap these two inputs/),
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
  ])('is not reported for %j and %j', async (inventory, report) => {
    const findings = await checkPair(inventory, report);
    expect(findings.map(({ level }) => level)).toEqual(['warning']);
  });
});
