import { describe, expect, test } from '@jest/globals';
import { findFailure, isFailureText, statesProblem } from '../../src/service/verdict.ts';

const FLAGS = [
  'success',
  'Succeeded',
  'successful',
  'ok',
  'isSuccess',
  'is_successful',
  'IS-VALID',
];
const CODES = ['status', 'statusCode', 'httpStatus', 'code', 'error_code'];
const STATES = ['status', 'State', 'outcome', 'result'];
const FAILURES =
  'error fail Failed failure rejected refused denied unauthorized FORBIDDEN invalid'.split(' ');
const SUCCESSES =
  'ok success succeeded accepted created received stored uploaded queued pending processing processed Done COMPLETED'.split(
    ' ',
  );
const SOFT = ['errors', 'errorMessage', 'error-messages', 'validation_errors'];
const HARD = ['error', 'exception', 'Fault'];
const NOTHING = ['', '-', '0', 'none', 'null', 'False', 'no', 'ok', 'Success', 'n/a'];
const NO_ERRORS = ['No errors.', 'NO_ERROR', 'no-error', 'noError'];

/** Each name with each value. */
function cross(names: readonly string[], values: readonly unknown[]): readonly object[] {
  return names.flatMap((name) => values.map((value) => ({ [name]: value })));
}

/** Objects that are warned of only if one of their members is a success. */
function besideErrors(objects: readonly object[]): readonly object[] {
  return objects.map((members) => ({ ...members, errors: ['x y'] }));
}

describe('findFailure', () => {
  test.each<[string, readonly object[]]>([
    ['flags', cross(FLAGS, [false, 'false', ' False ', 0])],
    ['a status that is false', [{ status: false }]],
    ['codes', cross(CODES, [400, '404', 599])],
    ['states', cross(STATES, FAILURES)],
    ['flags of errors', cross(['isError', 'has_error', 'hasErrors'], [true])],
    ['errors', cross([...SOFT, ...HARD], [true, 'x', ['x'], { a: [{ b: 'x' }] }, { code: 'E1' }])],
    ['errors that begin as none', cross(HARD, ['No such key', 'None of the keys', 'nothing'])],
    ['errors in a list of which one is good', [{ error: [{ code: 0, a: 'x' }, { a: 'x' }] }]],
    ['what a success does not overrule', cross(HARD, ['x']).map((each) => ({ ...each, ok: true }))],
    [
      'a failure beside a success',
      [
        { ok: true, status: 'failed' },
        { ok: true, success: false },
      ],
    ],
    ['errors beside no success', besideErrors([{ ok: 1 }, { result: 'ok' }, { status: 200 }])],
  ])('finds %s', (_, objects) => {
    for (const each of objects) expect([each, findFailure(each)]).not.toContain(undefined);
  });

  test.each<[string, readonly object[]]>([
    ['nothing', [{}, [], [{ success: false }]]],
    ['other values of flags', cross(FLAGS, [true, 1, null, 'no', [false]])],
    ['other codes', cross(CODES, [0, 200, 399, 600, '4000', [500], null, { toString: 1 }])],
    ['other states', cross(STATES, ['passed', 'failed checks', ['failed'], 'in-valid'])],
    ['other flags of errors', cross(['isError', 'hasErrors'], [false, 0, 1])],
    [
      'errors that say nothing',
      cross([...SOFT, ...HARD], [...NOTHING, ...NO_ERRORS, null, 7, false]),
    ],
    ['lists and objects without a text', cross(HARD, [[], {}, [1, true], { critical: 3 }])],
    [
      'errors with a good code',
      cross(HARD, [{ code: 0, message: 'x' }, [{ Code: '200', a: 'x' }]]),
    ],
    ['what is deeper', [{ data: { success: false } }, { files: [{ error: 'x' }] }]],
    ['other names', cross(['scanStatus', 'codes', 'errorCount', 'valid'], [500, 'failed', false])],
    ['warnings beside a flag', besideErrors(cross(FLAGS, [true, 'true']))],
    ['warnings beside a state', besideErrors(cross(['status', 'state', 'outcome'], SUCCESSES))],
    [
      'warnings beside a code',
      besideErrors(cross(['statusCode', 'code', 'errorCode'], [0, '204'])),
    ],
    ['each warning', cross(['result', ...SOFT], ['failed']).map((each) => ({ ...each, ok: true }))],
  ])('finds nothing in %s', (_, objects) => {
    for (const each of objects) expect([each, findFailure(each)]).toEqual([each, undefined]);
  });

  test('returns the first member, with its value if that is short', () => {
    expect(findFailure({ id: 1, 'Status-Code': 503, ok: false })).toBe('Status-Code: 503');
    expect(findFailure({ Errors: { key: ['x'], toString: 1 } })).toBe('Errors');
    expect(findFailure({ error: 'x'.repeat(93) })).toBe(`error: ${'x'.repeat(93)}`);
    expect(findFailure({ error: 'x'.repeat(94) })).toBe('error');
  });
});

describe('statesProblem', () => {
  test.each([
    [{ title: null, detail: null, status: null }, true],
    [{ Type: 'about:blank', Title: 'x', Instance: '/a' }, true],
    [{ title: 'x', status: 200, detail: 'y' }, true],
    [{ title: 'x', detail: 'y' }, false],
    [{ type: 'scan', title: 'x', detail: 'y' }, false],
    [{ type: 7, title: 'x', detail: 'y' }, false],
    [{ status: 'new', title: 'x', detail: 'y' }, false],
    [{ title: 'x', detail: 'y', status: null, success: true }, false],
  ])('reads the members of a problem: row %#', (members, is) => {
    expect(statesProblem(members, false)).toBe(is);
  });

  test.each([
    [{ Title: 'x', success: true }, true],
    [{ detail: null }, true],
    [{ type: 'a:b', status: 200 }, false],
  ])('needs a title or a detail of one that is declared: row %#', (members, is) => {
    expect(statesProblem(members, true)).toBe(is);
    expect(statesProblem(members, false)).toBe(false);
  });
});

test('isFailureText knows words of failure, alone or before a colon', () => {
  const words =
    'Error|failed|FAILURE|exception|unauthorized|forbidden|denied|rejected|Access denied|permission denied|upload failed';
  for (const word of words.split('|')) {
    for (const line of [word, `${word}.`, `${word}!`, `${word}: x`, `${word} : x: 0`]) {
      expect([line, isFailureText(line)]).toEqual([line, true]);
    }
    for (const line of [
      `${word}: 0`,
      `${word} :none, 3 stored`,
      `${word} checks: 1`,
      `No ${word}`,
    ]) {
      expect([line, isFailureText(line)]).toEqual([line, false]);
    }
  }
});
