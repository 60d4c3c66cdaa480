import { beforeEach, describe, expect, test } from '@jest/globals';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTlsMaterial } from '../../src/inputs/tls.ts';
import type { TlsMaterial } from '../../src/service/settings.ts';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';
import {
  SECRET,
  catchLaterProblems,
  collect,
  isolateEnvironment,
  makePair,
  setInputs,
} from '../support/inputs.ts';
import type { Pair } from '../support/inputs.ts';

const MIB = 1024 * 1024;

// Inputs have no white space around them.
const one = trim(await makePair('one'));
const other = trim(await makePair('other'));
const weak = trim(await makePair('weak', 1024));
let workspace = '';

isolateEnvironment();
beforeEach(async () => {
  workspace = join(
    await makeFolder({
      'workspace/tls/cert.pem': one.cert,
      'workspace/tls/key.pem': one.key,
      'workspace/tls/text.pem': SECRET,
      'workspace/tls/empty.pem': '',
      'workspace/directory.pem/file': '',
      'mount/..2026/ca.pem': one.cert,
    }),
    'workspace',
  );
});

function trim({ cert, key }: Pair): Pair {
  return { cert: cert.trim(), key: key.trim() };
}

function readTls({ ca = '', cert = '', key = '' }: Partial<TlsMaterial>): Promise<TlsMaterial> {
  setInputs({ 'ca-cert': ca, 'client-cert': cert, 'client-key': key });
  return collect(readTlsMaterial, { workspace });
}

function listProblems(inputs: Partial<TlsMaterial>): Promise<readonly string[]> {
  return catchLaterProblems(readTls(inputs));
}

