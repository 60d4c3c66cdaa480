import { describe, expect, test } from '@jest/globals';
import { tryJson } from '../../src/json.ts';
import { judgeRefusal, judgeSuccess } from '../../src/service/response-kind.ts';
import type { ResponseKind } from '../../src/service/response-kind.ts';
import { evaluate } from '../support/evaluate.ts';
import { KIB, MIB } from '../support/samples.ts';

/** Bodies by their media type; '' is none. */
type Samples = Readonly<Record<string, readonly (string | undefined)[]>>;

const PAGE = '<!doctype html>\n<title>Sign in</title><form method="post"></form>';
const BLANK = ' '.repeat(100 * KIB);
const XML = '<?xml version="1.0"?>';
const NESTED = `${'['.repeat(9000)}"x"${']'.repeat(9000)}`;

function judge(judgeBody: typeof judgeSuccess, type: string, text = '', refresh?: string) {
  const headers = { 'content-type': type, ...(refresh !== undefined && { refresh }) };
  return judgeBody({ headers, text, value: tryJson(text.trim()) });
}

const SUCCESSES: Readonly<Record<ResponseKind, Samples>> = {
  problem: {
    '': [
      '\ufeff \n{"status":599} ',
      `${BLANK}{"status":" 404 "}`,
      '[{"status":200},{"status":5e2}]',
    ],
    'text/html': ['{"status":500}'],
    '"application/problem+json"': ['', '{"detail":"no"}'],
    'Application/Problem+XML; charset=utf-8': ['unknown'],
  },
  json: {
    '': [
      '{"success":"x","Ok":false,"status":"done"}',
      '{"status":"failure"}',
      '{"succeeded":false}',
      '{"isSuccess":false}',
      '{"status":" Error "}',
      '{"status":"failed","errors":[]}',
      '{"error":"quota"}',
      '{"Errors":{"a":[[{"b":"bad"}]]}}',
      `{"errors":${NESTED}}`,
      '[{"success":true},{"success":false}]',
    ],
    'text/html': ['{"error":"<b>"}'],
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
    'text/html': ['Sign in\nfirst', 'Sign in\rfirst', '1 < 2', 'x'.repeat(201)],
    '"text / html"': ['x <b>'],
    'application/xhtml+xml': [`${XML}<p/>`],
  },
  success: {
    '': [
      '',
      'stored --> <html>',
      '< 3 ms',
      '<!-- a -->',
      '[null]',
      '[[{"status":500}]]',
      '{"problem":{"status":500}}',
      '{"status":500',
      '['.repeat(500 * KIB),
      `${XML}<report><html/></report>`,
      `${XML}<!DOCTYPE report><html-a/>`,
      `${XML}<!-- <html> --><x:html.report/>`,
    ],
    'text/xml': ['<!-- a --><h1/>'],
    'application/atom+xml; type=entry': ['<entry/>'],
    'text/html; charset=utf-8': ['', ` ${'é'.repeat(198)}🎉🎉\r\n`, '{"id":"<b>\\n"}'],
    'text/plain; was=text/html': ['o\nk', 'accepted <html>'],
    'application/json': [
      '{"errors":{"critical":0}}',
      '{"error":" \\n"}',
      '{"status":"queued"}',
      '{"status":"no error"}',
      '{"status":"error-free"}',
      '{"success":true,"error":"ignored"}',
      '{"success":"false"}',
      '{"data":{"success":false,"error":"x"}}',
      '{"html":"<html>","nul":"\\u0000"}',
      '{"status":399}',
      '{"status":600}',
      '{"status":4000}',
      '{"status":"x400"}',
      '{"status":[500]}',
      '{"status":{"toString":1}}',
    ],
  },
  other: { '': ['o\0k'] },
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

describe('judgeSuccess', () => {
  test.each(listRows(SUCCESSES))('returns $kind for $type $name', ({ kind, type, body }) => {
    expect(judge(judgeSuccess, type, body)).toBe(kind);
  });

  test('returns other for what cannot be decoded', () => {
    expect(judgeSuccess({ headers: {}, text: undefined, value: undefined })).toBe('other');
  });

  test.each([
    ['', '', 'web-page'],
    ['text/html', 'OK', 'web-page'],
    ['text/plain', 'OK', 'success'],
  ])('returns for %j with Refresh and %j: %s', (type, body, kind) => {
    expect(judge(judgeSuccess, type, body, '0; url=/login')).toBe(kind);
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
    const judged = bodies.map((text) => `m.judgeSuccess({ headers: {}, text: ${text} })`).join();
    const given = evaluate('service/response-kind.ts', `((n) => [${judged}])(${MIB})`);
    expect(given).toBe('success,web-page,success,success,success,success');
  });
});

describe('judgeRefusal', () => {
  test.each(listRows(REFUSALS))('returns $kind for $type $name', ({ kind, type, body }) => {
    expect(judge(judgeRefusal, type, body)).toBe(kind);
  });
});
