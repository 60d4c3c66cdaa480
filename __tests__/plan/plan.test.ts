import { describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import type { FileInput } from '../../src/inputs/selection.ts';
import { planUpload } from '../../src/plan/plan.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import type { Operation } from '../../src/service/operations.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { makeBom, makeContent } from '../support/contents.ts';
import { makeScanFile } from '../support/plans.ts';

const SETTLING =
  'Match one file, or exactly one CycloneDX file and one other; or name them: `scan-file`, or `dependencies-file` with `vulnerabilities-file`. To upload each file as a scan of its own, use `scans`.';
const PAIR: readonly FileInput[] = ['dependencies-file', 'vulnerabilities-file'];

/** Plans files with these contents, which are named after their index. */
async function plan(
  contents: readonly Content[],
  inputs: readonly FileInput[] = [],
  unopened = 0,
): Promise<UploadPlan> {
  const files = contents.map(async (content, index) =>
    makeScanFile({ name: `${index}.json`, input: inputs[index] ?? 'files', content }),
  );
  return planUpload(await Promise.all(files), unopened);
}

function listContents(formats: string): readonly Content[] {
  const known = ['cyclonedx', 'json', 'empty', 'unknown', 'grype', 'sarif', 'spdx', 'xml'] as const;
  return formats.split(' ').flatMap((name) => {
    return known.filter((format) => format === name).map((format) => makeContent({ format }));
  });
}

test.each<[string, readonly FileInput[], ...string[]]>([
  ['json', ['scan-file'], 'ScanJsonFile=0'],
  ['cyclonedx', ['scan-file'], 'ScanJsonFile=0'],
  ['empty', ['scan-file'], 'ScanJsonFile=0'],
  ['json cyclonedx', PAIR, 'DependenciesCDX=0', 'VulnerabilitiesTool=1'],
  ['cyclonedx cyclonedx', PAIR, 'DependenciesCDX=0', 'VulnerabilitiesTool=1'],
  ['cyclonedx empty', PAIR.toReversed(), 'DependenciesCDX=1', 'VulnerabilitiesTool=0'],
  ['json', [], 'ScanJsonFile=0'],
  ['cyclonedx', [], 'ScanJsonFile=0'],
  ['empty', [], 'ScanJsonFile=0'],
  ['cyclonedx json', [], 'DependenciesCDX=0', 'VulnerabilitiesTool=1'],
  ['unknown cyclonedx', [], 'DependenciesCDX=1', 'VulnerabilitiesTool=0'],
])('files of the formats %s of the inputs %j are planned', async (formats, inputs, ...parts) => {
  const planned = await plan(listContents(formats), inputs);
  expect(planned.operation.name).toBe(parts.length === 1 ? 'upload-file' : 'upload-multiple-files');
  expect(planned.parts.map(({ part, file }) => `${part.name}=${file.name[0]}`)).toEqual(parts);
});

describe('a third operation with one part', () => {
  // Its names are not in the table yet.
  const [third] = OPERATIONS.map((operation): Operation => {
    const parts = operation.parts.map((part) =>
      Object.assign({ ...part }, { name: 'Sbom', input: 'sbom-file' }),
    );
    return Object.assign({ ...operation }, { name: 'upload-sbom', isForFiles: false, parts });
  });
  const operations = third === undefined ? [] : [third, ...OPERATIONS];

  test.each([
    ['sbom-file', 'upload-sbom', 'Sbom'],
    ['scan-file', 'upload-file', 'ScanJsonFile'],
    ['files', 'upload-file', 'ScanJsonFile'],
  ])('is chosen by its input alone: %s', async (input, operation, name) => {
    const file = Object.assign(await makeScanFile({ content: makeContent() }), { input });
    const planned = planUpload([file], 0, operations);
    expect(planned.operation.name).toBe(operation);
    expect(planned.parts.map((each) => each.part.name)).toEqual([name]);
  });

  test.each([[['sbom-file', 'scan-file']], [['sbom-file', 'sbom-file']], [['other']], [[]]])(
    'has no plan without a file for each part, and a part for each file: %j',
    async (inputs) => {
      const content = makeContent();
      const made = inputs.map(async (input) =>
        Object.assign(await makeScanFile({ content }), { input }),
      );
      const files = await Promise.all(made);
      expect(() => planUpload(files, 0, operations)).toThrow(/^`files` matched/);
    },
  );
});

test.each([
  [0, 0],
  [0, 5],
  [5, 0],
  [5, 5],
])('%i components and %i vulnerabilities do not change the plan', async (...counts) => {
  const planned = await plan([makeContent(), makeBom(...counts)]);
  expect(planned.parts.map(({ file }) => file.name)).toEqual(['1.json', '0.json']);
  await expect(plan([makeBom(), makeBom(...counts)])).rejects.toThrow(/^`files` matched 2 files\./);
});

test.each([
  'json json',
  'cyclonedx cyclonedx',
  'grype sarif',
  'spdx grype',
  'xml unknown',
  'cyclonedx json empty',
  '',
])('files of the formats %j are refused', async (formats) => {
  const contents = listContents(formats);
  await expect(plan(contents)).rejects.toMatchObject({
    situation: 'files',
    problems: expect.arrayContaining([`\`files\` matched ${contents.length} files.`]),
    fixes: [SETTLING],
  });
});

describe('the files of a refused plan', () => {
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
  const listed = [
    "'0.json': CycloneDX 1.6, 2 components, 1 vulnerability",
    "'1.json': SARIF 2.1.0, 1 finding",
    "'2.json': npm audit, not counted",
    "'3.json': JSON of no known format",
    "'4.json': a web page (HTML)",
    "'5.json': empty (0 bytes)",
    "'6.json': JSON of no known format, is truncated",
    "'7.json': UTF-16, as is known",
  ];

  test.each([
    [0, 8, []],
    [1, 9, ['... and 1 more']],
  ])('are listed, and counted with %i that were not opened', async (unopened, count, more) => {
    const problems = [`\`files\` matched ${count} files.`, ...listed, ...more];
    await expect(plan(contents, [], unopened)).rejects.toHaveProperty('problems', problems);
  });
});

test.each([[PAIR], [[]]])('the same file is no SBOM and report (%j)', async (inputs) => {
  const [dependencies = 'files', vulnerabilities = 'files'] = inputs;
  const sbom = await makeScanFile({ input: dependencies, identity: '1:1', content: makeBom() });
  const report = { input: vulnerabilities, displayPath: 'copy.json' };
  const same = await makeScanFile({ ...report, identity: '1:1' });
  expect(() => planUpload([sbom, same])).toThrow(
    expect.objectContaining({
      situation: 'contents',
      message: "DependenciesCDX 'scan.json' and VulnerabilitiesTool 'copy.json' are the same file.",
      fixes: ['Give each part a file of its own, or upload the one file as `scan-file`.'],
    }),
  );
  // Another file may have the same name.
  const other = await makeScanFile({ ...report, identity: '1:2' });
  expect(planUpload([sbom, other]).parts).toHaveLength(2);
});
