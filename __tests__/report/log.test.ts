import { describe, expect, test } from '@jest/globals';
import { MAX_SHOWN_CHARACTERS } from '../../src/report/clean.ts';
import { Log } from '../../src/report/log.ts';
import { setEnvironment } from '../service/fixtures.ts';
import { captureOutput, findCommands } from './fixtures.ts';

const SECRET = 's3cr3t/token+"x"';

function makeLog(...secrets: readonly string[]): Log {
  captureOutput();
  const log = new Log();
  for (const secret of secrets) log.protect(secret);
  return log;
}

describe('Log.protect', () => {
  test('masks a secret in the runner’s log, once', () => {
    const output = captureOutput();
    const log = new Log();
    log.protect('s3cret');
    log.protect('s3cret');
    expect(output.lines).toEqual(['::add-mask::s3cret']);
  });

  test.each(['', ' ', '\t\n'])('never masks a blank: %j', (blank) => {
    const output = captureOutput();
    const log = new Log();
    log.protect(blank);
    expect(output.text).toBe('');
    expect(log.clean('a b')).toBe('a b');
  });
});

describe('Log.protect and Log.hide', () => {
  test('takes a secret without the white space around it', () => {
    const log = makeLog(' s3cret\n');
    expect(log.clean('a s3cret b')).toBe('a *** b');
  });

  test('masks what was hidden before', () => {
    const output = captureOutput();
    const log = new Log();
    log.hide('s3cret');
    log.protect('s3cret');
    expect(output.lines).toEqual(['::add-mask::s3cret']);
  });

  test('hides a part of a secret without a word to the runner', () => {
    const output = captureOutput();
    const log = new Log();
    log.hide('part');
    log.hide('part');
    log.hide(' ');
    expect(log.clean('a part b')).toBe('a *** b');
    expect(output.text).toBe('');
  });
});

describe('Log.clean', () => {
  test.each([
    ['as it is', SECRET],
    ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in base64', Buffer.from(SECRET).toString('base64')],
  ])('redacts a secret %s', (_, form) => {
    expect(makeLog(SECRET).clean(`before ${form} after`)).toBe('before *** after');
  });

  test('redacts the longest of several secrets first, in whatever order they came', () => {
    expect(makeLog('token', 'token-long').clean('token-long token')).toBe('*** ***');
    expect(makeLog('token-long', 'token').clean('token-long token')).toBe('*** ***');
  });

  test.each([
    ['a zero-width space', 's3c\u200bret'],
    ['a colour', 's3c\u001b[31mret'],
    ['a NUL', 's3c\u0000ret'],
    ['a bidi mark', 's3c\u202eret'],
    ['a lone surrogate', 's3c\ud800ret'],
    ['half of each', 's\u200b3c\u001b]0;x\u0007ret'],
  ])('redacts a secret that lacks only %s', (_, text) => {
    expect(makeLog('s3cret').clean(`a ${text} b`)).toBe('a *** b');
  });

  test('redacts a secret that has an invisible character itself', () => {
    expect(makeLog('s3c\u200bret').clean('a s3c\u200bret b')).toBe('a *** b');
  });

  test.each([1, 2, 3, 10, 15])(
    'redacts before it cuts: a secret that begins %i characters before the end',
    (before) => {
      const secret = 'ABCDEFGHIJKLMNOPQRST';
      const text = `${'x'.repeat(MAX_SHOWN_CHARACTERS - before)}${secret}${'y'.repeat(100)}`;
      const cleaned = makeLog(secret).clean(text);
      expect(cleaned).not.toMatch(/[A-T]/);
      expect(cleaned.length).toBeLessThanOrEqual(MAX_SHOWN_CHARACTERS);
    },
  );

  test.each([
    '::error::x',
    ' ::error::x',
    '\t::set-output name=uploaded::true',
    'a\n::stop-commands::x',
    'a\r::error::x',
    'a\r\n  ::error::x',
    'a\v::error::x',
    'a\f::error::x',
    'a\u0085::error::x',
    'a\u2028::error::x',
    'a\u2029::error::x',
    '\u200b::error::x',
    '\ufeff::error::x',
    '\u00a0::error::x',
    '\u001b[0m::error::x',
    ':\u200b:error::x',
    ':\u0000:error::x',
    ':\ufe0f:error::x',
    ':\u034f:error::x',
    'text ##[error]x',
    'text #\u200b#[error]x',
    'text ##\u001b[0m[error]x',
    '##[group]a ##[command]b',
  ])('leaves no command of the runner’s in %j', (text) => {
    const cleaned = makeLog().clean(text);
    expect(findCommands(cleaned)).toEqual([]);
    expect(cleaned).not.toMatch(/[\r\v\f\u0085\u2028\u2029]/);
  });
});

describe('Log.redact', () => {
  test('leaves what could be a command, and the length, to others', () => {
    const text = `::x:: s3cret ${'a'.repeat(5000)}`;
    expect(makeLog('s3cret').redact(text)).toBe(`::x:: *** ${'a'.repeat(5000)}`);
  });
});

describe('the ways into the log', () => {
  const text = 's3cret\n::error::50% ##[x]';

  test('info is text', () => {
    const log = makeLog('s3cret');
    const output = captureOutput();
    log.info(text);
    expect(output.lines).toEqual(['***', ': :error::50% ## [x]']);
  });

  test('debug is for debug logging', () => {
    setEnvironment({ RUNNER_DEBUG: '1' });
    const log = makeLog('s3cret');
    const output = captureOutput();
    log.debug(text);
    expect(output.lines).toEqual(['::debug::***%0A: :error::50%25 ## [x]']);
  });

  test.each(['notice', 'warning', 'error'] as const)('%s is an annotation with a title', (kind) => {
    const log = makeLog('s3cret');
    const output = captureOutput();
    log[kind]('Title, s3cret: 1%\u001b[1m', text);
    expect(output.lines).toEqual([
      `::${kind} title=Title%2C ***%3A 1%25::***%0A: :error::50%25 ## [x]`,
    ]);
  });
});
