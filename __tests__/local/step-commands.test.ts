import { describe, expect, test } from '@jest/globals';
import { CommandReader } from '../../local/step/command-reader.ts';
import { findUnknownCommand, parseCommand } from '../../local/step/commands.ts';
import { LineSplitter } from '../../local/step/lines.ts';

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
