import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { tryJson } from '../../src/json.ts';
import { isHtmlType, judgeSuccess } from '../../src/service/response-kind.ts';
import type { ResponseKind } from '../../src/service/response-kind.ts';
import { decodeBody } from '../../src/service/decode-body.ts';
import { evaluate } from '../support/evaluate.ts';
import { KIB, MIB } from '../support/samples.ts';

/** A media type, more headers, or none, and a body. More codings and charsets: decode-body.test.ts. */
type Sample = readonly [string | Readonly<Record<string, string>> | undefined, string | Buffer];

const PAGE = '<!doctype html>\n<title>Sign in</title><form method="post"></form>';
const PROBLEM = '{"status":500,"title":"t"}';
const ZIPPED = { 'content-encoding': 'gzip' };
const BLANK = ' '.repeat(100 * KIB);

function judge([head = {}, body]: Sample): ResponseKind {
  const headers = typeof head === 'string' ? { 'content-type': head } : head;
  const text = decodeBody(headers, Buffer.from(body));
  return judgeSuccess({ headers, text, value: tryJson(text?.trim() ?? '') });
}

/** UTF-16 with the higher byte first. */
function swap(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

const SAMPLES: Readonly<Record<ResponseKind, readonly Sample[]>> = {
  problem: [
    [undefined, '{"title":"No","status":400}'],
    ['text/plain', '\ufeff \n{"title":"No","status":599} '],
    ['text/plain', `\ufeff\ufeff${PROBLEM}`],
    ['text/html', PROBLEM],
    [undefined, `{"pad":"${'x'.repeat(100 * KIB)}","status":500}`],
    [undefined, `${BLANK}${PROBLEM}`],
    [undefined, '{"status":"500"}'],
    [undefined, '{"status":" 404 "}'],
    [undefined, '{"status":5e2}'],
    [undefined, '[{"status":500}]'],
    [undefined, '[{"status":200},{"status":500}]'],
    [undefined, ' [{"status":"401"},{"status":200},1]'],
    ['text/plain; charset=utf-16be', swap(PROBLEM)],
    [ZIPPED, gzipSync(PROBLEM)],
    ['application/problem+xml', ''],
    ['"application/problem+json"', ''],
    ['Application/Problem+JSON; charset=utf-8', '{"detail":"no"}'],
    [{ 'content-type': 'application/problem+json', 'content-encoding': 'zstd' }, 'unknown'],
  ],
  json: [
    '{"success":false}',
    '{"success":false,"error":"quota"}',
    '{"Ok":false,"status":"done"}',
    '{"succeeded":false,"ok":"x"}',
    '{"isSuccess":false}',
    '{"status":"failed"}',
    '{"status":"Error"}',
    '{"status":" fail ","errors":[]}',
    '{"status":"failure"}',
    '{"error":"quota"}',
    '{"errors":["bad"]}',
    '{"Errors":{"a":[[{"b":"bad"}]]}}',
    '{"status":"queued","error":{"message":"bad"}}',
    `{"errors":${'['.repeat(4000)}"x"${']'.repeat(4000)}}`,
    '[{"success":false}]',
    '[{"success":true},{"success":false,"error":"quota"}]',
  ].map((body): Sample => [undefined, body]),
  'web-page': [
    ...[
      PAGE,
      '\n <html lang="en">',
      '<h1>Sign in</h1>',
      '<div>',
      '<iframe src="/login">',
      '<style>',
      '<noscript>',
      '<p>',
      '<report/>',
      '<x',
      '</p>',
      '<?xml-stylesheet href="a.xsl"?><html>',
      '<?php echo "?><html>',
      '<BODY onload="x()">',
      '<!DOCTYPE\n\thtml PUBLIC "x">',
      '<!-- a -- b > c --><html>',
      '<!-- a --!> <html>',
      '<!--><p> --> ok',
      '<!---><p> --> ok',
      '<p><?xml version="1.0"?></p>',
      '<!-- never closed <html>',
      '<!-- a --> <!-- b -->\n<p>',
      '<?xml version="1.0"?><html>',
      ' <!-- a --><?XML version="1.0"?><HTML>',
      '<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE html PUBLIC "x">',
      '<?xml version="1.0"?><?xml-stylesheet href="a>b"?><!DOCTYPE h [<!ENTITY a "b>">] ><xh:html xmlns:xh="x">',
      `${BLANK}<html>`,
      `<!--${BLANK}--><html>`,
    ].map((body): Sample => [undefined, body]),
    ['application/xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['text/xml; charset=utf-8', '<!doctype  HTML><h1/>'],
    ['text/xml', '<!DOCTYPE a><html/>'],
    ['text/xml', '<!DOCTYPE a []><html/>'],
    ['image/svg+xml', '<html/>'],
    ['application/json', PAGE],
    ['text/plain; x=application/xml', '<p/>'],
    ['text/plain; charset=utf-16', '<html>'],
    ['text/plain', Buffer.from(`\ufeff${PAGE}`, 'utf16le')],
    [{ 'content-encoding': 'gzip' }, gzipSync(PAGE)],
    ['text/html', 'Sign in\nfirst'],
    ['text/html', 'Sign in\rfirst'],
    ['text/html', '1 < 2'],
    ['text/html', 'x'.repeat(201)],
    ['"text/html"', '<'],
    ['text / html', 'x <b>'],
    ['application/xhtml+xml', '<?xml version="1.0"?><p/>'],
    [{ 'content-type': 'text/html', refresh: '0; url=/login' }, 'OK'],
    [{ 'content-type': 'text/html', refresh: '0; url=/login' }, ''],
    [{ refresh: '0; url=/login' }, ' '],
  ],
  success: [
    ...[undefined, 'application/json', 'text/html', 'application/xhtml+xml', 'application/xml'].map(
      (type): Sample => [type, ''],
    ),
    [{ 'content-encoding': 'zstd' }, ''],
    ['text/html; charset=utf-8', 'OK'],
    ['text/html', ` ${'é'.repeat(198)}🎉🎉\r\n`],
    ['text/html', '{"id":7}'],
    [' Text/HTML', `{"a":"${'x'.repeat(200)}\\n<b>"}`],
    [{ 'content-type': 'text/plain', refresh: '0' }, 'OK'],
    ...[
      '{"errors":[]}',
      '{"error":null}',
      '{"errors":{"critical":0}}',
      '{"error":{"code":0,"message":""}}',
      '{"error":" \\n"}',
      '{"status":"queued"}',
      '{"success":true,"error":"ignored"}',
      '{"success":"false"}',
      '{"ok":null,"id":"false"}',
      '{"data":{"success":false,"error":"x"}}',
      `{"errors":${'['.repeat(4000)}${']'.repeat(4000)}}`,
    ].map((body): Sample => ['application/json', body]),
    [undefined, '"ok"'],
    [undefined, 'Thank you for the scan.'],
    ['text/plain', 'accepted <html>'],
    [undefined, 'stored --> <html>'],
    [undefined, '< 3 ms'],
    [undefined, '<!-- only a comment -->'],
    ['text/htmlx', 'o\nk'],
    ['text/plain; was=text/html', 'o\nk'],
    ['application/json', '{"html":"<html>","nul":"\\u0000"}'],
    [undefined, `{"ids":[${'1234567,'.repeat(120 * KIB)}1]}`],
    [undefined, '['.repeat(500 * KIB)],
    ...[399, 600, 4000, 400.5, '""', '"4xx"', '"x400"', '[500]', '{"a":500}', 'null', 'true'].map(
      (status): Sample => ['application/json', `{"status":${status}}`],
    ),
    [undefined, '[[{"status":500}]]'],
    [undefined, '[]'],
    [undefined, '[null]'],
    [undefined, 'null'],
    [undefined, '{"problem":{"status":500}}'],
    [undefined, '{"status":500'],
    [undefined, '<?xml version="1.0"?><string>ok</string>'],
    [undefined, '<?xml version="1.0"?><report><html/></report>'],
    [undefined, '<?xml version="1.0"?><!DOCTYPE report><report/>'],
    [undefined, '<?xml version="1.0"?><html-report/>'],
    [undefined, '<?xml version="1.0"?><!DOCTYPE html-report><x:html.report/>'],
    [undefined, '<?xml version="1.0"?><!-- <html> --><report/>'],
    [undefined, '<?xml version="1.0"?><!-- a --!><html> --><report/>'],
    [undefined, '<?xml version="1.0"'],
    ['application/xml', '<report/>'],
    ['text/xml', '<!-- a --><h1/>'],
    ['application/atom+xml; type=entry', '<entry/>'],
    [ZIPPED, gzipSync('x'.repeat(MIB))],
  ],
  other: [
    [undefined, 'o\0k'],
    ['text/plain; charset=iso-8859-1', 'o\0k'],
    ['application/json', Buffer.from('{"a":1}', 'utf16le')],
    [undefined, swap(PAGE)],
    [undefined, gzipSync(PAGE)],
    [{ 'content-encoding': 'zstd' }, zstdCompressSync(PAGE)],
    [ZIPPED, PROBLEM],
  ],
};

describe('judgeSuccess', () => {
  const rows = Object.entries(SAMPLES).flatMap(([expected, samples]) =>
    samples.map((sample) => ({
      expected,
      sample,
      name: JSON.stringify([sample[0] ?? '', sample[1].toString('latin1').slice(0, 60)]),
    })),
  );

  test.each(rows)('returns $expected for $name', ({ expected, sample }) => {
    expect(judge(sample)).toBe(expected);
  });

  test('returns in time for many repetitions', () => {
    const bodies: readonly (readonly [string, ResponseKind])[] = [
      ["'<!---->'.repeat(n / 7) + 'x'", 'success'],
      ["'<!--'.repeat(n / 4)", 'web-page'],
      ["' '.repeat(n) + 'x'", 'success'],
      ["'<?xml ?>' + '<!doctype a>'.repeat(n / 12)", 'success'],
      ["'<?xml ?>' + '<!doctype '.repeat(n / 10)", 'success'],
      ["'<?xml ?><!doctype' + ' '.repeat(n) + 'x'", 'success'],
      ["'<?xml ?><!doctype ' + '[]'.repeat(n / 2)", 'success'],
      ["'<?xml ?><' + 'html:'.repeat(n / 5)", 'success'],
      ["'['.repeat(n)", 'success'],
    ];
    const judged = bodies.map(([body]) => `m.judgeSuccess({ headers: {}, text: ${body} })`).join();
    const given = evaluate('service/response-kind.ts', `((n) => [${judged}])(${MIB})`);
    expect(given.split(',')).toEqual(bodies.map(([, expected]) => expected));
  });
});

describe('isHtmlType', () => {
  test.each([
    [undefined, false],
    ['text/plain', false],
    ['text/html;charset=utf-8', true],
    ['application/xhtml+xml', true],
  ])('returns for %s: %s', (type, expected) => {
    expect(isHtmlType(type)).toBe(expected);
  });
});
