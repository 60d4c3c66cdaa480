import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Redactor } from '../../src/redaction/clean.ts';
import { ENCODINGS } from '../properties/encodings.ts';
import { evaluate } from '../support/workspace.ts';

function makeRedactor(secrets: readonly string[], mayBeWords = false): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.learn(secret, mayBeWords);
  return redactor;
}

describe('Redactor', () => {
  test.each([
    ['longer secrets first', 'x token-long y token', ['token', 'token-long'], 'x *** y ***'],
    ['secrets that resemble patterns', 'a.c abc $& $1 (', ['a.c', '$&', '('], '*** abc *** $1 ***'],
    ['secrets that overlap or touch once', 'x abcdefcdefg y', ['abcd', 'cdef'], 'x ***g y'],
    ['a short secret that overlaps itself', 'x abababa y', ['aba'], 'x *** y'],
    ['a secret of asterisks once', 'a ** b', ['*'], 'a *** b'],
    ['only invisible characters without secrets', 'te\u200bxt', ['\u200b', ''], 'text'],
    ['secrets that have them', 's3c\u200bret', ['s3c\u200bret'], '***'],
    ['a secret whose escapes were undone', 'a+b:c', ['a%2bb%3Ac'], '***'],
    ['one whose white space was joined', 'a 1 b', ['a  1\tb'], '***'],
    [
      'what is escaped as a whole',
      String.raw`x\"a&#x2B;b\u002bc\"`,
      ['a+b'],
      String.raw`x\"***\u002bc\"`,
    ],
  ])('replaces %s', (_, text, secrets, redacted) => {
    expect(makeRedactor(secrets).redact(text)).toBe(redacted);
  });

  test('masks any 8 characters of a secret, also if they are words, and no fewer', () => {
    const secret = 'correct horse battery staple ABCDEFGHIJ 0123456789';
    const redactor = makeRedactor([secret]);
    for (let start = 0; start + 8 <= secret.length; start += 1) {
      expect(redactor.redact(`(${secret.slice(start, start + 8)})`)).toBe('(***)');
      expect(redactor.redact(`(${secret.slice(start, start + 7)})`)).not.toContain('*');
    }
  });

  test('leaves no half of a character where a piece ends', () => {
    const secret = `${'x'.repeat(31)}\u{1f511}${'y'.repeat(40)}`;
    const redactor = makeRedactor([secret]);
    expect(redactor.redact(`${secret.slice(0, 33)}z`)).toBe('***z');
    // Another character begins with the same half.
    expect(redactor.redact(`${secret.slice(0, 32)}\ud83d\udd12z`)).toBe('***z');
  });

  test.each([
    ['', 0],
    ['-', 2],
    ['--', 3],
  ])('masks it in Base64 after %j, but for %i characters', (before, shown) => {
    const encoded = Buffer.from(`${before}Secret-1`).toString('base64url');
    const redacted = makeRedactor(['Secret-1']).redact(encoded);
    expect(redacted.replace(/\*{3}.?$/, '')).toBe(encoded.slice(0, shown));
  });

  test('does not search for pieces of Base64 below 8 characters, which could occur by chance', () => {
    const encoded = Buffer.from('-s3cret-').toString('base64');
    expect(makeRedactor(['s3cret']).redact(`czNjcmV0 ${encoded}`)).toBe(`*** ${encoded}`);
  });

  test('takes linear time for secrets and texts of one character', () => {
    // In a process that is killed after 60 s: any other time would be minutes.
    const learning =
      "for (let more = 0; more < 60; more += 1) redactor.learn('a'.repeat(16_000 + more))";
    const change = `(() => { const redactor = new m.Redactor(); ${learning}; return redactor.redact('a'.repeat(65_536)); })()`;
    expect(evaluate('redaction/clean.ts', change)).toBe('***');
  });
});

