import { describe, expect, test } from '@jest/globals';
import { findUnknownCommand, parseCommand } from '../../local/step/commands.ts';
import { parseKeyValues } from '../../local/step/file-commands.ts';
import { LineSplitter } from '../../local/step/lines.ts';
import { Masks } from '../../local/step/masks.ts';
import { StepLog } from '../../local/step/step-log.ts';

// What the runner reads of a step: commands in its lines, files of outputs, masks and annotations.

describe('parseCommand', () => {
  test.each([
    ['::error::boom', {}, 'boom'],
    ['\u0085\u00a0\u2003::error::boom', {}, 'boom'],
    ['::Error title=a b::boom', { title: 'a b' }, 'boom'],
    ['::error title=%3A%2C%25%0D%0A::boom', { title: ':,%\r\n' }, 'boom'],
    ['::error::a%0Ab%0D%25%250A%3A%2C%0a', {}, 'a\nb\r%%0A%3A%2C%0a'],
    ['::error:\u00ad:boom', {}, ':boom'],
    ['x ##[Error title=a;file=b,c;]boom', { title: 'a', file: 'b,c' }, 'boom'],
  ])('reads %j', (line, properties, data) => {
    expect(parseCommand(line)).toEqual({ command: 'error', properties, data });
  });

  test.each([
    'x ::error::boom',
    '\ufeff::error::boom',
    '##[ error]boom',
    '::internal-set-repo-path repoFullName=a::b',
  ])('treats %j as text', (line) => {
    expect(parseCommand(line)).toBeUndefined();
  });
});

test.each([
  [' ::frobnicate a=b::data', 'data'],
  ['text ##[frobnicate a=b]data', 'data'],
  ['std::vector::begin', undefined],
  ['## [x]', undefined],
])('findUnknownCommand finds in %j: %s', (line, data) => {
  expect(findUnknownCommand(line)?.data).toBe(data);
});

test.each([
  [['a\nb\r\nc\rd'], ['a', 'b', 'c', 'd']],
  [['\u0085a\u2028b\u000bc\r'], ['\u0085a\u2028b\u000bc']],
  [[Buffer.from('ü😀\n').subarray(0, 4), Buffer.from('ü😀\n').subarray(4)], ['ü😀']],
])('LineSplitter splits lines like .NET: %j', (chunks: readonly (string | Uint8Array)[], lines) => {
  const splitter = new LineSplitter();
  const found = chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk)));
  expect([...found, ...splitter.end()]).toEqual(lines);
});

describe('parseKeyValues', () => {
  test.each<[string, Readonly<Record<string, string>>, string?]>([
    ['', {}],
    ['a=1\nb=x=y<<z', { a: '1', b: 'x=y<<z' }],
    ['a<<EOF\nEOF\nb<<EOF\n\nEOF\n', { a: '', b: '' }],
    ['a<<EOF\n EOF\n\nEOF \nEOF\nb=3\n', { a: ' EOF\n\nEOF ', b: '3' }],
    ['\ufeffa=1', { a: '1' }],
    ['a<<E\r\nx\ny\r\nz\r\nE\r\nb=3\r', { a: 'x\ny\r\nz', b: '3\r' }, '\r\n'],
  ])('reads %j as %j', (text, values, eol = '\n') => {
    const pairs = Object.entries(values).map(([name, value]) => ({ name, value }));
    expect(parseKeyValues(text, eol)).toEqual({ pairs, error: undefined });
  });

  test.each([
    ['a=1\nnonsense\nb=2', "Invalid format 'nonsense'"],
    ['a=1\nb<<EOF\nx', "Matching delimiter not found 'EOF'"],
  ])('stops at the error in %j', (text, error) => {
    expect(parseKeyValues(text)).toEqual({ pairs: [{ name: 'a', value: '1' }], error });
  });
});

function readLog(lines: readonly string[], showsDebug = false): StepLog {
  const log = new StepLog(showsDebug);
  lines.forEach((line) => log.read(line));
  return log;
}

test('Masks hides values, each of their lines and their encoded forms, and overlapping ones as one', () => {
  const masks = new Masks();
  ['pa ss&1\nsecond', 'abc', 'bcd', 'a.c', ' '].forEach((value) => masks.add(value));
  const encoded = Buffer.from('pa ss&1').toString('base64');
  expect(masks.apply(`pa ss&1 second ${encoded} pa%20ss%261`)).toBe('*** *** *** ***');
  expect(masks.apply('xabcdx axc abcabc')).toBe('x***x axc ***');
});

describe('StepLog', () => {
  test('shows debug lines only with debug logging, and the titles of groups', () => {
    const lines = ['::group::G', '::debug::d', 'x', '::endgroup::'];
    expect(readLog(lines).text).toBe('▼ G\nx\n');
    expect(readLog(lines, true).text).toBe('▼ G\n##[debug]d\nx\n');
  });

  test('keeps unknown commands in the log, and records the others', () => {
    const { commands, text } = readLog(['::frobnicate::x', '::set-output name=a::1']);
    expect(text).toBe('::frobnicate::x\n');
    expect(commands.map(({ command }) => command)).toEqual(['set-output']);
  });
});
