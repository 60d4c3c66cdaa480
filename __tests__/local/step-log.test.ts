import { describe, expect, test } from '@jest/globals';
import { Masks } from '../../local/step/masks.ts';
import { StepLog } from '../../local/step/step-log.ts';

function read(lines: readonly string[], showsDebug = false): StepLog {
  const log = new StepLog(showsDebug);
  lines.forEach((line) => log.read(line, 'stdout'));
  return log;
}

describe('Masks', () => {
  test('hide a value, each of its lines and their encoded forms', () => {
    const masks = new Masks();
    masks.add('pa ss&1\nsecond');
    expect(masks.values).toEqual(['pa ss&1\nsecond']);
    const encoded = Buffer.from('pa ss&1').toString('base64');
    const text = `pa ss&1 second ${encoded} pa%20ss%261 pa ss&amp;1`;
    expect(masks.apply(text)).toBe('*** *** *** *** ***');
  });

  test('hide overlapping values as one, and do not treat values as patterns or hide blanks', () => {
    const masks = new Masks();
    ['abc', 'bcd', 'a.c', 'aba', ' '].forEach((value) => masks.add(value));
    expect(masks.apply('xabcdx axc abcabc ababa')).toBe('x***x axc *** ***');
  });
});

describe('StepLog', () => {
  test('shows annotations by their level without their titles', () => {
    const log = read(['::error title=T::e%0Af', '::warning::w', '::notice::n']);
    expect(log.text).toBe('Error: e\nf\nWarning: w\nNotice: n\n');
    expect(log.annotations).toEqual([
      { level: 'error', title: 'T', message: 'e\nf' },
      { level: 'warning', title: undefined, message: 'w' },
      { level: 'notice', title: undefined, message: 'n' },
    ]);
  });

  test('truncates a message at 4,096 characters', () => {
    const { annotations, text } = read([`::error::${'x'.repeat(4096)}y`]);
    expect(annotations).toMatchObject([{ message: 'x'.repeat(4096) }]);
    expect(text).toBe(`Error: ${'x'.repeat(4096)}\n`);
  });

  test('keeps ten annotations of each level, and all of them in the log', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `::error::e${index}`);
    const { annotations, text } = read([...lines, '::warning::w']);
    expect(annotations.map(({ message }) => message).slice(8)).toEqual(['e8', 'e9', 'w']);
    expect(text).toMatch(/Error: e11\nWarning: w\n$/);
  });

  test('hides add-mask commands, and their values in later lines', () => {
    const log = read(['s3cret', '::add-mask::s3cret', 'a s3cret', '::error::s3cret']);
    expect(log.text).toBe('s3cret\na ***\nError: ***\n');
  });

  test('shows debug lines only with debug logging, and the titles of groups', () => {
    const lines = ['::group::G', '::debug::d', 'x', '::endgroup::'];
    expect(read(lines).text).toBe('▼ G\nx\n');
    expect(read(lines, true).text).toBe('▼ G\n##[debug]d\nx\n');
  });

  test('keeps unknown commands in the log, and records them', () => {
    const { commands, text } = read(['::frobnicate::x', '::set-output name=a::1']);
    expect(text).toBe('::frobnicate::x\n');
    expect(commands.map(({ command }) => command)).toEqual(['unknown', 'set-output']);
  });
});
