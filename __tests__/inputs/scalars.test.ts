import { expect, test } from '@jest/globals';
import {
  parseScanKey,
  readChoice,
  readFlag,
  readInteger,
  refuseEmpty,
} from '../../src/inputs/scalars.ts';
import { SECRET, catchTexts, collect, isolateEnvironment, setInputs } from '../support/inputs.ts';
import { setEnvironment, SCAN_KEY } from '../support/workspace.ts';

isolateEnvironment();

type Read = (text: string) => Promise<unknown>;

async function flag(text: string): Promise<boolean> {
  setInputs({ 'dry-run': text });
  return collect(({ faults }) => readFlag(faults, 'dry-run'));
}

async function choice(text: string): Promise<string> {
  setInputs({ 'content-check': text });
  return collect(({ faults }) => readChoice(faults, 'content-check', ['error', 'warn', 'off']));
}

async function integer(text: string): Promise<number> {
  setInputs({ retries: text });
  return collect(({ faults }) => readInteger(faults, 'retries', 8, 3, 10));
}

async function scanKey(text: string): Promise<string> {
  return parseScanKey(text);
}

const OTHER_VERSION = '01890a5d-ac96-774b-bcce-b302099a8057';

test.each<[Read, readonly string[], unknown]>([
  [flag, ['', 'false', 'False', 'FALSE'], false],
  [flag, ['true', 'True', 'TRUE'], true],
  [choice, ['', 'error'], 'error'],
  [choice, ['off'], 'off'],
  [integer, ['', '8', '008'], 8],
  [integer, ['3'], 3],
  [integer, ['10'], 10],
  [scanKey, [OTHER_VERSION], OTHER_VERSION],
  [scanKey, [SCAN_KEY.toUpperCase()], SCAN_KEY.toUpperCase()],
])('%p reads %j', async (read, texts, expected) => {
  for (const text of texts) expect(await read(text)).toBe(expected);
});

const KEY = '`scan-key` must be a UUID (8-4-4-4-12 hexadecimal digits) that the service has issued';
const LONG = 'x'.repeat(40);
const KEYS = [`x${SCAN_KEY}`, `${SCAN_KEY}x`, SCAN_KEY.slice(1), SCAN_KEY.replace('f', 'g')];

test.each<[Read, string, readonly string[]]>([
  [flag, '`dry-run` must be true or false', [LONG, 'yes', '1', 'tRUE', 'trueish']],
  [choice, '`content-check` must be one of error, warn, off', [LONG, 'Warn', 'warn,off']],
  [
    integer,
    '`retries` must be a whole number from 3 to 10',
    [LONG, '2', '11', '-4', '4.0', '4m', '4\n4', '٤', '0000000004'],
  ],
  [scanKey, KEY, [LONG, ...KEYS, SCAN_KEY.replace(/\w/g, '0')]],
])('%p names the valid values, and repeats only a short text', async (read, problem, texts) => {
  for (const text of texts) {
    expect(await catchTexts(() => read(text))).toEqual([`${problem}, not '${text}'.`]);
  }
  expect(await catchTexts(() => read('x'.repeat(41)))).toEqual([
    `${problem}, not a text of 41 characters.`,
  ]);
});

test.each(["github.event_name == 'push'", '!inputs.dry', "push != 'a'", 'Contains(a)'])(
  'an expression without its braces is named: %s',
  async (text) => {
    expect(await catchTexts(() => flag(text))).toEqual([
      `\`dry-run\` must be true or false, not '${text}'. Write \${{ ... }} around the whole expression.`,
    ]);
  },
);

test('parseScanKey says of an address to write only the UUID, and does not show it', async () => {
  expect(await catchTexts(() => scanKey(`https://host/${SECRET}`))).toEqual([
    '`scan-key` is an address: write only the UUID in it.',
  ]);
});

test('parseScanKey shows no text that may be the token', async () => {
  setInputs({ token: SCAN_KEY });
  expect(await catchTexts(() => scanKey('x'))).toEqual([
    '`scan-key` is not a UUID, but `token` is one: are they swapped?',
  ]);
  expect(await catchTexts(() => scanKey('vars.KEY'))).toEqual([
    '`scan-key` is the text of an expression: write ${{ }} around it.',
  ]);
});

test('refuseEmpty says what to do, in a composite action only about what that passes on', () => {
  expect(refuseEmpty('x', 'y').fixes).toEqual(['y']);
  setEnvironment({ GITHUB_ACTION_PATH: '/actions/scan' });
  const composite =
    'Pass it on in the composite action of this step, and set it where that action is used.';
  expect(refuseEmpty('x', 'y')).toMatchObject({ faults: ['x'], fixes: [composite] });
});
