import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ACTION, makeWorkspace } from '../support/run-action.ts';

const CHECKER = join(ACTION, 'scripts', 'check-workflows.ts');
const EXAMPLES = join(ACTION, 'examples');
const THIS_ACTION = 'your-org/scan-upload-action@v1';

interface Check {
  readonly exitCode: number | null;
  readonly lines: readonly string[];
}

function check(folder: string, ...files: readonly string[]): Check {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECKER, ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { exitCode: status, lines: stdout.trimEnd().split('\n') };
}

async function checkOne(workflow: string): Promise<Check> {
  return check(await makeWorkspace({ 'w.yml': workflow }), 'w.yml');
}

/** A workflow whose steps begin at line 6. */
function makeWorkflow(...steps: readonly string[]): string {
  const head = ['on: push', 'jobs:', '  scan:', '    runs-on: ubuntu-latest', '    steps:'];
  return [...head, ...steps.map((line) => `      ${line}`), ''].join('\n');
}

function makeUpload(...inputs: readonly string[]): readonly string[] {
  return [
    `- uses: ${THIS_ACTION}`,
    '  id: upload',
    '  with:',
    ...inputs.map((input) => `    ${input}`),
  ];
}

const UPLOAD = makeUpload(
  'base-url: https://scans.example.com',
  'scan-key: ${{ vars.SCAN_KEY }}',
  'scan-file: report.json',
);

/** One fault each: its message, or how that begins, after the name of the file. */
const CASES = [
  {
    name: 'an input that action.yml does not have',
    steps: [...UPLOAD, '    scan_key: 4711'],
    fault: '12:11: action.yml has no input "scan_key"',
  },
  {
    name: 'an unknown input of the action in the repository itself',
    steps: [...UPLOAD.map((line) => line.replace(THIS_ACTION, './')), '    tokne: x'],
    fault: '12:11: action.yml has no input "tokne"',
  },
  {
    name: 'a required input that is missing',
    steps: makeUpload('scan-key: ${{ vars.SCAN_KEY }}', 'scan-file: report.json'),
    fault: '6:15: the required input "base-url" is missing',
  },
  {
    name: 'no scan',
    steps: makeUpload('base-url: https://scans.example.com', 'scan-file: report.json'),
    fault: '6:15: exactly one of scan-key and scans is needed, not 0',
  },
  {
    name: 'one scan and many',
    steps: [...UPLOAD, '    scans: scans.json'],
    fault: '6:15: exactly one of scan-key and scans is needed, not 2',
  },
  {
    name: 'an output that action.yml does not have, in a block',
    steps: [
      ...UPLOAD,
      '- env:',
      '    TEXT: |',
      '      one line',
      '      ${{ steps.upload.outputs.succeeded }}',
      '  run: echo "$TEXT"',
    ],
    fault: '15:17: action.yml has no output "succeeded"',
  },
  {
    name: 'such an output in brackets, in a condition',
    steps: [...UPLOAD, "- if: steps.upload.outputs['url'] != ''", '  run: exit 1'],
    fault: '12:13: action.yml has no output "url"',
  },
  {
    name: 'an action by a tag',
    steps: ['- uses: actions/checkout@v6'],
    fault: '6:15: "actions/checkout@v6" is not pinned to a full commit',
  },
  {
    name: 'a pin that does not tell its version',
    steps: ['- uses: o/r@de0fac2e4500dabe0009e67214ff5f5447ce83dd'],
    fault: expect.stringMatching(/^6:59: the pin of "o\/r@.*" does not tell its version/),
  },
  {
    name: 'a step that is not there',
    steps: ['- run: echo "${{ steps.nothing.outputs.uploaded }}"'],
    fault: expect.stringMatching(/^6:24: property "nothing" is not defined/),
  },
  {
    name: 'untrusted text in a script',
    steps: ['- run: echo "${{ github.event.pull_request.title }}"'],
    fault: expect.stringMatching(/^6:24: .* is potentially untrusted/),
  },
  {
    name: 'an unknown key',
    steps: ['- run: exit', '  if-not: true'],
    fault: expect.stringMatching(/^7:9: unexpected key "if-not" for "step" section/),
  },
  {
    name: 'a whole address where GitHub reads the workflow',
    steps: ['- uses: https://github.com/o/r@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2'],
    fault: expect.stringMatching(/^6:15: specifying action "https:.* in invalid format/),
  },
];

let cases: Promise<Check> | undefined;

/** All cases in one run, each in a file of its number. */
function checkCases(): Promise<Check> {
  cases ??= (async () => {
    const files = Object.fromEntries(
      CASES.map(({ steps }, index) => [`${index}.yml`, makeWorkflow(...steps)]),
    );
    return check(await makeWorkspace(files), ...Object.keys(files));
  })();
  return cases;
}

describe('npm run lint:workflows', () => {
  test("finds the project's workflows and nothing wrong with them", () => {
    const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yml'));
    const own = readdirSync(join(ACTION, '.github', 'workflows'));
    expect(check(ACTION)).toEqual({
      exitCode: 0,
      lines: [`${examples.length + own.length} workflows, 0 faults`],
    });
  });

  test('passes a step that is in order', async () => {
    const workflow = makeWorkflow(
      ...UPLOAD,
      '- env:',
      '    RESULTS: ${{ steps.upload.outputs.results }}',
      '  run: echo "$RESULTS"',
    );
    expect(await checkOne(workflow)).toEqual({ exitCode: 0, lines: ['1 workflows, 0 faults'] });
  });

  test.each(CASES)('points at $name', async ({ fault }) => {
    const { exitCode, lines } = await checkCases();
    const index = CASES.findIndex((other) => other.fault === fault);
    const own = lines.filter((line) => line.startsWith(`${index}.yml:`));
    expect(own.map((line) => line.slice(`${index}.yml:`.length))).toEqual([fault]);
    expect(lines.at(-1)).toBe(`${CASES.length} workflows, ${CASES.length} faults`);
    expect(exitCode).toBe(1);
  });

  test('points at what is not YAML', async () => {
    const { exitCode, lines } = await checkOne('on: push\njobs: [\n');
    expect(lines).toContainEqual(expect.stringMatching(/^w\.yml:2:0: could not parse as YAML/));
    expect(lines).toContainEqual(expect.stringMatching(/^w\.yml:3:1: not YAML: /));
    expect(exitCode).toBe(1);
  });

  test('does not pass a folder without workflows', async () => {
    expect(check(await makeWorkspace())).toEqual({
      exitCode: 1,
      lines: ['0 workflows, 0 faults'],
    });
  });

  test('reads the inputs of every example', async () => {
    const sources = readdirSync(EXAMPLES)
      .filter((name) => name.endsWith('.yml'))
      .map((name) => [name, readFileSync(join(EXAMPLES, name), 'utf8')] as const)
      .filter(([, source]) => source.includes('your-org/'));
    const folder = await makeWorkspace(
      Object.fromEntries(
        sources.map(([name, source]) => [name, source.replace('base-url:', 'url:')]),
      ),
    );
    const { lines } = check(folder, ...sources.map(([name]) => name));
    for (const [name] of sources) {
      const own = lines.filter((line) => line.startsWith(`${name}:`));
      expect(own).toEqual([
        expect.stringContaining('action.yml has no input "url"'),
        expect.stringContaining('the required input "base-url" is missing'),
      ]);
    }
    expect(sources.length).toBeGreaterThan(10);
  });
});