describe('Redactor with secrets that may be words', () => {
  test.each([
    ['my-team-trivy-report-key01', 'my-team-trivy-report.json: report-key01', undefined],
    ['my-team-trivy-report-key01', 'key01 (my-team-trivy-report-key01)', 'key01 (***)'],
    ['production', 'productions', '***s'],
    ['Password1', 'The Password of a proxy: Password1.', 'The Password of a proxy: ***.'],
    ['Bearer PROD2026', 'PROD2026 Bearer%20PROD2026', 'PROD2026 ***'],
    ['team=nightly+run', String.raw`team\u003dnightly+run nightly+run`, '*** nightly+run'],
    ['team-app+run', String.raw`team-app\u002Brun`, '***'],
    ['team-app/run', 'team-app&#x2F;run', '***'],
    ['team-app/run', String.raw`team-app\/run`, '***'],
    // Where a text was cut, the beginning of a secret may be left.
    ['my-team-trivy-key', 'my-team- … my-team-tri …, my-team-tri', '*** … *** …, my-team-tri'],
    ['Correct Horse Battery', 'Correct Horse … Correct: …', '***… Correct: …'],
    ['my-team-trivy-key', 'my-team …', undefined],
    [
      'my-team/trivy key',
      'my-team%2Ftri …, my-team% …, my-team%2Ftrivy&#x2 …',
      '*** …, my-team% …, ***&#x2 …',
    ],
    ['my-team&trivy', 'my-team&am …, my-team&#3 …', '***am …, ***#3 …'],
    ['Team-app-', 'Team-app', '***'],
  ])('shows what is words, but not the whole: %s in %s', (secret, text, redacted) => {
    expect(makeRedactor([secret], true).redact(text)).toBe(redacted ?? text);
  });
});

/** Marks that encodings escape, next to each other, and characters that Base64 writes with its own marks. */
const PASSWORD = '7h"/K+q&\'3<\\w"/Z%9+x>=r\'&8s!5*(b)???>>>~~~k/2"mN4kR8vT';

function makeJwt(): string {
  const parts = [
    { alg: 'RS256', kid: randomUUID() },
    { sub: 'repo:a/b', jti: randomUUID() },
  ];
  const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${encoded.join('.')}.${randomBytes(256).toString('base64url')}`;
}

/** Base32 (RFC 4648, section 6): mostly letters of one case. */
function makeBase32(): string {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return Array.from(randomBytes(52), (byte) => characters[byte % 32]).join('');
}

/** The secrets that are learnt, lines of one text. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'a JWT': [makeJwt()],
  'a token in Base32': [makeBase32()],
  'lines in Base64': [randomBytes(48), randomBytes(32)].map((line) => line.toString('base64')),
  'a password with punctuation': [PASSWORD],
  'a password with white space': ['7h  K+q& 3<w\tZ%9+x> =r8s!5 *b ?>~k2 mN4kR8  vT'],
  'a Basic credential': [`Basic ${btoa(`uploader:${PASSWORD}`)}`],
};

/** How services shorten a secret: pydantic keeps its start and end. */
const SHORTENERS: Readonly<Record<string, (secret: string) => readonly string[]>> = {
  whole: (secret) => [secret],
  'its start and end': (secret) => [`${secret.slice(0, 25)}...${secret.slice(-24)}`],
};

/** Any 8 characters of a text. */
function listWindows(text: string): readonly string[] {
  return text
    .split('')
    .map((_, start) => text.slice(start, start + 8))
    .slice(0, -7);
}

describe.each(Object.entries(SECRETS))('Redactor with %s', (_, secrets) => {
  const redactor = makeRedactor(secrets);
  const known = secrets.map((line) => line.toLowerCase());

  test.each(Object.entries(SHORTENERS))('shows no 8 characters of %s', (_name, shorten) => {
    for (const [encoding, { encode, decode }] of Object.entries(ENCODINGS)) {
      const pieces = shorten(secrets.join('\n')).map((piece) => `(${encode(piece)})`);
      const shown = redactor.redact(pieces.join(' '));
      const visible = shown.split(/\*{3}|[()]/).flatMap((part) => decode(part));
      const parts = visible.flatMap((text) => listWindows(text.toLowerCase()));
      const found = parts.filter((part) => known.some((line) => line.includes(part)));
      expect([encoding, found]).toEqual([encoding, []]);
      expect([encoding, shown]).toEqual([encoding, expect.stringContaining('***')]);
    }
  });
});
