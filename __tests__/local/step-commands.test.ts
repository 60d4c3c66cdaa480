import { describe, expect, test } from '@jest/globals';
import { CommandReader } from '../../local/step/command-reader.ts';
import { findUnknownCommand, parseCommand } from '../../local/step/commands.ts';
import { LineSplitter } from '../../local/step/lines.ts';

const ERROR = { command: 'error', properties: {}, data: 'boom' };

describe('parseCommand', () => {
  test.each([
    { line: '::error::boom', command: ERROR },
    { line: '  \t::error::boom', command: ERROR },
    { line: '\u0085\u00a0\u2003::error::boom', command: ERROR },
    { line: '::ERROR::boom', command: ERROR },
    { line: '::error ::boom', command: ERROR },
    { line: '::Error title=t::boom', command: { ...ERROR, properties: { title: 't' } } },
    { line: '::error title=a b::boom', command: { ...ERROR, properties: { title: 'a b' } } },
    {
      line: '::error file=a.js,line=3,,title=x=y::boom',
      command: { ...ERROR, properties: { file: 'a.js', line: '3', title: 'x=y' } },
    },
    { line: '::error ==title==x::boom', command: { ...ERROR, properties: { title: 'x' } } },
    { line: '::error title=,x=::boom', command: ERROR },
    {
      line: '::error title=%3A%2C%25%0D%0A::boom',
      command: { ...ERROR, properties: { title: ':,%\r\n' } },
    },
    { line: '::error::a%0Ab%0D%25', command: { ...ERROR, data: 'a\nb\r%' } },
    { line: '::error::%250A%3A%2C%0a', command: { ...ERROR, data: '%0A%3A%2C%0a' } },
    { line: '::error::a::b', command: { ...ERROR, data: 'a::b' } },
    { line: '::error::', command: { ...ERROR, data: '' } },
    { line: '::error:\u00ad:boom', command: { ...ERROR, data: ':boom' } },
    { line: '::add-mask::s', command: { command: 'add-mask', properties: {}, data: 's' } },
  ])('reads $line at the start of a line', ({ line, command }) => {
    expect(parseCommand(line)).toEqual(command);
  });

  test.each([
    { line: '##[error]boom', command: ERROR },
    { line: 'anything before ##[error]boom', command: ERROR },
    { line: '##[Error]boom', command: ERROR },
    {
      line: 'x ##[error title=a;file=b,c;]boom',
      command: { ...ERROR, properties: { title: 'a', file: 'b,c' } },
    },
    {
      line: '##[error title=%3B%5D%25%0A]a%3B%5D%250A',
      command: { ...ERROR, properties: { title: ';]%\n' }, data: 'a;]%0A' },
    },
    { line: '::nothing::##[error]boom', command: ERROR },
    { line: '::error ##[error]boom', command: ERROR },
  ])('reads $line anywhere in a line', ({ line, command }) => {
    expect(parseCommand(line)).toEqual(command);
  });

  test.each([
    '',
    'x ::error::boom',
    '::error:boom',
    ':: error::boom',
    '::error',
    '::errors::boom',
    '::constructor::boom',
    '\ufeff::error::boom',
    '\u200b::error::boom',
    '##[error',
    '##[ error]boom',
    '# #[error]boom',
    '##[x] ##[error]boom',
    '::internal-set-repo-path repoFullName=a::b',
  ])('takes %j for text', (line) => {
    expect(parseCommand(line)).toBeUndefined();
  });

  test('keeps a property named __proto__ a property', () => {
    const command = parseCommand('::error __proto__=x::boom');
    expect(Object.getOwnPropertyNames(command?.properties)).toEqual(['__proto__']);
  });

  test('takes the names it is given', () => {
    expect(parseCommand('::token::', new Set(['token']))?.command).toBe('token');
    expect(parseCommand('::error::', new Set(['token']))).toBeUndefined();
  });
});

describe('findUnknownCommand', () => {
  test.each([
    { line: ' ::frobnicate a=b::data', name: 'frobnicate', data: 'data' },
    { line: 'text ##[frobnicate a=b]data', name: 'frobnicate', data: 'data' },
  ])('sees $line', ({ line, name, data }) => {
    expect(findUnknownCommand(line)).toEqual({ command: 'unknown', properties: { name }, data });
  });

  test.each(['std::vector::begin', '::', ':: ::', '::1', '##[]', '## [x]'])(
    'lets %j be',
    (line) => {
      expect(findUnknownCommand(line)).toBeUndefined();
    },
  );
});

function readAll(lines: readonly string[]): string[] {
  const reader = new CommandReader();
  return lines.map((line) => reader.read(line).kind);
}

describe('CommandReader', () => {
  test('is quiet between stop-commands and its token', () => {
    expect(
      readAll(['::stop-commands::T0ken', '::error::a', '##[t0ken] ', '::error::b', '::T0ken::']),
    ).toEqual(['command', 'text', 'resume', 'command', 'text']);
  });

  test('is not resumed by a token behind a registered command', () => {
    expect(readAll(['::stop-commands::tok', '::error::##[tok]', '::tok::##[error]x'])).toEqual([
      'command',
      'text',
      'resume',
    ]);
  });

  test.each(['', 'pause-logging', 'Error', 'stop-commands'])('refuses the token "%s"', (token) => {
    expect(readAll([`::stop-commands::${token}`, '::error::a'])).toEqual([
      'refused-stop',
      'command',
    ]);
  });
});

function split(chunks: readonly (string | Uint8Array)[]): string[] {
  const splitter = new LineSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk))), ...splitter.end()];
}

describe('LineSplitter', () => {
  test.each([
    { chunks: ['a\nb\r\nc\rd'], lines: ['a', 'b', 'c', 'd'] },
    { chunks: ['a\r', '\nb\r', 'c'], lines: ['a', 'b', 'c'] },
    { chunks: ['a\r', '\r\n\n'], lines: ['a', '', ''] },
    { chunks: ['a', 'b', 'c\n'], lines: ['abc'] },
    { chunks: ['\n\n'], lines: ['', ''] },
    { chunks: [], lines: [] },
    { chunks: ['\u0085a\u2028b\u000bc\n'], lines: ['\u0085a\u2028b\u000bc'] },
    {
      chunks: [Buffer.from('ü😀\n').subarray(0, 4), Buffer.from('ü😀\n').subarray(4)],
      lines: ['ü😀'],
    },
  ])('cuts $chunks like .NET', ({ chunks, lines }) => {
    expect(split(chunks)).toEqual(lines);
  });

  test('gives a line out as soon as its carriage return came', () => {
    const splitter = new LineSplitter();
    expect(splitter.push(Buffer.from('a\r'))).toEqual(['a']);
    expect(splitter.push(Buffer.from('\n'))).toEqual([]);
  });
});
