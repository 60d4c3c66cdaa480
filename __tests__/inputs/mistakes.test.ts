import { beforeEach, expect, test } from '@jest/globals';
import { readEarly, readInputs } from '../../src/inputs/inputs.ts';
import { SECRET, catchLaterProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

// What teams really type, in the variables that the runner sets.

isolateEnvironment();
beforeEach(() => {
  setInputs({
    'base-url': 'https://scans.example',
    'scan-key': SCAN_KEY,
    files: 'a',
    token: SECRET,
  });
});

/** The problems with these inputs; fails if they are accepted, or if a secret is shown. */
function refuse(inputs: Texts): Promise<readonly string[]> {
  setInputs(inputs);
  return catchLaterProblems(readInputs(import.meta.dirname));
}

test.each(['ghs_', 'ghp_', 'gho_', 'ghu_', 'ghr_', 'github_pat_'])(
  'a GitHub token is refused unless nothing is sent: %s',
  async (start) => {
    const token = `${start}${SECRET}`;
    expect(await refuse({ token })).toEqual([
      '`token` is a GitHub token; it was not sent. Use the credential of the service, or `auth: oidc`. If the service takes GitHub tokens: `auth: none`, and the header in `headers`.',
    ]);
    setInputs({ 'dry-run': 'true' });
    await expect(readInputs(import.meta.dirname)).resolves.toMatchObject({ dryRun: true });
    setInputs({ 'dry-run': 'false', token: `x${token}` });
    await expect(readInputs(import.meta.dirname)).resolves.toMatchObject({ dryRun: false });
  },
);

test.each(['token', 'base-url', 'scan-key'])(
  '%s may be no text that stands for another',
  async (name) => {
    for (const text of ['secrets.SCAN_TOKEN', 'vars.X', 'env.A-b']) {
      expect(await refuse({ [name]: text })).toEqual([
        `\`${name}\` is the text ${text}: write \${{ ${text} }}.`,
      ]);
      expect(readEarly().secrets.masked).not.toContain(text);
    }
    expect(await refuse({ [name]: '${{ secrets.X }}' })).toEqual([
      `\`${name}\` is the text \${{ secrets.X }}: it is evaluated only in the workflow file.`,
    ]);
    expect(readEarly().secrets.masked.join()).not.toContain('secrets.X');
    const shell = 'is the name of a variable of the shell, which `with:` does not replace. Write';
    const contexts = name === 'token' ? ['secrets'] : ['vars', 'env'];
    for (const text of ['$A_KEY', '$env:A_KEY', '${A_KEY}', '$(A_KEY)', '%A_KEY%', '$canary']) {
      const shown = text === '$canary' ? 'NAME' : 'A_KEY';
      const written = contexts.map((context) => `\${{ ${context}.${shown} }}`).join(' or ');
      expect(await refuse({ [name]: text })).toEqual([`\`${name}\` ${shell} ${written}.`]);
      const isSecret = name === 'token' && shown === 'NAME';
      expect(readEarly().secrets.masked.includes(text)).toBe(isSecret);
    }
    for (const quote of ['"', "'"]) {
      const text = `${quote}${SECRET}${quote}`;
      expect(await refuse({ [name]: text })).toEqual([`\`${name}\` is in quotes. Remove them.`]);
    }
  },
);

test.each([
  'a secrets.X',
  'secrets.',
  'secrets.a b',
  '$',
  '$a-b',
  'pa$word',
  '%a',
  'ghost',
  `"${SECRET}`,
  'xenv.A',
])('a token that only resembles one is accepted: %j', async (token) => {
  setInputs({ token });
  await expect(readInputs(import.meta.dirname)).resolves.toMatchObject({
    credential: { value: `Bearer ${token}` },
  });
});

test.each([
  ['scans.example.com', 'https://scans.example.com'],
  ['scans.example.com:8443/tenant/', 'https://scans.example.com:8443/tenant'],
  ['scans.example.com/v1/scanner/upload-file?a=b', 'https://scans.example.com'],
  ['https://a.example/x/v1/scanner', 'https://a.example/x'],
  ['https://a.example/v1/scanner/', 'https://a.example'],
  ['HTTPS://a.example/V1/Scanner/upload-file', 'HTTPS://a.example'],
  ['https://a.example/v1/scanner/upload-multiple-files//?key=x#y', 'https://a.example'],
  ['https://a.example:8443/app?tab=1', 'https://a.example:8443/app'],
  ['https://a.example/#/scans/1', 'https://a.example'],
  [`https://me:${SECRET}@a.example/v1/scanner/upload-file`, 'https://a.example'],
])('the base-url %s is corrected to %s', async (text, meant) => {
  expect(await refuse({ 'base-url': text })).toEqual([
    expect.stringMatching(new RegExp(`^\`base-url\` must .* Set it to '${meant}'\\.$`)),
  ]);
});

test.each([
  `me:${SECRET}@scans.example.com`,
  `https://me:a@${SECRET}@a.example`,
  `https://me:1?${SECRET}@a.example`,
  `https://me:1#${SECRET}@a.example`,
  `https://https://a.example?a`,
  `ftp://${SECRET}.example`,
  `${'a'.repeat(64)}.example`,
  'scans.example.com2',
  'eyJhbGciOi.eyJzdWIiOi.c2VjcmV0X2',
  'secretwithoutadot',
])('no base-url is proposed for %s', async (text) => {
  expect(await refuse({ 'base-url': text })).toEqual([expect.not.stringContaining('Set it')]);
});

const ENTRY = { 'scan-key': SCAN_KEY, 'scan-file': 'a.json' };
const LIST = JSON.stringify([ENTRY]);

test.each([
  ['Array', '`scans` is the text Array: write ${{ toJSON(...) }}.'],
  ['Object', '`scans` is the text Object: write ${{ toJSON(...) }}.'],
  [JSON.stringify(LIST), '`scans` is a JSON text inside a text: remove one `toJSON`.'],
  [JSON.stringify(` \n${LIST}`), '`scans` is a JSON text inside a text: remove one `toJSON`.'],
  [JSON.stringify(ENTRY), '`scans` is one object: put it into [ ].'],
  ...['- name: a', 'scans:\n  - name: a', 'a.json\nb.json'].map((text): [string, string] => {
    return [text, '`scans` is neither JSON nor the path of a file: write a JSON array.'];
  }),
  ["[{'name': 'a', }]", expect.stringMatching(/ is not valid JSON.*: write " in place of '\.$/)],
  [
    String.raw`[{"name": "a's", "files": "out\scan.json"}]`,
    expect.stringMatching(/^`scans` is not valid JSON \(.*\): write '\/' in place of '\\'\.$/),
  ],
  [
    String.raw`[{"files": "D:\users\a"}]`,
    expect.stringMatching(/: write '\/' in place of '\\'\.$/),
  ],
  [String.raw`[{"files": "a\nb"} {}]`, expect.stringMatching(/ is not valid JSON \([^:]*\)\.$/)],
  [
    `[${JSON.stringify(ENTRY)},\n]`,
    '`scans` is not valid JSON: remove the comma before the bracket.',
  ],
  [
    '[{"name": "a", }]',
    '`scans` is not valid JSON (line 1, column 16): remove the comma before the bracket.',
  ],
  [`[{"name": "a's", }]`, expect.stringMatching(/: remove the comma before the bracket\.$/)],
  [
    JSON.stringify([{ scanKey: SCAN_KEY, scan_file: 'a', 'Scan key': SCAN_KEY }]),
    "scans[0]: Write `scan-key` in place of 'scanKey'.",
    "scans[0]: Write `scan-file` in place of 'scan_file'.",
    "scans[0]: Write `scan-key` in place of 'Scan key'.",
  ],
  [
    JSON.stringify([{ scan_key: SCAN_KEY, file: 'a', key: 'b' }]),
    "scans[0]: Write `scan-key` in place of 'scan_key'.",
    expect.stringMatching(
      /^scans\[0\]: Unknown properties 'scan_key', 'file', 'key'\. An entry has name, /,
    ),
  ],
])('scans as %j is explained', async (scans, ...problems) => {
  expect(await refuse({ scans, 'scan-key': '', files: '' })).toEqual(problems);
});
