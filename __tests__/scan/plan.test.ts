import { describe, expect, test } from '@jest/globals';
import { FileError } from '../../src/errors.ts';
import type { Content } from '../../src/scan/content/content.ts';
import type { FileInput } from '../../src/scan/find.ts';
import { describePart, planUpload } from '../../src/scan/plan.ts';
import type { UploadPlan } from '../../src/scan/plan.ts';
import { makeScanFile } from './fixtures.ts';

const SETTLING =
  'One file, or two of which exactly one is CycloneDX, can be told apart. ' +
  'Name them instead: scan-file, or dependencies-file with vulnerabilities-file.';

type Format = Content['format'];

/** Plans files that are named after their place in the list and their format. */
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
        content: { format },
      }),
    ),
  );
  return planUpload(files, unopened);
}

function show({ operation, parts }: UploadPlan): readonly string[] {
  return [operation, ...parts.map(({ part, file }) => `${part}=${file.name}`)];
}

describe('planUpload, by role', () => {
  test.each<[Format]>([['json'], ['cyclonedx'], ['xml'], ['empty'], ['unknown']])(
    'sends scan-file alone, whatever it holds (%s)',
    async (format) => {
      expect(show(await plan([format], ['scan-file']))).toEqual([
        'upload-file',
        `ScanJsonFile=0.${format}`,
      ]);
    },
  );

  test.each<[Format, Format]>([
    ['cyclonedx', 'json'],
    ['json', 'cyclonedx'],
    ['cyclonedx', 'cyclonedx'],
    ['json', 'json'],
    ['unknown', 'empty'],
  ])('sends inventory and report as they were named (%s, %s)', async (inventory, report) => {
    const roles: readonly FileInput[] = ['dependencies-file', 'vulnerabilities-file'];
    const expected = [
      'upload-multiple-files',
      `DependenciesCDX=0.${inventory}`,
      `VulnerabilitiesTool=1.${report}`,
    ];
    expect(show(await plan([inventory, report], roles))).toEqual(expected);
  });

  test('puts the inventory first, in whatever order they were found', async () => {
    expect(
      show(await plan(['json', 'json'], ['vulnerabilities-file', 'dependencies-file'])),
    ).toEqual(['upload-multiple-files', 'DependenciesCDX=1.json', 'VulnerabilitiesTool=0.json']);
  });

  test('refuses one file in both roles', async () => {
    const inventory = await makeScanFile({ input: 'dependencies-file', identity: '1:1' });
    const report = await makeScanFile({
      input: 'vulnerabilities-file',
      identity: '1:1',
      displayPath: 'copy.json',
    });
    expect(() => planUpload([inventory, report])).toThrow(FileError);
    expect(() => planUpload([inventory, report])).toThrow(
      /^DependenciesCDX 'scan\.json' and VulnerabilitiesTool 'copy\.json' are one and the same file: /,
    );
  });

  test('takes two files of the same name', async () => {
    const inventory = await makeScanFile({ input: 'dependencies-file', identity: '1:1' });
    const report = await makeScanFile({ input: 'vulnerabilities-file', identity: '1:2' });
    expect(planUpload([inventory, report]).parts).toEqual([
      { part: 'DependenciesCDX', file: inventory },
      { part: 'VulnerabilitiesTool', file: report },
    ]);
  });
});

describe('planUpload, by content', () => {
  test.each<[Format]>([['json'], ['cyclonedx'], ['xml'], ['empty'], ['unknown']])(
    'sends one file alone, whatever it holds (%s)',
    async (format) => {
      expect(show(await plan([format]))).toEqual(['upload-file', `ScanJsonFile=0.${format}`]);
    },
  );

  test.each<[Format]>([['json'], ['xml'], ['empty'], ['unknown']])(
    'takes the only CycloneDX document for the inventory, %s for the report',
    async (format) => {
      expect(show(await plan(['cyclonedx', format]))).toEqual([
        'upload-multiple-files',
        'DependenciesCDX=0.cyclonedx',
        `VulnerabilitiesTool=1.${format}`,
      ]);
      expect(show(await plan([format, 'cyclonedx']))).toEqual([
        'upload-multiple-files',
        'DependenciesCDX=1.cyclonedx',
        `VulnerabilitiesTool=0.${format}`,
      ]);
    },
  );

  test.each<[number, number]>([
    [0, 0],
    [0, 5],
    [5, 0],
    [5, 5],
  ])('never looks at what a scan found (%i, %i)', async (components, vulnerabilities) => {
    const content: Content = { format: 'cyclonedx', components, vulnerabilities };
    const inventory = await makeScanFile({ name: 'a', content });
    const report = await makeScanFile({ name: 'b' });
    expect(show(planUpload([report, inventory]))).toEqual([
      'upload-multiple-files',
      'DependenciesCDX=a',
      'VulnerabilitiesTool=b',
    ]);
    const second = await makeScanFile({ name: 'c', content: { format: 'cyclonedx' } });
    expect(() => planUpload([inventory, second])).toThrow(
      /^files found 2 files, and which is what cannot/,
    );
  });

  test.each<[readonly Format[], string]>([
    [['json', 'json'], "'0.json' (json), '1.json' (json)"],
    [['cyclonedx', 'cyclonedx'], "'0.cyclonedx' (cyclonedx), '1.cyclonedx' (cyclonedx)"],
    [['xml', 'unknown'], "'0.xml' (xml), '1.unknown' (unknown)"],
    [
      ['cyclonedx', 'json', 'empty'],
      "'0.cyclonedx' (cyclonedx), '1.json' (json), '2.empty' (empty)",
    ],
  ])('never guesses: %j', async (formats, listed) => {
    await expect(plan(formats)).rejects.toThrow(FileError);
    await expect(plan(formats)).rejects.toThrow(
      `files found ${formats.length} files, and which is what cannot be told: ${listed}. ${SETTLING}`,
    );
  });

  test('sends nothing where there is no file', async () => {
    await expect(plan([])).rejects.toThrow(FileError);
    await expect(plan([])).rejects.toThrow(/^files found 0 files/);
  });

  test.each([1, 15])('counts the files that were not opened (%i)', async (unopened) => {
    const formats = Array.from({ length: 10 }, (): Format => 'json');
    const message = await plan(formats, [], unopened).catch(String);
    expect(message).toContain(`files found ${10 + unopened} files, and which`);
    expect(message).toContain(`'9.json' (json) and ${unopened} more. One file, `);
  });

  test('does not take two names of one file for two', async () => {
    const inventory = await makeScanFile({ identity: '1:1', content: { format: 'cyclonedx' } });
    const report = await makeScanFile({ identity: '1:1' });
    expect(() => planUpload([inventory, report])).toThrow(/one and the same file/);
  });
});

describe('describePart', () => {
  test('names part and path', async () => {
    const file = await makeScanFile({ displayPath: 'reports/scan.json' });
    expect(describePart({ part: 'ScanJsonFile', file })).toBe("ScanJsonFile 'reports/scan.json'");
  });
});
