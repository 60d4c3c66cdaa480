import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { readInputs } from '../../src/inputs/inputs.ts';
import { makeFolder } from '../support/directories.ts';
import { SECRET, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

// What a message says about inputs that are empty or have another name, and what it does not say.

isolateEnvironment();
beforeEach(() => {
  setInputs({
    'base-url': 'https://scans.example',
    'scan-key': SCAN_KEY,
    files: 'a',
    token: SECRET,
  });
  for (const name of ['ACTOR', 'EVENT_NAME', 'EVENT_PATH']) delete process.env[`GITHUB_${name}`];
});

/** The lines of the message about these inputs; none if they are accepted. */
async function explain(inputs: Texts): Promise<readonly string[]> {
  setInputs(inputs);
  return readInputs(import.meta.dirname).then(
    () => [],
    (error: unknown) => {
      if (error instanceof InputError) return [...error.problems, ...error.fixes];
      throw error;
    },
  );
}

const OTHER = 'is no input of this action: write';
const LISTED = 'Inputs that this action does not have:';
const URL_REQUIRED = '`base-url` is required. Set it to the URL of the service.';
const KEY_REQUIRED = '`scan-key` is required. Set it to the UUID of the scan.';
const TOKEN_REQUIRED =
  '`token` is empty. Set it to a secret, which a called workflow gets only by its name or with `secrets: inherit`. To upload without a token, set `auth: oidc` or `auth: none`.';
const EMPTY = expect.stringMatching(
  /^If an expression is empty, check the name in it, .*, has it; for `vars` as a variable, not as a secret\. The output of another job needs `outputs:` there and `needs:` here\.$/,
);

test.each<[Texts, ...unknown[]]>([
  // Names in another spelling.
  [{ 'base-url': '', base_url: 'https://a.example' }, `\`base_url\` ${OTHER} \`base-url\`.`],
  [
    { 'scan-key': '', scankey: SCAN_KEY, Max_Parallel: '2', retries: 'x' },
    `\`scankey\` ${OTHER} \`scan-key\`.`,
    `\`max_parallel\` ${OTHER} \`max-parallel\`.`,
  ],
  [{ dryrun: 'true' }, `\`dryrun\` ${OTHER} \`dry-run\`.`],
  [{ 'dry-run': 'true', dry_run: 'false' }, `\`dry_run\` ${OTHER} \`dry-run\`.`],
  [{ Token_: SECRET, token: '' }, `\`token_\` ${OTHER} \`token\`.`],
  // Those of a composite action.
  [{ base_url: ' https://scans.example\n', dry_run: '', scankey: SCAN_KEY }],
  // Other names.
  [{ url: 'a', 'base-urls': 'b', retry: '3', timeout: '1' }],
  [{ retries: 'x', url: 'a' }, expect.stringMatching(/^`retries` must be/)],
  [
    { 'base-url': '', url: 'https://a.example', 'API-Key': SECRET },
    URL_REQUIRED,
    `${LISTED} \`url\`, \`api-key\`.`,
    EMPTY,
  ],
  [
    { files: '', file: 'a.json' },
    'No files are named. Set `files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`.',
    `${LISTED} \`file\`.`,
    EMPTY,
  ],
  [
    { token: '', ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`x${at}`, ''])) },
    TOKEN_REQUIRED,
    expect.stringMatching(/ `x0`, .*, `x9` and 2 more\.$/),
    EMPTY,
  ],
  [
    { token: '', ['x'.repeat(51)]: '', ['y'.repeat(50)]: '' },
    TOKEN_REQUIRED,
    `${LISTED} \`${'y'.repeat(50)}\`.`,
    EMPTY,
  ],
  // Several that are missing.
  [
    { 'base-url': '', 'scan-key': '', token: '' },
    URL_REQUIRED,
    KEY_REQUIRED,
    TOKEN_REQUIRED,
    EMPTY,
  ],
  [
    { 'base-url': 'https://', 'scan-key': '', files: '', auth: 'none' },
    '`base-url` has no host name: an expression after https:// may be empty. Set it to the URL of the service.',
    '`scan-key`, `files` and `scans` are empty. Set `scan-key` to the UUID of the scan, and `files` to its files. If you set `scans`, its expression is empty.',
    EMPTY,
  ],
  [
    { 'scan-key': '', files: '', scans: '[{"scan-file":"a"},{"scan-file":"b"}]' },
    `scans[0]: ${KEY_REQUIRED}`,
    `scans[1]: ${KEY_REQUIRED}`,
    EMPTY,
  ],
  // A token that is empty, by what else is set.
  [
    { token: '', headers: `X-Trace: a\nX-Api-Key: ${SECRET}` },
    '`token` is empty. `headers` has a credential: set `token` to it, with `token-header: X-Api-Key`, or set `auth: none`.',
  ],
  [
    { token: '', headers: 'X-Api-Key:' },
    TOKEN_REQUIRED,
    '`headers`, line 1: X-Api-Key has no value (an empty secret?).',
    EMPTY,
  ],
  [
    { token: '', 'oidc-audience': 'a' },
    '`token` is empty. `oidc-audience` is set: set `auth: oidc` with it.',
  ],
  // Expressions with a brace or the dollar sign missing.
  ...['{{ vars.KEY }}', '${ vars.KEY }', 'vars.KEY', '${{vars.KEY}'].map(
    (text): [Texts, string] => [
      { 'scan-key': text },
      `\`scan-key\` is the text ${text}: write \${{ vars.KEY }}.`,
    ],
  ),
  // Values in each other's place.
  [
    { token: SCAN_KEY, 'scan-key': SECRET },
    '`scan-key` is not a UUID, but `token` is one: are they swapped?',
  ],
  [{ token: SCAN_KEY }],
  // Expressions without their braces.
  ...["github.event_name == 'push'", '!inputs.dry', "push != 'a'"].map((text): [Texts, string] => [
    { 'dry-run': text },
    `\`dry-run\` must be true or false, not '${text}'. Write \${{ ... }} around the whole expression.`,
  ]),
  [
    { 'scan-key': 'needs.a.outputs.key' },
    expect.stringMatching(/ Write \$\{\{ \.\.\. \}\} around/),
  ],
  [{ retries: '1.5' }, expect.stringMatching(/, not '1\.5'\.$/)],
])('says about %j: %j', async (inputs, ...lines) => {
  expect(await explain(inputs)).toEqual(lines);
});

