import { expect, test } from '@jest/globals';
import { readSaid } from '../../src/service/said.ts';
import { evaluate } from '../support/workspace.ts';

test.each([
  'at Scans.Store.Save(Guid ScanKey, IFormFile file)',
  '   at Scans.Store.Save(Guid key) in /src/Store.cs:line 17',
  'at lambda_method55(Closure, Object, HttpContext, Object)',
  'at Scans.Api.<>c__DisplayClass4_2.<<Bind>b__2>d.MoveNext()',
  '\tat java.base/java.lang.Thread.run(Thread.java:840)',
  'at org.example.A.b(A.java:1) ~[a.jar:1.0]',
  'at async save (/app/a.js:1:2)',
  'at new Store (file:///app/a.js:1:2)',
  'at Object.save [as run] (node:internal/a:1:2)',
  'at Array.map (<anonymous>)',
  'at /app/a.js:1:2',
  'at async file:///app/a.js:1:2',
  String.raw`at C:\app\a.js:1`,
])('%s is a line of a stack', (line) => {
  expect(readSaid(`above\n${line}\nbelow`)).toBe('above');
});

test.each([
  'at https://storage.example.com: access denied.',
  'at https://storage.example.com:443',
  'at storage.example.com:443',
  'at least one (or two) files are missing',
  'at Contoso (EU) no project has this key',
  'at line 3, column 1: a comma is missing',
  'at most one host (https://scan.example/a:443)',
  'at a.B',
  'look at a.B(c)',
  'at the end',
])('%s is no line of a stack', (line) => {
  const text = `above\n${line}\nbelow`;
  expect(readSaid(text)).toBe(text);
});

const INNER = `System.E: It failed.
 ---> System.E: It broke.
 ---> System.E: The disk is full.
   at Scans.Disk.Write(Guid ScanKey)
   --- End of inner exception stack trace ---
   at Scans.Api.Save(Guid ScanKey)
--- End of stack trace from previous location ---

HEADERS
=======
Authorization: Bearer x`;
const JAVA = `a.E: It failed.
\tat a.B.c(B.java:1)
Caused by: a.E: It broke.
\tat a.B.c(B.java:2)
Caused by: a.E: The disk is full.
\t... 12 more`;
const PYTHON = `Internal error
Traceback (most recent call last):
  File "/app/a.py", line 1, in save
    write(scan_key)
OSError: It broke.

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/b.py", line 2, in run
    raise ValueError
ValueError: The disk is full.`;

test.each([
  ['.NET', INNER, 'System.E: It failed.| ---> System.E: The disk is full.'],
  ['Java', JAVA, 'a.E: It failed.|Caused by: a.E: The disk is full.'],
  ['Python', PYTHON, 'Internal error|ValueError: The disk is full.'],
  ['JavaScript', 'Error: No.\n    at save (/app/a.js:1:2)\n    at b', 'Error: No.'],
  ['no stack', 'Caused by: x\nat the end', 'Caused by: x|at the end'],
])('readSaid keeps of a stack of %s what happened', (_, text, said) => {
  expect(readSaid(text).replaceAll('\n', '|')).toBe(said);
});

test.each([
  'POST /v1/scanner/upload-file',
  'PUT https://scan.example/v1?a=b HTTP/1.1',
  '2026-11-29T02:54:05.123Z',
  '2026-11-29 02:54:05,123 +0000',
  '29.11.2026 2:54',
  '11/29/2026 02:54:05',
])('%s says nothing', (line) => {
  expect(readSaid(` ${line}`)).toBe('');
});

test.each([
  'Cannot POST /v1/scanner/upload-file',
  'POST is not allowed',
  '2026-11-29',
  '404 1.2',
  'Closed at 02:54',
  'Monday market 10:30',
  'Key 1:23 is old',
  'Locked since 2026-11-29 02:54',
  'Retry after 2026-11-29T02:54:05Z',
])('%s says something', (line) => {
  expect(readSaid(line)).toBe(line);
});

test('a text is read in linear time', () => {
  const pieces = ['at ', 'at a(', 'at /', 'at a:', '1:11', '1:1 x', 'at a (/', '/a:1', ') in '];
  const fill = '(p) => ["", "at ", "at a("].map((s) => s + p.repeat(2 ** 20 / p.length))';
  const given = `${JSON.stringify(pieces)}.flatMap(${fill}).every((text) => m.readSaid(text) !== 0)`;
  expect(evaluate('service/said.ts', given)).toBe('true');
});