describe('readTlsMaterial', () => {
  test('accepts PEM text of CA certificates, a client certificate, both or none', async () => {
    const ca = `Subject: one\n${one.cert}\nSubject: other\n${other.cert}`;
    for (const inputs of [{}, { ca }, one, { ca, ...one }]) {
      expect(await readTls(inputs)).toEqual(inputs);
    }
  });

  test('accepts paths, relative to the workspace or absolute', async () => {
    const inputs = { cert: 'tls/cert.pem', key: './tls/key.pem' };
    expect(await readTls({ ca: join(workspace, 'tls', 'cert.pem'), ...inputs })).toEqual({
      ca: one.cert,
      ...one,
    });
    const comment = '# Z\u00fcrich\n';
    writeFileSync(join(workspace, 'latin1.pem'), `${comment}${one.cert}`, 'latin1');
    expect((await readTls({ ca: 'latin1.pem' })).ca).toContain(one.cert);
  });

  test('checks the key against the first certificate of a chain', async () => {
    const cert = `${one.cert}\n${other.cert}`;
    expect(await readTls({ cert, key: one.key })).toEqual({ cert, key: one.key });
  });

  const privateKey = createPrivateKey(one.key);
  const encrypt = (type: 'pkcs8' | 'sec1'): string => {
    const encryption = { cipher: 'aes-256-cbc', passphrase: SECRET };
    return String(privateKey.export({ type, format: 'pem', ...encryption }));
  };
  const MISMATCH = 'the key is that of another certificate.';
  const NO_KEY = 'UNSUPPORTED): the key must be a private key as PEM text with its line breaks.';
  const ENCRYPTED =
    'BAD_DECRYPT): the key is encrypted. `openssl pkey -in key.pem -out plain.pem` removes the passphrase.';

  test.each<[string, Pair, string]>([
    ['another key', { ...one, key: other.key }, `X509_KEY_VALUES_MISMATCH): ${MISMATCH}`],
    ['an encrypted key', { ...one, key: encrypt('pkcs8') }, ENCRYPTED],
    ['an encrypted EC key', { ...one, key: encrypt('sec1') }, ENCRYPTED],
    ['a certificate as the key', { ...one, key: one.cert }, NO_KEY],
    ['invalid PEM text', { ...one, key: one.key.replace(/\n.{20}/, `\n${SECRET}`) }, NO_KEY],
    ['a key without line breaks', { ...one, key: one.key.replaceAll('\n', '\\n') }, NO_KEY],
    ['a file without a key', { ...one, key: 'tls/text.pem' }, NO_KEY],
  ])('says why TLS does not accept %s', async (_, pair, problem) => {
    expect(await listProblems(pair)).toEqual([
      `\`client-key\` cannot be used with \`client-cert\` (ERR_OSSL_${problem}`,
    ]);
  });

  test('refuses a certificate that TLS does not accept', async () => {
    expect(await listProblems(weak)).toEqual([
      '`client-key` cannot be used with `client-cert` (ERR_SSL_EE_KEY_TOO_SMALL): set another certificate, with its key.',
    ]);
  });

  test('refuses a client certificate or a key alone, beside all other problems', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const problem = '`client-cert` and `client-key` must be set together.';
    expect(await listProblems({ ca: 'missing.pem', key: one.key })).toEqual([
      'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification. Remove it; for a private CA set `ca-cert`.',
      "`ca-cert`: the file 'missing.pem' does not exist. Create it, or check out the repository, before this step.",
      problem,
    ]);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';
    expect(await listProblems({ cert: one.cert })).toEqual([problem]);
    setInputs({ 'client-cert': one.cert });
    expect(await collect(readTlsMaterial, { workspace, dryRun: true })).toEqual({});
  });

  test.each<[string, () => string]>([
    ['a key', () => one.key],
    ['empty PEM text', () => framePem('')],
    ['invalid PEM text', () => framePem(SECRET)],
    ['a certificate without its end', () => one.cert.replace(/-----END[^]*/, '')],
    ['a certificate without some characters', () => one.cert.replace(/\n.{60}/, '\n')],
    ['a valid and an invalid certificate', () => `${one.cert}\n${framePem('AAAA')}`],
    ['a second one without its end', () => `${one.cert}\n${one.cert.replace(/-----END[^]*/, '')}`],
    ['a first one without its end', () => `${one.cert.replace(/-----END[^]*/, '')}${one.cert}`],
    ['the path of another file', () => 'tls/text.pem'],
    ['the path of an empty file', () => 'tls/empty.pem'],
  ])('refuses %s as a certificate', async (_, write) => {
    for (const [input, inputs] of [
      ['ca-cert', { ca: write() }],
      ['client-cert', { cert: write(), key: one.key }],
    ] as const) {
      expect(await listProblems(inputs)).toEqual([
        expect.stringContaining(`\`${input}\` has no usable certificate. It must be PEM text with`),
      ]);
    }
  });

  test.each([
    ['directory.pem', 'cannot be read (not a regular file).'],
    ['nul\0byte.pem', 'cannot be read (ERR_INVALID_ARG_VALUE).'],
    ['missing.pem', 'does not exist. Create it, '],
  ])('refuses the path %j, and names it in the message', async (path, problem) => {
    const file = `the file '${path}' ${problem}`;
    expect(await listProblems({ ca: path, cert: path, key: one.key })).toEqual([
      expect.stringContaining(`\`ca-cert\`: ${file}`),
      expect.stringContaining(`\`client-cert\`: ${file}`),
    ]);
  });

  test('refuses a file that is too large to be PEM text', async () => {
    writeFileSync(join(workspace, 'large.pem'), one.cert.padEnd(MIB + 1));
    writeFileSync(join(workspace, 'largest.pem'), one.cert.padEnd(MIB));
    expect(await listProblems({ ca: 'large.pem' })).toEqual([
      "`ca-cert`: the file 'large.pem' cannot be read (too large).",
    ]);
    expect((await readTls({ ca: 'largest.pem' })).ca).toHaveLength(MIB);
  });

  test('says how to convert a file that is DER', async () => {
    const files = {
      cert: new X509Certificate(one.cert).raw,
      sec1: privateKey.export({ type: 'sec1', format: 'der' }),
      pkcs8: privateKey.export({ type: 'pkcs8', format: 'der' }),
    };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(workspace, name), bytes);
    expect(await listProblems({ ca: 'cert', cert: 'cert', key: 'sec1' })).toEqual([
      convert('ca-cert', 'x509', 'cert'),
      convert('client-cert', 'x509', 'cert'),
      convert('client-key', 'pkey', 'sec1'),
    ]);
    expect(await listProblems({ cert: one.cert, key: 'pkcs8' })).toEqual([
      convert('client-key', 'pkey', 'pkcs8'),
    ]);
  });

  // The beginnings of files of openssl (more than 255 bytes, and more than 65,535) and of Java (no length).
  test.each(['308203fc020103308203b2', '3083010000020103', '3080020103308006'])(
    'says how to convert a file that is PKCS#12: %s',
    async (digits) => {
      writeFileSync(join(workspace, 'a.p12'), Buffer.from(digits, 'hex'));
      const problem =
        "the file 'a.p12' is PKCS#12 (.p12, .pfx), not PEM. Convert it, and name the result: openssl pkcs12 -in 'a.p12'";
      expect(await listProblems({ ca: 'a.p12', cert: 'a.p12', key: 'a.p12' })).toEqual([
        `\`ca-cert\`: ${problem} -cacerts -nokeys -out ca.pem`,
        `\`client-cert\`: ${problem} -clcerts -nokeys -out cert.pem`,
        `\`client-key\`: ${problem} -nocerts -nodes -out key.pem`,
      ]);
    },
  );

  test.each<[string, (key: string) => string]>([
    ['lines of a key', (key) => key.split('\n').slice(1, 3).join('\n')],
    ['lines of a key with CRLF', (key) => key.split('\n').slice(1, 3).join('\r\n')],
    ['one line of a key', (key) => key.split('\n')[1] ?? ''],
    ['a key in Base64', (key) => Buffer.from(key).toString('base64')],
    ['a JWT', () => `${SECRET}.${SECRET}.signature`],
    ['a missing file without an extension', () => 'tls/key'],
  ])('does not show %s as a path', async (_, write) => {
    expect(await listProblems({ cert: one.cert, key: write(one.key) })).toEqual([
      '`client-key` is neither PEM text (-----BEGIN ...) nor the path of a file. Decode it first if it is Base64.',
    ]);
  });
});

describePosix('readTlsMaterial with links', () => {
  test('follows them out of the workspace and to hidden names, as Kubernetes mounts secrets', async () => {
    symlinkSync('../mount/..2026/ca.pem', join(workspace, 'mounted.pem'));
    expect(await readTls({ ca: 'mounted.pem' })).toEqual({ ca: one.cert });
  });
});

function convert(input: string, command: string, path: string): string {
  return `\`${input}\`: the file '${path}' is DER, not PEM. Convert it, and name the result: openssl ${command} -inform der -in '${path}' -out '${path}.pem'`;
}

function framePem(text: string): string {
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
}
