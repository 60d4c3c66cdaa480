import { describe, expect, test } from '@jest/globals';
import { tryJson } from '../../src/json.ts';
import { readRefusal, readSuccess } from '../../src/service/response-kind.ts';
import type { ResponseKind } from '../../src/service/response-kind.ts';
import { evaluate } from '../support/evaluate.ts';
import { KIB, MIB } from '../support/samples.ts';
import { readText } from '../support/workflows.ts';

/** Bodies by their media type; '' is none. */
type Samples = Readonly<Record<string, readonly (string | undefined)[]>>;

const PAGE = '<!doctype html>\n<title>Sign in</title><form method="post"></form>';
const BLANK = ' '.repeat(100 * KIB);
const XML = '<?xml version="1.0"?>';
const NESTED = `${'['.repeat(9000)}"x"${']'.repeat(9000)}`;

function judge(judgeBody: typeof readSuccess, type: string, text?: string, refresh?: string) {
  const headers = { 'content-type': type, ...(refresh !== undefined && { refresh }) };
  return judgeBody({ headers, text, value: tryJson(text?.trim() ?? '') });
}

const SUCCESSES: Readonly<Partial<Record<ResponseKind, Samples>>> = {
  problem: {
    '': ['\ufeff \n{"status":599} ', `${BLANK}{"status":" 404 "}`],
    'text/html': ['{"status":500}'],
    'Application/Problem+JSON; charset=utf-8': ['{"type":"a","status":200}'],
  },
  refusal: {
    '': [
      `{"errors":${NESTED}}`,
      `{"data":${NESTED}}`,
      '{"success":true,"Success":false}',
      '"\\"{\\\\\\"ok\\\\\\":false}\\""',
      'Forbidden\nby rule 4',
      '502\r\nBad Gateway',
      `${XML}<e:Envelope><e:Body><e:Fault><code>1</code></e:Fault></e:Body></e:Envelope>`,
      `${XML}<!-- <a> --><?b <c> ?><r x='>'><error y="</error>">x</error></r>`,
    ],
    'text/html': ['{"error":"<b>"}', ' Upload failed '],
    'Application/Problem+XML; charset=utf-8': ['<problem><title>x</title></problem>'],
    'text/xml': ['<error><a/>', '<r><error>x</r>'],
  },
  'web-page': {
    '': [
      PAGE,
      `${BLANK}<h1>Sign in</h1>`,
      '<report/>',
      '</p>',
      '<!-- a -- b > c --> <!-- d -->\n<p>',
      '<!-- never closed <html>',
      '<?php echo "?><html>',
      `<p>${XML}</p>`,
      ` ${XML.toUpperCase()}<HTML>`,
      `${XML}\n<!DOCTYPE html>`,
      `${XML}<!-- a --><xh:html xmlns:xh="x">`,
    ],
    'text/xml; charset=utf-8': ['<!doctype  HTML><h1/>'],
    'image/svg+xml': ['<html/>'],
    'application/json': [PAGE],
    'text/plain; x=application/xml': ['<p/>'],
    'text/html': ['Sign in\nfirst', 'Sign in\rfirst', 'x'.repeat(201)],
    '"text / html"': ['x <b>'],
    'application/xhtml+xml': [`${XML}<p/>`],
  },
  success: {
    '': [
      'stored --> <html>',
      '< 3 ms',
      '<!-- a -->',
      `${XML}<report><html/></report>`,
      `${XML}<!DOCTYPE report><html-a/>`,
      `${XML}<!-- <html> --><x:html.report/>`,
      `${XML}<r><error>${' '.repeat(2000)}</error></r>`,
    ],
    'text/xml': ['<!-- a --><h1/>'],
    'application/atom+xml; type=entry': ['<entry/>'],
    'text/html; charset=utf-8': ['', ` ${'é'.repeat(198)}🎉🎉\r\n`, '{"id":"<b>\\n"}'],
    'text/plain; was=text/html': ['o\nk', 'accepted <html>'],
    'plain/text': ['ok'],
    'application/json': [
      'x'.repeat(200),
      '12',
      '""',
      '{"error":" \\n"}',
      '{"status":"no error"}',
      '{"html":"<html>","nul":"\\u0000"}',
      '{"status":4000}',
      '{"status":[500]}',
      '{"status":{"toString":1}}',
      '{"__proto__":{"error":"x"}}',
    ],
  },
  other: {
    '': ['o\0k', undefined, '['.repeat(500 * KIB), '[1,', '[\n"a"', ')]}\', {"ok":true}', 'x [ {}'],
    'application/json': ['x'.repeat(201), 'o\nk', 'a [1]', 'a {b}'],
    'application/pdf': ['%PDF-1.4'],
    'image/png': ['x'],
    'text/event-stream': ['event: ping'],
  },
};

