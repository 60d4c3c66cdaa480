import { describe, expect, test } from '@jest/globals';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { INVENTORY, REPORT } from '../support/samples.ts';

type Inputs = Readonly<Record<string, string>>;

/** Runs the action against a server that must not be reached, and checks how it says no. */
async function expectRefusal(inputs: Inputs, message: RegExp, env: Inputs = {}): Promise<void> {
  const server = await openServer(({ socket }) => socket.destroy());
  const workspace = await makeWorkspace({
    'scan.json': REPORT,
    'bom.json': INVENTORY,
    'other.json': REPORT,
    'empty.json': '',
    'cut.json': REPORT.slice(0, -1),
    'plain.txt': 'no findings\n',
  });
  const run = await runAction(workspace, { 'base-url': server.origin, ...inputs }, { env });
  expect(run.exitCode).toBe(1);
  expect(run.annotations).toHaveLength(1);
  expect(run.annotations[0]?.level).toBe('error');
  expect(run.annotations[0]?.title).toMatch(/^Scan upload not sent: /);
  expect(run.annotations[0]?.message).toMatch(message);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', attempts: '0' });
  expect(run.outputs.error).toMatch(message);
  expect(run.outputs['status-code']).toBe('');
  expect(run.summary).toContain('Scan upload not sent');
  expect(`${run.log}${run.summary}${JSON.stringify(run.outputs)}`).not.toContain(TOKEN);
  expect(server.connections()).toBe(0);
}

