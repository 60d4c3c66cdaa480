import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import type { FileInput } from '../../src/inputs/selection.ts';
import { describePart, planUpload } from '../../src/plan/plan.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { makeBom, makeContent } from '../support/contents.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';

const SETTLING =
  'Match one file, or exactly one CycloneDX file and one other; or name them: `scan-file`, or `dependencies-file` with `vulnerabilities-file`. To upload each file as a scan of its own, use `scans`.';

type Format = Content['format'];

/** Plans files that are named after their index and their format. */
async function plan(
  formats: readonly Format[],
  inputs: readonly FileInput[] = [],
  unopened = 0,
): Promise<UploadPlan> {
  const files = await Promise.all(
    formats.map(async (format, index) =>
      makeScanFile({
        name: `${index}.${format}`,
        input: inputs[index] ?? 'files',
        content: makeContent({ format }),
      }),
    ),
  );
  return planUpload(files, unopened);
}

function show({ operation, parts }: UploadPlan): readonly string[] {
  return [operation.name, ...parts.map(({ part, file }) => `${part.name}=${file.name}`)];
}

describe('planUpload by input', () => {
  test.each<[readonly Format[], readonly FileInput[], readonly string[]]>([
    [['json'], ['scan-file'], ['upload-file', 'ScanJsonFile=0.json']],
    [['cyclonedx'], ['scan-file'], ['upload-file', 'ScanJsonFile=0.cyclonedx']],
    [['empty'], ['scan-file'], ['upload-file', 'ScanJsonFile=0.empty']],
    [
      ['json', 'cyclonedx'],
      ['dependencies-file', 'vulnerabilities-file'],
      ['upload-multiple-files', 'DependenciesCDX=0.json', 'VulnerabilitiesTool=1.cyclonedx'],
    ],
    [
      ['cyclonedx', 'cyclonedx'],
      ['dependencies-file', 'vulnerabilities-file'],
      ['upload-multiple-files', 'DependenciesCDX=0.cyclonedx', 'VulnerabilitiesTool=1.cyclonedx'],
    ],
    [
      ['cyclonedx', 'empty'],
      ['vulnerabilities-file', 'dependencies-file'],
      ['upload-multiple-files', 'DependenciesCDX=1.empty', 'VulnerabilitiesTool=0.cyclonedx'],
    ],
  ])(
    'assigns files of the formats %j to parts by the inputs %j',
    async (formats, inputs, expected) => {
      expect(show(await plan(formats, inputs))).toEqual(expected);
    },
  );

  test('refuses the same file for both parts', async () => {
    const sbom = await makeScanFile({ input: 'dependencies-file', identity: '1:1' });
    const report = await makeScanFile({
      input: 'vulnerabilities-file',
      identity: '1:1',
      displayPath: 'copy.json',
    });
    expect(() => planUpload([sbom, report])).toThrow(
      expect.objectContaining({
        situation: 'contents',
        message:
          "DependenciesCDX 'scan.json' and VulnerabilitiesTool 'copy.json' are the same file.",
        fixes: ['Give each part a file of its own.'],
      }),
    );
  });

  test('accepts two files with one name', async () => {
    const sbom = await makeScanFile({ input: 'dependencies-file', identity: '1:1' });
    const report = await makeScanFile({ input: 'vulnerabilities-file', identity: '1:2' });
    expect(planUpload([sbom, report]).parts).toEqual([
      { part: expect.objectContaining({ name: 'DependenciesCDX' }), file: sbom },
      { part: expect.objectContaining({ name: 'VulnerabilitiesTool' }), file: report },
    ]);
  });
});

