import { beforeEach, describe, expect, test } from '@jest/globals';
import { readInputs } from '../../src/inputs/inputs.ts';
import type { Inputs } from '../../src/inputs/inputs.ts';
import { SECRET, catchLaterProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';
import { SCAN_KEY } from '../support/samples.ts';

isolateEnvironment();
beforeEach(() => setInputs({ 'base-url': 'https://host.example', token: SECRET }));

const ENTRY = { 'scan-key': SCAN_KEY, 'scan-file': 'a.json' };

function read(entries: unknown, inputs: Texts = {}): Promise<Inputs> {
  setInputs({ scans: JSON.stringify(entries), ...inputs });
  return readInputs(import.meta.dirname);
}

describe('the input scans', () => {
  test.each(['scan-key', 'files', 'scan-file', 'dependencies-file', 'vulnerabilities-file'])(
    'cannot be combined with %s',
    async (name) => {
      expect(await catchLaterProblems(read([ENTRY], { [name]: SCAN_KEY }))).toEqual([
        `\`scans\` cannot be combined with \`${name}\`. Move them into its entries.`,
      ]);
    },
  );

  test.each(['', '  \n'])(
    'can be combined with empty scan-key and file inputs: %j',
    async (text) => {
      const others = { 'scan-key': text, files: text, 'scan-file': text };
      expect((await read([ENTRY], others)).scans).toHaveLength(1);
      const single = { scans: text, 'scan-key': SCAN_KEY, files: 'a' };
      expect((await read([], single)).scans).toMatchObject([{ label: undefined, name: undefined }]);
    },
  );

  test('keeps the order of its entries', async () => {
    const names = ['b', 'a', 'c'];
    const { scans } = await read(names.map((name) => ({ ...ENTRY, name })));
    expect(scans.map(({ label }) => label)).toEqual(names);
  });

  test('does not throw if only entries are invalid', async () => {
    const { scans } = await read([ENTRY, 1, { ...ENTRY, name: 'shop', 'scan-key': 'x' }]);
    expect(scans.map((scan) => [scan.label, 'error' in scan])).toEqual([
      ['scans[0]', false],
      ['scans[1]', true],
      ['shop', true],
    ]);
  });

  test('reports problems of entries after those of other inputs', async () => {
    const entries = [1, ENTRY, { name: 'shop', 'scan-key': 'x', 'scan-file': 1 }];
    expect(await catchLaterProblems(read(entries, { retries: 'x', auth: 'y' }))).toEqual([
      expect.stringMatching(/^`auth` must be one of /),
      expect.stringMatching(/^`retries` must be /),
      'scans[0]: The entry is not a JSON object.',
      expect.stringMatching(/^shop: `scan-key` must be a UUID .*, not 'x'\.$/),
      'shop: `scan-file` must be a string.',
    ]);
  });

  test('is reported together with other invalid inputs if it is not valid JSON', async () => {
    expect(await catchLaterProblems(read([], { scans: '[', retries: 'x' }))).toEqual([
      '`scans` is not valid JSON (line 1, column 2).',
      expect.stringMatching(/^`retries` must be /),
    ]);
  });

  test('accepts a byte order mark', async () => {
    expect((await read([], { scans: `\uFEFF${JSON.stringify([ENTRY])}` })).scans).toHaveLength(1);
  });
});
