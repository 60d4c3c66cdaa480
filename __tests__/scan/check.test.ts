import { describe, expect, test } from '@jest/globals';
import { checkContents } from '../../src/scan/check.ts';
import type { Finding } from '../../src/scan/check.ts';
import type { Content } from '../../src/scan/content/content.ts';
import { makeScanFile } from './fixtures.ts';

const JSON_FILE: Content = { format: 'json', syntax: 'json' };
const XML_FILE: Content = { format: 'xml', syntax: 'xml' };
const UNKNOWN: Content = { format: 'unknown' };
const INVENTORY = makeBom(3, 0);
const REPORT = makeBom(0, 3);

function makeBom(components: number, vulnerabilities: number): Content {
  return { format: 'cyclonedx', syntax: 'json', components, vulnerabilities };
}

async function checkScan(content: Content): Promise<readonly Finding[]> {
  const file = await makeScanFile({ name: 'scan.json', content });
  return checkContents({ operation: 'upload-file', parts: [{ part: 'ScanJsonFile', file }] });
}

async function checkPair(inventory: Content, report: Content): Promise<readonly Finding[]> {
  return checkContents({
    operation: 'upload-multiple-files',
    parts: [
      {
        part: 'DependenciesCDX',
        file: await makeScanFile({ name: 'bom.json', content: inventory }),
      },
      {
        part: 'VulnerabilitiesTool',
        file: await makeScanFile({ name: 'report.json', content: report }),
      },
    ],
  });
}

describe('checkContents of a scan file', () => {
  test.each([[JSON_FILE], [INVENTORY], [REPORT], [makeBom(0, 0)]])(
    'has nothing to say of JSON: %j',
    async (content) => {
      expect(await checkScan(content)).toEqual([]);
    },
  );

  test.each<[Content, string]>([
    [XML_FILE, 'is not JSON (xml)'],
    [UNKNOWN, 'is not JSON (unknown)'],
    [{ format: 'cyclonedx', syntax: 'xml' }, 'is not JSON (cyclonedx)'],
    [{ format: 'empty', fault: 'is empty (0 bytes)' }, 'is empty (0 bytes)'],
    [{ ...JSON_FILE, fault: 'is cut off' }, 'is cut off'],
    [{ ...XML_FILE, fault: 'is cut off' }, 'is cut off'],
  ])('finds a fault in %j', async (content, message) => {
    expect(await checkScan(content)).toEqual([
      { level: 'fault', message: `ScanJsonFile 'scan.json' ${message}.` },
    ]);
  });
});

describe('checkContents of an inventory and a report', () => {
  test.each<[Content, Content]>([
    [INVENTORY, JSON_FILE],
    [INVENTORY, XML_FILE],
    [INVENTORY, UNKNOWN],
    [INVENTORY, REPORT],
    [INVENTORY, INVENTORY],
    [INVENTORY, makeBom(0, 0)],
    [makeBom(3, 2), makeBom(3, 2)],
    [makeBom(0, 3), REPORT],
    [makeBom(0, 3), makeBom(3, 3)],
    [makeBom(0, 3), JSON_FILE],
    [{ format: 'cyclonedx', syntax: 'xml', specVersion: '1.5' }, JSON_FILE],
    [{ format: 'cyclonedx', syntax: 'json' }, INVENTORY],
    [REPORT, { format: 'cyclonedx', syntax: 'json' }],
    [REPORT, { format: 'cyclonedx', vulnerabilities: 0 }],
    [{ format: 'cyclonedx', components: 0 }, INVENTORY],
  ])('has nothing to say of %j and %j', async (inventory, report) => {
    expect(await checkPair(inventory, report)).toEqual([]);
  });

  test.each<[Content, string]>([
    [JSON_FILE, 'is not recognised as CycloneDX (json)'],
    [XML_FILE, 'is not recognised as CycloneDX (xml)'],
    [UNKNOWN, 'is not recognised as CycloneDX (unknown)'],
    [makeBom(0, 0), 'is an inventory without components'],
  ])('only warns of the inventory %j', async (inventory, message) => {
    expect(await checkPair(inventory, JSON_FILE)).toEqual([
      { level: 'warning', message: `DependenciesCDX 'bom.json' ${message}.` },
    ]);
  });

  test('finds the faults of both, and nothing else to say of those', async () => {
    const broken: Content = { ...JSON_FILE, fault: 'is not well-formed JSON (at byte 8)' };
    const empty: Content = { format: 'empty', fault: 'is empty (0 bytes)' };
    expect(await checkPair(broken, empty)).toEqual([
      {
        level: 'fault',
        message: "DependenciesCDX 'bom.json' is not well-formed JSON (at byte 8).",
      },
      { level: 'fault', message: "VulnerabilitiesTool 'report.json' is empty (0 bytes)." },
    ]);
  });

  test('finds a fault in a pair that is swapped', async () => {
    expect(await checkPair(makeBom(0, 1), makeBom(1, 0))).toEqual([
      {
        level: 'fault',
        message:
          'The inventory holds vulnerabilities without components and the report components without vulnerabilities: swap dependencies-file and vulnerabilities-file.',
      },
    ]);
  });
});
