import { describe, expect, test } from '@jest/globals';
import { CommandReader } from '../../local/step/command-reader.ts';
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
    ['::error file=a.js,,title=x=y::boom', { file: 'a.js', title: 'x=y' }, 'boom'],
    ['::error ==title==x,y=,=z::boom', { title: 'x' }, 'boom'],
    ['::error title=%3A%2C%25%0D%0A::boom', { title: ':,%\r\n' }, 'boom'],
    ['::error::a%0Ab%0D%25%250A%3A%2C%0a', {}, 'a\nb\r%%0A%3A%2C%0a'],
    ['::error:\u00ad:boom', {}, ':boom'],
    ['anything before ##[Error]boom', {}, 'boom'],
    ['x ##[error title=a;file=b,c;]boom', { title: 'a', file: 'b,c' }, 'boom'],
    ['##[error title=%3B%5D%25%0A]a%3B%5D%250A', { title: ';]%\n' }, 'a;]%0A'],
    ['::nothing::##[error]boom', {}, 'boom'],
  ])('reads %j', (line, properties, data) => {
    expect(parseCommand(line)).toEqual({ command: 'error', properties, data });
  });

  test.each([
    'x ::error::boom',
    '::error:boom',
    ':: error::boom',
    '::constructor::boom',
    '\ufeff::error::boom',
    '##[ error]boom',
    '##[x] ##[error]boom',
    '::internal-set-repo-path repoFullName=a::b',
  ])('treats %j as text', (line) => {
    expect(parseCommand(line)).toBeUndefined();
  });
});

test.each([' ::frobnicate a=b::data', 'text ##[frobnicate a=b]data'])(
  'findUnknownCommand finds %j',
  (line) => {
    const properties = { name: 'frobnicate' };
    expect(findUnknownCommand(line)).toEqual({ command: 'unknown', properties, data: 'data' });
  },
);

test.each(['std::vector::begin', ':: ::', '::1', '##[]', '## [x]'])(
  'findUnknownCommand ignores %j',
  (line) => expect(findUnknownCommand(line)).toBeUndefined(),
);

test('CommandReader reads no command between stop-commands and its token', () => {
  const reader = new CommandReader();
  const kinds = [
    ['::stop-commands::T0ken', 'command'],
    ['::error::##[t0ken]', 'text'],
    ['::T0ken::##[error]x', 'text'],
    ['::error::b', 'command'],
    ['::T0ken::', 'text'],
  ] as const;
  expect(kinds.map(([line]) => reader.read(line).kind)).toEqual(kinds.map(([, kind]) => kind));
});

describe('LineSplitter', () => {
  test.each([
    [['a\nb\r\nc\rd'], ['a', 'b', 'c', 'd']],
    [
      ['a\r', '\nb\r', 'c'],
      ['a', 'b', 'c'],
    ],
    [
      ['a\r', '\r\n\n'],
      ['a', '', ''],
    ],
    [['a\r'], ['a']],
    [['\u0085a\u2028b\u000bc\n'], ['\u0085a\u2028b\u000bc']],
    [[Buffer.from('ü😀\n').subarray(0, 4), Buffer.from('ü😀\n').subarray(4)], ['ü😀']],
  ])('splits %j like .NET', (chunks: readonly (string | Uint8Array)[], lines: string[]) => {
    const splitter = new LineSplitter();
    const found = chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk)));
    expect([...found, ...splitter.end()]).toEqual(lines);
  });
});

describe('parseKeyValues', () => {
  test.each<[string, Readonly<Record<string, string>>, string?]>([
    ['', {}],
    ['a=1\nb=x=y<<z', { a: '1', b: 'x=y<<z' }],
    ['a<<EOF\nEOF\nb<<EOF\n\nEOF\n', { a: '', b: '' }],
    ['a<<EOF\n1\n\n2\nEOF\nb=3\n', { a: '1\n\n2', b: '3' }],
    ['a<<EOF\n EOF\nEOF \nEOF', { a: ' EOF\nEOF ' }],
    ['\ufeffa=1', { a: '1' }],
    ['a<<E\r\nx\r\nE\r\n', { a: 'x\r' }, '\n'],
    ['a<<E\r\nx\ny\r\nz\r\nE\r\nb=3\r', { a: 'x\ny\r\nz', b: '3\r' }, '\r\n'],
  ])('reads %j as %j', (text, values, eol = '\n') => {
    const pairs = Object.entries(values).map(([name, value]) => ({ name, value }));
    expect(parseKeyValues(text, eol)).toEqual({ pairs, error: undefined });
  });

  test.each([
    ['a=1\nnonsense\nb=2', "Invalid format 'nonsense'"],
    ['a=1\nb<<EOF\nx', "Matching delimiter not found 'EOF'"],
    ['a=1\n<<EOF\nEOF', "Invalid format '<<EOF'"],
    ['a=1\nb<<\n\n', "Invalid format 'b<<'"],
  ])('stops at the error in %j', (text, error) => {
    expect(parseKeyValues(text)).toEqual({ pairs: [{ name: 'a', value: '1' }], error });
  });
});

function readLog(lines: readonly string[], showsDebug = false): StepLog {
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
  test('truncates a message at 4,096 characters', () => {
    const { annotations, text } = readLog([`::error::${'x'.repeat(4096)}y`]);
    expect(annotations).toMatchObject([{ message: 'x'.repeat(4096) }]);
    expect(text).toBe(`Error: ${'x'.repeat(4096)}\n`);
  });

  test('keeps ten annotations of each level, and all of them in the log', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `::error::e${index}`);
    const { annotations, text } = readLog([...lines, '::warning::w']);
    expect(annotations.map(({ message }) => message).slice(8)).toEqual(['e8', 'e9', 'w']);
    expect(text).toMatch(/Error: e11\nWarning: w\n$/);
  });

  test('shows debug lines only with debug logging, and the titles of groups', () => {
    const lines = ['::group::G', '::debug::d', 'x', '::endgroup::'];
    expect(readLog(lines).text).toBe('▼ G\nx\n');
    expect(readLog(lines, true).text).toBe('▼ G\n##[debug]d\nx\n');
  });

  test('keeps unknown commands in the log, and records them', () => {
    const { commands, text } = readLog(['::frobnicate::x', '::set-output name=a::1']);
    expect(text).toBe('::frobnicate::x\n');
    expect(commands.map(({ command }) => command)).toEqual(['unknown', 'set-output']);
  });
});
