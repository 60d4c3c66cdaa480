import { describe, expect, test } from '@jest/globals';
import { parseKeyValues } from '../../local/step/file-commands.ts';

describe('parseKeyValues', () => {
  test.each([
    ['', {}],
    ['a=1\nb=x=y<<z', { a: '1', b: 'x=y<<z' }],
    ['a<<EOF\nEOF\nb<<EOF\n\nEOF\n', { a: '', b: '' }],
    ['a<<EOF\n1\n\n2\nEOF\nb=3\n', { a: '1\n\n2', b: '3' }],
    ['a<<EOF\n EOF\nEOF \nEOF', { a: ' EOF\nEOF ' }],
    ['\ufeffa=1', { a: '1' }],
  ])('reads %j', (text, values) => {
    const pairs = Object.entries(values).map(([name, value]) => ({ name, value }));
    expect(parseKeyValues(text)).toEqual({ pairs, error: undefined });
  });

  test.each([
    ['\n', 'a<<E\r\nx\r\nE\r\n', { a: 'x\r' }],
    ['\r\n', 'a=1\r\nb=2\n', { a: '1', b: '2' }],
    ['\r\n', 'a<<E\r\nx\ny\r\nz\r\nE\r\nb=3\r', { a: 'x\ny\r\nz', b: '3\r' }],
  ])('uses the line end %j to read %j', (eol, text, values) => {
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