const REFUSALS: Readonly<Partial<Record<ResponseKind, Samples>>> = {
  problem: { '': ['{"detail":"no"}'] },
  json: { 'text/html': ['{"message":"no"}', '[{"title":"no"}]', '[]'] },
  'web-page': { '': [PAGE], 'text/html': ['a\nb'] },
  other: { '': ['', 'no', undefined], 'text/html': ['no'] },
};

function listRows(samples: Readonly<Partial<Record<ResponseKind, Samples>>>) {
  return Object.entries(samples).flatMap(([kind, types]) =>
    Object.entries(types).flatMap(([type, bodies]) =>
      bodies.map((body) => ({ kind, type, body, name: JSON.stringify(body)?.slice(0, 60) })),
    ),
  );
}

/** What is in backticks. */
function spans(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]*)`/g), ([, text = '']) => text);
}

/** Bodies of the tables in docs/interface.md, with their media types and the results that they have there. */
function listExamples() {
  const [chapter = ''] = (PAGE_TEXT.split('### Successes')[1] ?? '').split('### Refusals');
  const rows = chapter.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => {
    const [, first = '', second = '', third = ''] = row.split(/ *\| */);
    const type = first.includes('XML') ? 'text/xml' : (spans(first)[0] ?? '');
    const name = (result: string) => (body: string) => [type, body, result] as const;
    if (first === '-' || first.startsWith('`'))
      return spans(second).map(name(spans(third)[0] ?? ''));
    return [...spans(second).map(name('rejected')), ...spans(third).map(name('success'))];
  });
}

const PAGE_TEXT = readText('docs', 'interface.md');
const RESULTS: Readonly<Record<ResponseKind, readonly string[]>> = {
  success: ['success'],
  problem: ['problem', 'rejected'],
  refusal: ['rejected'],
  'web-page': ['web-page'],
  other: ['unconfirmed'],
  json: [],
  endless: [],
};

describe('readSuccess', () => {
  test.each(listRows(SUCCESSES))('returns $kind for $type $name', ({ kind, type, body }) => {
    expect(judge(readSuccess, type, body)).toBe(kind);
  });

  test.each(listExamples())('as docs/interface.md says, %j %j is %s', (type, body, result) => {
    expect(RESULTS[judge(readSuccess, type, body.trim())]).toContain(result);
  });

  test('finds all examples', () => {
    expect(listExamples().length).toBeGreaterThan(150);
  });

  test.each([
    ['', '', 'web-page'],
    ['text/html', 'OK', 'web-page'],
    ['text/plain', 'OK', 'success'],
  ])('returns for %j with Refresh and %j: %s', (type, body, kind) => {
    expect(judge(readSuccess, type, body, '0; url=/login')).toBe(kind);
  });

  test('returns in time for many repetitions', () => {
    const bodies = [
      "'<!---->'.repeat(n / 7) + 'x'",
      "'<!--'.repeat(n / 4)",
      "' '.repeat(n) + 'x'",
      "'<?xml ?>'.repeat(n / 8) + 'x'",
      "'<?xml ?><!doctype' + ' '.repeat(n) + 'x'",
      "'<?xml ?><' + 'html:'.repeat(n / 5)",
    ];
    const judged = bodies.map((text) => `m.readSuccess({ headers: {}, text: ${text} })`).join();
    const given = evaluate('service/response-kind.ts', `((n) => [${judged}])(${MIB})`);
    expect(given).toBe('success,web-page,success,success,success,success');
  });
});

describe('readRefusal', () => {
  test.each(listRows(REFUSALS))('returns $kind for $type $name', ({ kind, type, body }) => {
    expect(judge(readRefusal, type, body)).toBe(kind);
  });
});
