import { beforeEach, describe, expect, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import { setEnvironment } from '../support/environment.ts';
import { captureOutput, findCommands } from '../support/report.ts';

beforeEach(() => setEnvironment({ RUNNER_DEBUG: undefined }));

describe('Log.named', () => {
  test('is the same log without a label', () => {
    const log = new Log();
    expect(log.named(undefined)).toBe(log);
  });

  test('says in each line and in each title which it is', () => {
    setEnvironment({ RUNNER_DEBUG: '1' });
    const output = captureOutput();
    const log = new Log().named('shop');
    log.info('one');
    log.debug('two');
    log.notice('Title', 'three');
    log.warning('Title', 'four');
    log.error('Title', 'five');
    expect(output.lines).toEqual([
      '[shop] one',
      '::debug::[shop] two',
      '::notice title=Title%3A shop::[shop] three',
      '::warning title=Title%3A shop::[shop] four',
      '::error title=Title%3A shop::[shop] five',
    ]);
  });

  test('cleans a text without a word of the label', () => {
    expect(new Log().named('shop').clean('a')).toBe('a');
  });

  test('does not change the log that it comes from', () => {
    const output = captureOutput();
    const log = new Log();
    log.named('shop');
    log.info('one');
    expect(output.lines).toEqual(['one']);
  });

  test('knows the secrets of all, whoever learned them, and masks each once', () => {
    const output = captureOutput();
    const log = new Log();
    log.protect('before');
    const [one, other] = [log.named('a'), log.named('b')];
    one.protect('learned');
    other.protect('learned');
    log.protect('learned');
    other.hide('hidden');
    for (const each of [log, one, other]) {
      expect(each.clean('before learned hidden')).toBe('*** *** ***');
    }
    expect(output.lines).toEqual(['::add-mask::before', '::add-mask::learned']);
  });

  test.each([
    'a\n::error::x',
    'a\r##[error]x',
    '::stop-commands::x',
    'a] \n ::set-output name=uploaded::true',
    '\u200b::error::x\n',
    'a\u2028::error::x',
  ])('has no command of the runner’s in it, whatever the label: %j', (label) => {
    const output = captureOutput();
    const log = new Log().named(label);
    log.info('text');
    expect(findCommands(output.text)).toEqual([]);
    log.error('Title', 'text');
    expect(output.lines.filter((line) => line.startsWith('::'))).toHaveLength(1);
    expect(findCommands(output.text)).toHaveLength(1);
  });

  test('bounds a line, however long the label', () => {
    const output = captureOutput();
    new Log().named('x'.repeat(100_000)).info('text');
    expect(output.text.length).toBeLessThan(4096);
  });
});

describe('Log.detail', () => {
  test('is a line where there is one scan', () => {
    const output = captureOutput();
    new Log().detail('one');
    expect(output.lines).toEqual(['one']);
  });

  test('is for debug logging where there are many', () => {
    const output = captureOutput();
    const log = new Log().named('shop');
    log.detail('one');
    expect(output.text).toBe('');
    setEnvironment({ RUNNER_DEBUG: '1' });
    log.detail('two');
    expect(output.lines).toEqual(['::debug::[shop] two']);
  });
});

describe('Log.debug', () => {
  test.each([undefined, '', '0', 'true'])('is silent with RUNNER_DEBUG=%s', (value) => {
    setEnvironment({ RUNNER_DEBUG: value });
    const output = captureOutput();
    new Log().debug('text');
    new Log().named('shop').debug('text');
    expect(output.text).toBe('');
  });

  test('is a line with RUNNER_DEBUG=1', () => {
    setEnvironment({ RUNNER_DEBUG: '1' });
    const output = captureOutput();
    new Log().debug('text');
    expect(output.lines).toEqual(['::debug::text']);
  });
});
