import { X509Certificate, createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readTlsMaterial } from '../../src/inputs/tls.ts';
import { clean, takeMasks } from '../../src/redaction/clean.ts';
import type { TlsMaterial } from '../../src/service/agent.ts';
import { SECRET, catchTexts, collect, isolateEnvironment, setInputs } from '../support/inputs.ts';
import { makeCertificate } from '../support/network.ts';
import type { Certificate } from '../support/network.ts';
import { makeFolder } from '../support/workspace.ts';

// Inputs have no white space around them.
const one = trim(await makeCertificate('one'));
const other = trim(await makeCertificate('other'));
let workspace = '';

isolateEnvironment();
beforeEach(async () => {
  takeMasks();
  workspace = await makeFolder({
    'tls/cert.pem': one.cert,
    'tls/key.pem': one.key,
    'tls/text.pem': SECRET,
    'tls/der.cer': new X509Certificate(one.cert).raw,
  });
});

function trim({ cert, key }: Certificate) {
  return { cert: cert.trim(), key: key.trim() };
}

function readTls({ ca = '', cert = '', key = '' }: Partial<TlsMaterial>): Promise<TlsMaterial> {
  setInputs({ 'ca-cert': ca, 'client-cert': cert, 'client-key': key });
  return collect(readTlsMaterial, { workspace });
}

function listFaults(inputs: Partial<TlsMaterial>): Promise<readonly string[]> {
  return catchTexts(() => readTls(inputs));
}

describe('readTlsMaterial', () => {
  test('accepts PEM text of CA certificates, a client certificate or chain, both or none', async () => {
    const ca = `Subject: one\n${one.cert}\nSubject: other\n${other.cert}`;
    const chain = { cert: `${one.cert}\n${other.cert}`, key: one.key };
    for (const inputs of [{}, { ca }, one, { ca, ...one }, chain]) {
      expect(await readTls(inputs)).toEqual({ ...inputs, isExtraCaMissing: false });
    }
  });

  test('accepts paths, relative to the workspace or absolute', async () => {
    const ca = join(workspace, 'tls', 'cert.pem');
    const read = await readTls({ ca, cert: 'tls/cert.pem', key: './tls/key.pem' });
    expect(read).toEqual({ ca: one.cert, ...one, isExtraCaMissing: false });
  });

  test('hides the lines of a key that a file has', async () => {
    const { cert, key } = await makeCertificate('hidden');
    const directory = await makeFolder({ 'key.pem': `Bag Attributes\n${key}` });
    await readTls({ cert, key: join(directory, 'key.pem') });
    const lines = key.trim().split('\n').slice(1, -1);
    expect(takeMasks()).toEqual(lines);
    expect(clean(lines.join(' '))).toMatch(/^[* ]+$/);
  });

  const encryption = { cipher: 'aes-256-cbc', passphrase: SECRET };
  const encrypted = String(
    createPrivateKey(one.key).export({ type: 'pkcs8', format: 'pem', ...encryption }),
  );

  test.each<[string, typeof one, ...string[]]>([
    ['another key', { ...one, key: other.key }, 'OSSL_X509_KEY_VALUES_MISMATCH'],
    // One of 256 keys seems to have no passphrase, and is not readable.
    ['an encrypted key', { ...one, key: encrypted }, 'OSSL_BAD_DECRYPT', 'OSSL_UNSUPPORTED'],
    ['a file without a key', { ...one, key: 'tls/text.pem' }, 'OSSL_UNSUPPORTED'],
  ])('says why TLS does not accept %s', async (_, pair, ...codes) => {
    const [fault, ...others] = await listFaults(pair);
    expect(others).toEqual([]);
    expect(
      codes.map((code) => {
        return `\`client-key\` cannot be used with \`client-cert\` (ERR_${code}): it must be the private key of this certificate, in PEM without a passphrase (openssl pkey -in key.pem -out plain.pem removes it).`;
      }),
    ).toContain(fault);
  });

  test('says that NODE_EXTRA_CA_CERTS names no file', async () => {
    process.env.NODE_EXTRA_CA_CERTS = `${workspace}/missing.pem`;
    const read = await collect(readTlsMaterial, { workspace, dryRun: false });
    expect(read).toEqual({ isExtraCaMissing: true });
    process.env.NODE_EXTRA_CA_CERTS = workspace;
    expect(await collect(readTlsMaterial, { workspace, dryRun: false })).toEqual({
      isExtraCaMissing: false,
    });
  });

  test('refuses a client certificate or a key alone, beside all other faults', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const problem = '`client-cert` and `client-key` must be set together.';
    expect(await listFaults({ ca: 'missing.pem', key: one.key })).toEqual([
      'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification. Remove it; for a private CA set `ca-cert`.',
      "`ca-cert`: the file 'missing.pem' does not exist. Create it, or check out the repository, before this step.",
      problem,
    ]);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';
    expect(await listFaults({ cert: one.cert })).toEqual([problem]);
    setInputs({ 'client-cert': one.cert });
    expect(await collect(readTlsMaterial, { workspace, dryRun: true })).toEqual({
      cert: one.cert,
      isExtraCaMissing: false,
    });
  });

  test.each<[string, () => string]>([
    ['a key', () => one.key],
    ['a certificate without its end', () => one.cert.replace(/-----END[^]*/, '')],
    ['a valid and an invalid certificate', () => `${one.cert}\n${framePem('AAAA')}`],
    ['a first one without its end', () => `${one.cert.replace(/-----END[^]*/, '')}${one.cert}`],
  ])('refuses %s as a certificate', async (_, write) => {
    for (const [input, inputs] of [
      ['ca-cert', { ca: write() }],
      ['client-cert', { cert: write(), key: one.key }],
    ] as const) {
      expect(await listFaults(inputs)).toEqual([
        `\`${input}\` has no usable certificate. It must be PEM text with its line breaks, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.`,
      ]);
    }
  });

  test('says that a file is not PEM', async () => {
    const path = 'tls/der.cer';
    expect(await listFaults({ ca: path, cert: path, key: path })).toEqual(
      ['ca-cert', 'client-cert', 'client-key'].map((input) => {
        return `\`${input}\`: '${path}' is DER or PKCS#12, not PEM. Convert it with openssl.`;
      }),
    );
  });

  test.each<[string, (key: string) => string]>([
    ['lines of a key', (key) => key.split('\n').slice(1, 3).join('\n')],
    ['a key in Base64', (key) => Buffer.from(key).toString('base64')],
    ['a missing file without an extension', () => 'tls/key'],
  ])('does not show %s as a path', async (_, write) => {
    expect(await listFaults({ cert: one.cert, key: write(one.key) })).toEqual([
      '`client-key` is neither PEM text (-----BEGIN ...) nor the path of a file. Decode it first if it is Base64.',
    ]);
  });
});

function framePem(text: string): string {
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
}