describe('planUpload by content', () => {
  test.each<[readonly Format[], readonly string[]]>([
    [['json'], ['upload-file', 'ScanJsonFile=0.json']],
    [['cyclonedx'], ['upload-file', 'ScanJsonFile=0.cyclonedx']],
    [['empty'], ['upload-file', 'ScanJsonFile=0.empty']],
    [
      ['cyclonedx', 'json'],
      ['upload-multiple-files', 'DependenciesCDX=0.cyclonedx', 'VulnerabilitiesTool=1.json'],
    ],
    [
      ['unknown', 'cyclonedx'],
      ['upload-multiple-files', 'DependenciesCDX=1.cyclonedx', 'VulnerabilitiesTool=0.unknown'],
    ],
  ])(
    'plans %j with the only CycloneDX document of two files as the SBOM',
    async (formats, expected) => {
      expect(show(await plan(formats))).toEqual(expected);
    },
  );

  test.each<[number, number]>([
    [0, 0],
    [0, 5],
    [5, 0],
    [5, 5],
  ])(
    'ignores the numbers of components and vulnerabilities (%i, %i)',
    async (components, vulnerabilities) => {
      const content = makeBom(components, vulnerabilities);
      const sbom = await makeScanFile({ name: 'a', content });
      const report = await makeScanFile({ name: 'b' });
      expect(show(planUpload([report, sbom]))).toEqual([
        'upload-multiple-files',
        'DependenciesCDX=a',
        'VulnerabilitiesTool=b',
      ]);
      const second = await makeScanFile({ name: 'c', content: makeBom() });
      expect(() => planUpload([sbom, second])).toThrow(/^`files` matched 2 files\./);
    },
  );

  test.each<[readonly Format[]]>([
    [['json', 'json']],
    [['cyclonedx', 'cyclonedx']],
    [['grype', 'sarif']],
    [['spdx', 'grype']],
    [['xml', 'unknown']],
    [['cyclonedx', 'json', 'empty']],
    [[]],
  ])('refuses %j', async (formats) => {
    await expect(plan(formats)).rejects.toMatchObject({
      situation: 'files',
      problems: expect.arrayContaining([`\`files\` matched ${formats.length} files.`]),
      fixes: [SETTLING],
    });
  });

  test('lists each file with its content', async () => {
    const contents: readonly Content[] = [
      { ...makeBom(2, 1), tool: 'cdxgen 11.0' },
      makeContent({ format: 'sarif', specVersion: '2.1.0', findings: 1 }),
      makeContent({ format: 'npm-audit', inspected: 'partial' }),
      makeContent(),
      { format: 'unknown', inspected: 'full', kind: 'html' },
      { format: 'empty', inspected: 'full', problem: 'is empty (0 bytes)' },
      makeContent({ problem: 'is truncated' }),
      { format: 'unknown', inspected: 'full', kind: 'utf-16', problem: 'is UTF-16, as is known' },
    ];
    const files = await Promise.all(
      contents.map((content, index) => makeScanFile({ name: `${index}.json`, content })),
    );
    const thrown = await Promise.resolve()
      .then(() => planUpload(files, 3))
      .catch((error: unknown) => error);
    expect(thrown).toHaveProperty('problems', [
      '`files` matched 11 files.',
      "'0.json': CycloneDX 1.6, 2 components, 1 vulnerability",
      "'1.json': SARIF 2.1.0, 1 finding",
      "'2.json': npm audit, not read to its end",
      "'3.json': JSON of no known format",
      "'4.json': a web page (HTML)",
      "'5.json': empty (0 bytes)",
      "'6.json': JSON of no known format, is truncated",
      "'7.json': UTF-16, as is known",
      '... and 3 more',
    ]);
  });

  test.each([1, 15])('counts the files that were not opened (%i)', async (unopened) => {
    const formats = Array.from({ length: 10 }, (): Format => 'json');
    const message = await plan(formats, [], unopened).catch(String);
    expect(message).toContain(`\`files\` matched ${10 + unopened} files.`);
    expect(message).toMatch(new RegExp(`'9.json': JSON .* and ${unopened} more$`));
  });

  test('counts no further files if all were opened', async () => {
    const message = await plan(['json', 'json']).catch(String);
    expect(message).toMatch(/'1\.json': JSON of no known format$/);
  });

  test('refuses two names of one file', async () => {
    const sbom = await makeScanFile({ identity: '1:1', content: makeBom() });
    const report = await makeScanFile({ identity: '1:1' });
    expect(() => planUpload([sbom, report])).toThrow(/are the same file/);
  });
});

describe('describePart', () => {
  test('returns part and path', async () => {
    const file = await makeScanFile({ displayPath: 'reports/scan.json' });
    const [part] = makePlan('upload-file', file).parts;
    expect(part && describePart(part)).toBe("ScanJsonFile 'reports/scan.json'");
  });
});
