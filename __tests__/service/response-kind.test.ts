import { describe, expect, test } from '@jest/globals';
import { tryJson } from '../../src/json.ts';
import { readRefusal } from '../../src/service/response-kind.ts';
import type { ResponseKind } from '../../src/service/response-kind.ts';
import { makeResponse } from '../support/attempts.ts';
import { evaluate } from '../support/evaluate.ts';
import { KIB, MIB } from '../support/samples.ts';
import { readText } from '../support/workflows.ts';

/** Bodies by their media type; '' is none. */
type Samples = Readonly<Record<string, readonly string[]>>;

const PAGE = '<!doctype html>\n<title>Sign in</title><form method="post"></form>';
const BLANK = ' '.repeat(100 * KIB);
const XML = '<?xml version="1.0"?>';

function judge(type: string, body: string) {
  return makeResponse({ headers: { 'content-type': type }, body });
}

const SUCCESSES: Readonly<Partial<Record<ResponseKind, Samples>>> = {
  'web-page': {
    '': [
      PAGE,
      `${BLANK}<h1>Sign in</h1>`,
      '</p>',
      '<!-- a -- b > c --> <!-- d -->\n<p>',
      '<!-- never closed <html>',
      '<?php echo "?><html>',
      `${XML}\n<!DOCTYPE html>`,
      `${XML}<!-- a --><xh:html xmlns:xh="x">`,
    ],
    'text/xml; charset=utf-8': ['<!doctype  HTML><h1/>'],
    'application/json': [PAGE],
    'text/html': ['Sign in\nfirst', 'Sign in\rfirst', 'x'.repeat(201), '{"id":1,\n"a"'],
    'Application/XHTML+XML': ['<p/>'],
    'text/plain; x=application/xml': ['<p/>'],
  },
  success: {
    '': ['', '< 3 ms', 'stored --> <html>', `${XML}<x:html.report/>`, `${XML}<r><html/></r>`],
    'text/xml': ['<!-- a --><h1/>', '1 stored'],
    'image/svg+xml': ['<svg/>'],
    'text/html; charset=utf-8': ['', 'x'.repeat(200), '{"id":\n17}', 'See <b>'],
    'application/problem+json': ['{"status":"stored"}', '{"type":"a","status":200}'],
    'application/json': ['12', '""', 'null', 'stored', '[]', '[1,\n', '{"error":" \\n"}'],
    'application/pdf': ['%PDF-1.4'],
    'text/plain; was=text/html': ['a\nb'],
  },
  other: {
    '': ['{x', '[ [', '[\n"a"', '[ {}, '],
    'text/plain': ['{key} is stored'],
  },
  problem: {
    '': ['\ufeff{"Type":"a:b","Title":"x","Detail":"y"}', '{"title":"x","status":" 404 "}'],
    'text/html': ['{"detail":"x","success":false}'],
    ' Application/Problem+JSON; charset=utf-8': ['{"Title":"No"}', '{"detail":null}'],
  },
  refusal: {
    '': [
      '" {\\"ok\\":false}"',
      '" Upload failed "',
      'Forbidden!\nby rule 4',
      'permission denied: a',
      `${XML}<!DOCTYPE r:problem><r:problem/>`,
      `${XML}<!-- <r> --><soap:Fault/>`,
    ],
    'text/xml': ['<uploadError/>', 'Error: x'],
    'text/html': [' Upload failed '],
  },
};

const REFUSALS: Readonly<Partial<Record<ResponseKind, Samples>>> = {
  problem: { '': ['{"detail":"no"}'], 'application/problem+json': ['{}'] },
  json: { 'text/html': ['{"message":"no"}', '[{"title":"no"}]', '{"status":1,"error":""}'] },
  'web-page': { '': [PAGE, '<p>'], 'text/html': ['a\nb'] },
  other: { '': ['', 'no'], 'text/html': ['no'] },
};

function listRows(samples: Readonly<Partial<Record<ResponseKind, Samples>>>) {
  return Object.entries(samples).flatMap(([kind, types]) =>
    Object.entries(types).flatMap(([type, bodies]) =>
      bodies.map((body) => ({ kind, type, body, name: JSON.stringify(body).slice(0, 40) })),
    ),
  );
}

/** What is in backticks. */
function spans(cell = ''): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]*)`/g), ([, text = '']) => text);
}

/** The examples of docs/interface.md: media type, body, and whether it confirms. */
function listExamples() {
  const [chapter = ''] = (readText('docs', 'interface.md').split('### Successes')[1] ?? '').split(
    '### Refusals',
  );
  const rows = chapter
    .split('\n')
    .filter((line) => line.startsWith('| `') || line.startsWith('| -'));
  return rows.slice(1).flatMap((row) => {
    const [, declared, good, bad] = row.split(/ *\| */);
    const [type = ''] = spans(declared);
    return [
      ...spans(good).map((body) => [type, body, true] as const),
      ...spans(bad).map((body) => [type, body, false] as const),
    ];
  });
}

describe('a 2xx', () => {
  test.each(listRows(SUCCESSES))('is $kind for $type $name', ({ kind, type, body }) => {
    expect(judge(type, body)).toMatchObject({ kind });
  });

  test.each(listExamples())(
    'confirms or not, as docs/interface.md says: row %#',
    (type, body, is) => {
      expect(judge(type, body).kind === 'success').toBe(is);
    },
  );

  test('is a problem of the interface with each member null, in its three media types', () => {
    const body = '{"type":null,"title":"Bad Request","status":null,"detail":null,"instance":null}';
    for (const type of ['text/plain', 'application/json', 'text/json']) {
      expect(judge(type, body)).toMatchObject({ kind: 'problem', statedFailure: 'is a problem' });
    }
  });

  test.each([
    ['false', 'says `false`'],
    ['{"a":1,"State":"FAIL"}', 'says `State: FAIL`'],
    ['{"errors":{"key":["is unknown"]}}', 'says `errors`'],
    ['Error: no\nkey', 'says `Error: no`'],
    [`${XML}<r:error/>`, 'is <r:error>'],
  ])('names what decides in %s: %s', (body, statedFailure) => {
    expect(judge('', body)).toMatchObject({ kind: 'refusal', statedFailure });
  });

  test('is read in time for many repetitions', () => {
    const bodies = [
      "'<!---->'.repeat(n / 7) + 'x'",
      "'<!--'.repeat(n / 4)",
      "' '.repeat(n) + 'x'",
      "'<?xml ?>'.repeat(n / 8) + 'x'",
      "'<?xml ?><!doctype' + ' '.repeat(n) + 'x'",
      "'<?xml ?><' + 'html:'.repeat(n / 5)",
      "'error' + ' '.repeat(n) + 'x'",
      "'error:' + ' '.repeat(n)",
      "'['.repeat(n)",
      `'{"errors":' + '['.repeat(n / 2) + ']'.repeat(n / 2) + '}'`,
    ];
    const fixed = "status: 200, headers: {}, complete: true, url: new URL('http://a')";
    const judged = bodies.map((text) => `m.readResponse({ ${fixed}, text: ${text} }).kind`).join();
    const given = evaluate('service/response.ts', `((n) => [${judged}])(${MIB})`);
    expect(given).toBe(
      'web-page,web-page,success,success,success,success,success,refusal,other,success',
    );
  });
});

test.each(listRows(REFUSALS))(
  'readRefusal returns $kind for $type $name',
  ({ kind, type, body }) => {
    expect(readRefusal({ type, text: body, value: tryJson(body) })).toBe(kind);
  },
);
