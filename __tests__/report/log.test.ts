import { describe, expect, test } from '@jest/globals';
import { MAX_SHOWN_CHARACTERS } from '../../src/report/clean.ts';
import { Log } from '../../src/report/log.ts';
import { setEnvironment } from '../support/environment.ts';
import { captureOutput } from '../support/report.ts';

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

  test('leaves what could be a command, and the length, to those who write', () => {
    const text = `::x:: s3cret ${'a'.repeat(5000)}`;
    expect(makeLog('s3cret').clean(text)).toBe(`::x:: *** ${'a'.repeat(5000)}`);
  });

  test.each([1, 2, 3, 10, 15])(
    'leaves no secret to be cut in two: one that begins %i characters before the end',
    (before) => {
      const secret = 'ABCDEFGHIJKLMNOPQRST';
      const log = makeLog(secret);
      const output = captureOutput();
      const text = `${'x'.repeat(MAX_SHOWN_CHARACTERS - before)}${secret}${'y'.repeat(100)}`;
      log.info(log.clean(text));
      expect(output.text).not.toMatch(/[A-T]/);
      expect(output.lines[0]?.length).toBeLessThanOrEqual(MAX_SHOWN_CHARACTERS);
    },
  );
});

describe('the ways into the log', () => {
  const text = 'one\u200b\r::error::50% ##[x]';

  test('info is text', () => {
    const output = captureOutput();
    new Log().info(text);
    expect(output.lines).toEqual(['one', ': :error::50% ## [x]']);
  });

  test('debug is for debug logging', () => {
    setEnvironment({ RUNNER_DEBUG: '1' });
    const output = captureOutput();
    new Log().debug(text);
    expect(output.lines).toEqual(['::debug::one%0A: :error::50%25 ## [x]']);
  });

  test.each(['notice', 'warning', 'error'] as const)('%s is an annotation with a title', (kind) => {
    const output = captureOutput();
    new Log()[kind]('Title, two: 1%\u001b[1m', text);
    expect(output.lines).toEqual([
      `::${kind} title=Title%2C two%3A 1%25::one%0A: :error::50%25 ## [x]`,
    ]);
  });

  test.each(['info', 'debug', 'notice', 'warning', 'error'] as const)(
    '%s bounds a text and a title',
    (kind) => {
      setEnvironment({ RUNNER_DEBUG: '1' });
      const output = captureOutput();
      const long = 'x'.repeat(100_000);
      const log = new Log();
      if (kind === 'info' || kind === 'debug') log[kind](long);
      else log[kind](long, long);
      expect(output.text.length).toBeLessThan(2 * 4096);
    },
  );
});
