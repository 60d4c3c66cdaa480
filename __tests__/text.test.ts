import { expect, test } from '@jest/globals';
import * as text from '../src/text.ts';

test.each<[string, unknown, unknown]>([
  ['joins a text into one line', text.joinWhiteSpace(' a\u0085\r\n\tb  c\n'), 'a b c'],
  [
    'splits at the line ends of every system',
    text.splitLines('a\nb\rc\r\n\n'),
    ['a', 'b', 'c', '', ''],
  ],
  ['lists lines that are not blank', text.listLines(' a \r \n\tb'), ['a', 'b']],
  ['joins the lines that are visible', text.joinLines('a\u200b \n\u202e\nb'), 'a b'],
  [
    'removes sequences of terminals',
    text.stripInvisible('a\u001b[31mb\u001b]0;t\u0007c\u001bNd'),
    'abcd',
  ],
  ['removes a title without an end', text.stripInvisible('a\u001b]0;t\u001b[1mb'), 'ab'],
  [
    'ends lines with \\n',
    text.stripInvisible('a\r\nb\rc\vd\fe\u0085f\u2028g\u2029h'),
    'a\nb\nc\nd\ne\nf\ng\nh',
  ],
  [
    'keeps tabs and letters',
    text.stripInvisible('a\tb\né\u6f22\u{1f511}'),
    'a\tb\né\u6f22\u{1f511}',
  ],
  ['removes controls', text.stripInvisible('a\0\u0007\u007f\u009bb'), 'ab'],
  [
    'removes format characters',
    text.stripInvisible('a\u00ad\u200b\u202e\u2066\ufeff\u{e0041}b'),
    'ab',
  ],
  [
    'removes ignorable ones and halves',
    text.stripInvisible('a\u034f\u115f\ufe0f\ud800b\udfff'),
    'ab',
  ],
  ['keeps a short text', text.cutText('abcdef', 6), 'abcdef'],
  ['cuts a long text', text.cutText('abcdefg', 6), 'abcd …'],
  ['cuts no character in half', text.cutText('abc\u{1f511}defg', 6), 'abc …'],
  ['cuts before a word', text.cutAtWord('abc def ghi', 9), 'abc …'],
  [
    'cuts in a very long word',
    text.cutAtWord(`a ${'b'.repeat(200)}`, 150),
    `a ${'b'.repeat(146)} …`,
  ],
  ['cuts a text of the author before a word', text.cutWhole(`ab ${'c'.repeat(200)}`, 150), 'ab …'],
  ['lists nothing', text.listSome([], 2), ''],
  ['lists all texts', text.listSome(['a', 'b'], 2), 'a, b'],
  ['lists some texts', text.listSome(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more'],
  ['finds the same name', text.measureDistance('scan', 'scan', 2), 0],
  ['counts replaced characters', text.measureDistance('scan', 'sacn', 2), 2],
  ['counts an inserted character', text.measureDistance('scan', 'scans', 2), 1],
  ['does not compare long names', text.measureDistance('scan', 'scan-1.json', 2), Infinity],
  ['formats one minute', text.formatMinutes(60_000), '1 minute'],
  ['formats minutes, rounded up', text.formatMinutes(60_001), '2 minutes'],
  ['formats a day', text.formatMinutes(86_400_000), '1440 minutes'],
  ['formats more than a day', text.formatMinutes(86_400_001), 'over a day'],
  ['ends beyond the limit', text.measureDistance('scan', 'plot', 2), Infinity],
  ['takes any character of a header', text.isFieldValue('\t ~\u0080\u00ff'), true],
  ['takes no others', ['', 'a\nb', 'a\u007f', '\u0100', '\0'].some(text.isFieldValue), false],
])('%s', (_, value, expected) => {
  expect(value).toEqual(expected);
});
