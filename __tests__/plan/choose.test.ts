import { expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import type { InspectedFile } from '../../src/formats/inspect.ts';
import { planUpload } from '../../src/plan/choose.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { makeBom, makeContent, makeScanFile } from '../support/scans.ts';

const CHECKED = { jobStart: -Infinity, contentCheck: 'error' } as const;
const PAIR = ['dependencies-file', 'vulnerabilities-file'];

/** Plans files with these contents, which are named after their index, and so many that were not inspected. */
async function plan(
  contents: readonly Content[],
  inputs: readonly string[] = [],
  others = 0,
  contentCheck: 'error' | 'warn' = 'warn',
): Promise<UploadPlan> {
  const files = contents.map(async (content, index) =>
    makeScanFile({ name: `${index}.json`, input: inputs[index] ?? 'files', content }),
  );
  const input = inputs[0] ?? 'files';
  const found = {
    files: await Promise.all(files),
    others: Array.from({ length: others }, () => ({ path: '/a', input, directory: '/' })),
  };
  return planUpload(found, { jobStart: -Infinity, contentCheck });
}

function listContents(formats: string): readonly Content[] {
  const known = ['cyclonedx', 'json', 'empty', 'unknown', 'grype', 'sarif', 'spdx', 'xml'] as const;
  const kinds = ['text', 'html'] as const;
  return formats.split(' ').flatMap((name) => {
    const kind = kinds.find((each) => each === name);
    if (kind !== undefined) return { format: 'unknown', inspected: 'full', kind } as const;
    return known.filter((format) => format === name).map((format) => makeContent({ format }));
  });
}

test.each<[string, readonly string[], ...string[]]>([
  ['json', ['scan-file'], 'ScanJsonFile=0'],
  ['json cyclonedx', PAIR, 'DependenciesCDX=0', 'VulnerabilitiesTool=1'],
  ['cyclonedx empty', PAIR.toReversed(), 'DependenciesCDX=1', 'VulnerabilitiesTool=0'],
  ['cyclonedx', [], 'ScanJsonFile=0'],
  ['empty', [], 'ScanJsonFile=0'],
  ['cyclonedx json', [], 'DependenciesCDX=0', 'VulnerabilitiesTool=1'],
  ['unknown cyclonedx', [], 'DependenciesCDX=1', 'VulnerabilitiesTool=0'],
])('files are planned: %s of %j', async (formats, inputs, ...parts) => {
  const planned = await plan(listContents(formats), inputs);
  expect(planned.operation.name).toBe(parts.length === 1 ? 'upload-file' : 'upload-multiple-files');
  expect(planned.parts.map(({ part, file }) => `${part.name}=${file.name[0]}`)).toEqual(parts);
});

test.each([
  [0, 5],
  [5, 0],
])('%i components and %i vulnerabilities do not change the plan', async (...counts) => {
  const planned = await plan([makeContent(), makeBom(...counts)]);
  expect(planned.parts.map(({ file }) => file.name)).toEqual(['1.json', '0.json']);
  await expect(plan([makeBom(), makeBom(...counts)])).rejects.toThrow(/^`files` matched 2 files\./);
});

const MATCH = [
  'Match one file, or set `dependencies-file` and `vulnerabilities-file`, or `scans` for a scan of each.',
];
const ONE = ['Make the pattern match one file.'];
const ALIKE = ['Name one of them, or set `scans` for a scan of each.'];

test.each<[string, string, readonly string[]]>([
  ['json json', 'files', MATCH],
  ['grype sarif', 'files', ALIKE],
  ['spdx grype', 'files', MATCH],
  ['cyclonedx cyclonedx', 'files', ALIKE],
  ['json xml grype', 'files', ["Only '2.json' is a known scan: name it in `files`."]],
  ['grype sarif', 'scan-file', ALIKE],
  ['grype cyclonedx', 'dependencies-file', ONE],
  ['text json', 'files', MATCH],
  ['grype cyclonedx', 'vulnerabilities-file', ONE],
])('files of the formats %j are refused by %s', async (formats, input, fixes) => {
  const contents = listContents(formats);
  const inputs = contents.map(() => input);
  await expect(plan(contents, inputs)).rejects.toMatchObject({
    situation: 'files',
    faults: expect.arrayContaining([`\`${input}\` matched ${contents.length} files.`]),
    fixes,
  });
});

const EMPTY = { format: 'empty', inspected: 'full', kind: 'empty', problem: 'is empty' } as const;
const REPORT = makeContent({ format: 'grype' });

test('a file of `files` that fails in any part is the cause, not how many there are', async () => {
  const text = makeContent({ kind: 'text' });
  const { syntax: _syntax, ...log } = text;
  await expect(plan([EMPTY, REPORT, log], [], 0, 'error')).rejects.toMatchObject({
    situation: 'contents',
    faults: ["'0.json' is empty.", "'2.json' is text, although its name ends in .json."],
    fixes: [
      expect.stringContaining('set `content-check: warn`'),
      'Correct `files`, or the step that writes the file.',
    ],
  });
  // To name the other file would upload it alone.
  await expect(plan([EMPTY, REPORT])).rejects.toMatchObject({ situation: 'files', fixes: MATCH });
});

test.each<[string, Partial<InspectedFile>]>([
  ['of one input', { input: 'scan-file' }],
  ['with a manifest', { name: 'tsconfig.json', isUnnamed: true }],
])('files %s are refused by their number, although one is malformed', async (_, details) => {
  const { input = 'files' } = details;
  const content = makeContent({ kind: 'malformed', problem: 'is malformed' });
  const files = [
    await makeScanFile({ content, ...details }),
    await makeScanFile({ input, content: REPORT }),
  ];
  const faults = expect.arrayContaining([`\`${input}\` matched 2 files.`]);
  expect(() => planUpload({ files, others: [] }, CHECKED)).toThrow(
    expect.objectContaining({ situation: 'files', faults }),
  );
});

test('the files of a refused plan are listed', async () => {
  const contents: readonly Content[] = [
    { ...makeBom(2, 1), tool: 'cdxgen 11.0' },
    makeContent({ format: 'yarn-audit', inspected: 'partial' }),
    makeContent(),
    { format: 'unknown', inspected: 'full', kind: 'colored' },
  ];
  const listed = [
    "'0.json' (CycloneDX 1.6)",
    "'1.json' (yarn audit)",
    "'2.json' (JSON of no known format)",
    "'3.json' (text with terminal colours (escape sequences))",
  ];
  await expect(plan(contents)).rejects.toMatchObject({
    faults: ['`files` matched 4 files.', ...listed],
    fixes: MATCH,
  });
  await expect(plan(contents, [], 3)).rejects.toMatchObject({
    faults: ['`files` matched 7 files.', ...listed, '... and 3 more'],
  });
});

test.each([[PAIR], [[]]])('the same file is no SBOM and report (%j)', async (inputs) => {
  const [dependencies = 'files', vulnerabilities = 'files'] = inputs;
  const sbom = await makeScanFile({ input: dependencies, identity: '1:1', content: makeBom() });
  const report = { input: vulnerabilities, displayPath: 'copy.json' };
  const same = await makeScanFile({ ...report, identity: '1:1' });
  expect(() => planUpload({ files: [sbom, same], others: [] }, CHECKED)).toThrow(
    expect.objectContaining({
      situation: 'contents',
      message: "SBOM 'scan.json' and Report 'copy.json' are the same file.",
      fixes: ['Give each part a file of its own, or upload the one file as `scan-file`.'],
    }),
  );
  // Another file may have the same name.
  const other = await makeScanFile({ ...report, identity: '1:2' });
  expect(planUpload({ files: [sbom, other], others: [] }, CHECKED).parts).toHaveLength(2);
});

test('no plan leaves out files that were not inspected', async () => {
  const file = makeContent({ format: 'grype' });
  const faults = expect.arrayContaining(['`scan-file` matched 3 files.']);
  await expect(plan([file], ['scan-file'], 2)).rejects.toMatchObject({ faults, fixes: MATCH });
  await expect(plan([], [], 3)).rejects.toMatchObject({ fixes: MATCH });
});