describe('a bad input ends the step before anything is sent', () => {
  test.each<[string, Inputs, RegExp]>([
    ['no way of naming files', { 'scan-file': '' }, /^No files are named: set files, or scan-file/],
    ['two ways of naming files', { files: 'a', 'scan-file': 'b' }, /named in 2 ways/],
    ['an inventory alone', { 'dependencies-file': 'bom.json' }, /vulnerabilities-file is missing/],
    ['a report alone', { 'vulnerabilities-file': 'x' }, /dependencies-file is missing/],
    ['only excludes', { files: '!scan.json' }, /files holds only excludes/],
    [
      'a pattern that is slow to match',
      { files: 'bom.json\n!*a*b*c*d*', 'scan-file': '' },
      /^`files`: the pattern '\*a\*b\*c\*d\*' has more than three `\*` in one path segment/,
    ],
    ['a scan key that is no UUID', { 'scan-key': '42' }, /^scan-key must be a UUID/],
    ['no scan key', { 'scan-key': '' }, /^scan-key is required/],
    ['the nil UUID', { 'scan-key': '00000000-0000-0000-0000-000000000000' }, /nil UUID/],
    ['an empty token', { token: '' }, /^token is empty.*forks and Dependabot/],
    ['a token of two lines', { token: `${TOKEN}\nX: y` }, /^token has a line break/],
    ['an unknown auth', { auth: 'basic' }, /^auth must be one of token, oidc, none/],
    ['an unknown policy', { 'if-no-files-found': 'fail' }, /^if-no-files-found must be one of/],
    ['an unknown check', { 'content-check': 'strict' }, /^content-check must be one of/],
    ['a number in words', { retries: 'banana' }, /^retries must be a whole number/],
    ['a negative number', { retries: '-1' }, /^retries must be a whole number/],
    ['a time limit of nothing', { 'timeout-seconds': '0' }, /^timeout-seconds must be a whole/],
    ['a fraction', { 'stall-timeout-seconds': '1.5' }, /^stall-timeout-seconds must be a whole/],
    ['a boolean in words', { 'dry-run': 'yes' }, /^dry-run must be true or false/],
    ['no base-url', { 'base-url': '' }, /^base-url is required/],
    [
      'userinfo',
      { 'base-url': `http://me:${TOKEN}@127.0.0.1:1` },
      /^base-url must not contain a user/,
    ],
    ['a query', { 'base-url': 'http://127.0.0.1:1/?a=b' }, /^base-url must not contain a query/],
    [
      'a fragment',
      { 'base-url': 'http://127.0.0.1:1/#a' },
      /^base-url must not contain a fragment/,
    ],
    ['a space', { 'base-url': 'http://127.0.0.1:1/a b' }, /^base-url must not contain white space/],
    ['ftp', { 'base-url': 'ftp://127.0.0.1:1/' }, /^base-url must begin with https/],
    [
      'http to another host',
      { 'base-url': 'http://scans.example' },
      /^base-url must begin with https/,
    ],
    [
      'a forbidden header',
      { headers: 'Content-Length: 1' },
      /^headers, line 1: Content-Length must not/,
    ],
    [
      "the token's header",
      { headers: `Authorization: ${TOKEN}` },
      /Authorization carries the token/,
    ],
    [
      'a header without a colon',
      { headers: `X-A: b\n${TOKEN}` },
      /^headers, line 2: not of the form/,
    ],
    ['a bad token header', { 'token-header': 'X Key' }, /^token-header is not a valid header name/],
    ['half of a client certificate', { 'client-cert': 'x.pem' }, /client-cert and client-key must/],
    ['a missing authority', { 'ca-cert': 'missing.pem' }, /^ca-cert cannot be read \(ENOENT\)/],
    ['an authority that is none', { 'ca-cert': 'plain.txt' }, /^ca-cert holds no usable PEM/],
  ])('%s', async (_, inputs, message) => {
    await expectRefusal(inputs, message);
  });

  test('NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    await expectRefusal({}, /ca-cert/, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  });

  test.each([
    ['socks', 'socks5://127.0.0.1:1080'],
    ['one that cannot be parsed', 'http://'],
  ])('a proxy variable with %s', async (_, value) => {
    const inputs = { 'base-url': 'http://scans.example', 'allow-http': 'true' };
    await expectRefusal(inputs, /environment variable http_proxy/, { http_proxy: value });
  });

  test('all problems are told at once', async () => {
    const named = { files: '*a*b*c*d*', 'scan-file': '' };
    const inputs = { ...named, 'scan-key': '42', retries: 'x', 'dry-run': 'y', token: '' };
    const server = await openServer(({ socket }) => socket.destroy());
    const run = await runAction(await makeWorkspace(), { 'base-url': server.origin, ...inputs });
    const lines = run.annotations.map(({ message }) => message.split('\n'));
    expect(lines).toEqual([
      [
        expect.stringMatching(/^scan-key/),
        expect.stringMatching(/^`files`/),
        expect.stringMatching(/^token is empty/),
        expect.stringMatching(/^dry-run/),
        expect.stringMatching(/^retries/),
      ],
    ]);
    expect(server.connections()).toBe(0);
  });
});

describe('files that are not what was asked for end the step before anything is sent', () => {
  const pair = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'scan.json' };
  test.each<[string, Inputs, RegExp]>([
    [
      'a role that matches nothing',
      { 'scan-file': 'missing.json' },
      /^No file matches 'missing.json'/,
    ],
    ['a role that matches two', { 'scan-file': '{scan,other}*' }, /^No file matches/],
    [
      'a role that matches several',
      { 'scan-file': '*.json' },
      /must match exactly one file and matches 5/,
    ],
    [
      'one pattern of two that matches nothing',
      { files: 'scan.json\nmissing.json' },
      /'missing.json'.*Every pattern must match at least one file/,
    ],
    [
      'two files of which none is CycloneDX',
      { files: 'scan.json\nother.json' },
      /which is what cannot be told.*scan-file/,
    ],
    [
      'one file in both roles',
      { ...pair, 'vulnerabilities-file': 'bom.json' },
      /one and the same file/,
    ],
    ['an empty file', { 'scan-file': 'empty.json' }, /ScanJsonFile 'empty.json' is empty/],
    ['a cut file', { 'scan-file': 'cut.json' }, /'cut.json' is truncated/],
    ['a scan file that is not JSON', { 'scan-file': 'plain.txt' }, /'plain.txt' is text, not JSON/],
    ['a path that leads out', { 'scan-file': '../x.json' }, /'..\/x.json' is not a valid pattern/],
  ])('%s', async (_, inputs, message) => {
    await expectRefusal(inputs, message);
  });
});
