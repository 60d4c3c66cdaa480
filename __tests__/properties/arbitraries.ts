import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** Characters that end a line or are invisible, and lone surrogates. */
const CONCEALED = [
  ...Array.from('\r\n\t\v\f\0\u0001\u0007\u001b\u007f\u0085\u009b\u00ad\u034f\u115f\u200b'),
  ...Array.from('\u200d\u200f\u2028\u2029\u202e\u2066\u2069\ufe0f\ufeff\u{e0041}\ud800'),
  '\udfff',
];

/** Pieces of runner commands and of terminal control sequences. */
const COMMAND_PIECES = [
  ...Array.from(':#[]%=,; \u00a0\u3000\u{1f50d}a'),
  ...':: ##[ ## ::error:: ::stop-commands::x ##[error] %0A %3A%3A error'.split(' '),
  ...'\r\n|::error title=a::b|##[set-output name=a]true|\u001b[31m|\u001b]0;x\u0007'.split('|'),
];

/** Markdown syntax, and text that GitHub or Gitea turn into links. */
export const MARKUP_PIECES = [
  ...Array.from('|\\`<>_&\n\r\t'),
  ...'\\| `` ``` ~~~ </code> <!-- ![a](b) [a](javascript:b) [[x]] ** --- === a`|`b word'.split(' '),
  ...'https://evil.example www.evil.example a@evil.example @someone #12 GH-12 ABC-12'.split(' '),
  ...'!12 deadbeef a/b@2c26b46b68ff :smile: $x$ &lt; &#64;octocat'.split(' '),
  ...'<img src=x>;[^1]: a;[a]: b;# ;> ;- ;- [ ] ;* ;1. ;    '.split(';'),
];

/** A UTF-16 code unit; a third of them are surrogates or next to them. */
const UNIT = fc
  .oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe010 }))
  .map((unit) => String.fromCharCode(unit));

/** Any text of so many pieces, mostly with runner commands, terminal sequences and invisible characters. */
export function anyText(maxLength = 30): Arbitrary<string> {
  const piece = fc.oneof(
    { arbitrary: fc.constantFrom(...COMMAND_PIECES), weight: 4 },
    { arbitrary: fc.constantFrom(...CONCEALED), weight: 2 },
    { arbitrary: UNIT, weight: 2 },
  );
  return fc.array(piece, { maxLength, size: 'max' }).map((pieces) => pieces.join(''));
}