test('says where a token belongs that is in the environment', async () => {
  process.env['SCAN_UPLOAD_TOKEN'] = SECRET;
  expect(await explain({ token: '' })).toEqual([
    '`token` is empty. SCAN_UPLOAD_TOKEN is in `env:`, which the action does not read: write `token:` under `with:`.',
  ]);
});

test('says where the secrets of Dependabot are', async () => {
  process.env['GITHUB_ACTOR'] = 'dependabot[bot]';
  expect(await explain({ token: '' })).toEqual([
    '`token` is empty. Runs for Dependabot get only its own secrets: save the token as a Dependabot secret too.',
  ]);
});

const FORK = [
  'This run for a fork has not all that an upload needs.',
  'Runs for forks get no secrets, no variables and no OIDC token, unless the repository sends them: set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`.',
];
const OIDC: Texts = { auth: 'oidc', token: '' };

test.each<[string, object, Texts, readonly unknown[]]>([
  ['a fork', pull('fork/a', true), { token: '', url: 'a', retries: 'x' }, FORK],
  ['a fork', pull('fork/a', true), { 'base-url': '', 'scan-key': '', token: '' }, FORK],
  ['a fork', pull('fork/a', true), OIDC, FORK],
  ['a fork', pull('fork/a', true), { ...OIDC, 'base-url': '' }, FORK],
  ['a fork', pull('fork/a', true), { retries: 'x' }, [expect.stringMatching(/^`retries`/)]],
  ['a fork', pull('fork/a', true), { ...OIDC, 'dry-run': 'true' }, []],
  ['a push', {}, { token: '' }, [TOKEN_REQUIRED, EMPTY]],
  ['a push', {}, OIDC, []],
  ['a branch', pull('base/a', false), { token: '' }, [TOKEN_REQUIRED, EMPTY]],
  ['a branch of a fork', pull('base/a', true), { token: '' }, [TOKEN_REQUIRED, EMPTY]],
  ['the original of a fork', pull('original/a', false), { token: '' }, [TOKEN_REQUIRED, EMPTY]],
])('in a run for %s, %j, says about %j: %j', async (_, event, inputs, lines) => {
  const path = join(await makeFolder(), 'event.json');
  writeFileSync(path, JSON.stringify(event));
  process.env['GITHUB_EVENT_PATH'] = path;
  expect(await explain(inputs)).toEqual(lines);
  // Such a run gets secrets.
  process.env['GITHUB_EVENT_NAME'] = 'pull_request_target';
  expect(await explain(inputs)).not.toEqual(FORK);
});

function pull(name: string, fork: boolean): object {
  const base = { repo: { full_name: 'base/a', fork: true } };
  return { pull_request: { head: { repo: { full_name: name, fork } }, base } };
}
