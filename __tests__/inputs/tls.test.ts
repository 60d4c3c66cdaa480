import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTlsMaterial } from '../../src/inputs/tls.ts';
import type { TlsMaterial } from '../../src/service/settings.ts';
import { describeLinux, describePosix, listOpenFiles } from '../support/files.ts';
import { makePair } from '../support/inputs.ts';
import type { Pair } from '../support/inputs.ts';
import { SECRET } from '../support/inputs.ts';
import { catchLaterProblems } from '../support/inputs.ts';

interface TlsInputs {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

let workspace = '';
let one: Pair;
let other: Pair;

beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), 'inputs-tls-'));
  [one, other] = [makePair('one'), makePair('other')];
  mkdirSync(join(workspace, 'tls'));
  mkdirSync(join(workspace, 'directory.pem'));
  writeFileSync(join(workspace, 'tls', 'cert.pem'), one.cert);
  writeFileSync(join(workspace, 'tls', 'key.pem'), one.key);
  writeFileSync(join(workspace, 'tls', 'text.pem'), SECRET);
});

afterAll(() => rmSync(workspace, { recursive: true, force: true }));

function read(inputs: Partial<TlsInputs>): Promise<TlsMaterial> {
  const texts = new Map([
    ['ca-cert', inputs.ca],
    ['client-cert', inputs.cert],
    ['client-key', inputs.key],
  ]);
  return readTlsMaterial((input) => texts.get(input) ?? '', workspace);
}

describe('readTlsMaterial', () => {
  test('accepts PEM text of a CA certificate, a client certificate, both or none', async () => {
    const ca = other.cert;
    for (const inputs of [{}, { ca }, one, { ca, ...one }])
      expect(await read(inputs)).toEqual(inputs);
  });

  test('accepts paths, relative to the workspace or absolute', async () => {
    const cert = join(workspace, 'tls', 'cert.pem');
    expect(await read({ ca: cert, cert: 'tls/cert.pem', key: './tls/key.pem' })).toEqual({
      ca: one.cert,
      ...one,
    });
  });

  test('accepts multiple CA certificates with text between them', async () => {
    const ca = `Subject: one\n${one.cert}\nSubject: other\n${other.cert}`;
    expect(await read({ ca })).toEqual({ ca });
  });

  test('checks the key against the first certificate of a chain', async () => {
    const chain = `${one.cert}${other.cert}`;
    expect(await read({ cert: chain, key: one.key })).toEqual({ cert: chain, key: one.key });
    expect(await catchLaterProblems(read({ cert: chain, key: other.key }))).toEqual([
      '`client-key` does not belong to `client-cert`.',
    ]);
  });

  test('refuses a certificate that TLS does not accept', async () => {
    expect(await catchLaterProblems(read(makePair('weak', 1024)))).toEqual([
      expect.stringMatching(/^TLS does not accept `client-cert`: .*ee key too small\.$/),
    ]);
  });

  test('refuses a client certificate or a key alone, even if the CA certificate is invalid too', async () => {
    const problem = '`client-cert` and `client-key` must be set together.';
    expect(await catchLaterProblems(read({ key: one.key }))).toEqual([problem]);
    expect(await catchLaterProblems(read({ ca: 'missing.pem', cert: one.cert }))).toEqual([
      "`ca-cert`: the file 'missing.pem' does not exist in the workspace. Create it, or check out the repository, before this step.",
      problem,
    ]);
  });

  test('refuses an encrypted key', async () => {
    const key = createPrivateKey(one.key)
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: SECRET })
      .toString();
    expect(await catchLaterProblems(read({ cert: one.cert, key }))).toEqual([
      '`client-key` is not a usable PEM private key (without a passphrase).',
    ]);
  });

  test.each([
    ['a key', () => one.key],
    ['empty PEM text', () => '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----'],
    ['invalid PEM text', () => framePem(SECRET)],
    ['a certificate without its end', () => one.cert.replace(/-----END[^]*/, '')],
    ['a certificate without some characters', () => one.cert.replace(/\n.{60}/, '\n')],
    ['a valid and an invalid certificate', () => `${one.cert}${framePem('AAAA')}`],
    [
      'a valid certificate and one without its end',
      () => `${one.cert}${one.cert.replace(/-----END[^]*/, '')}`,
    ],
    ['the path of another file', () => 'tls/text.pem'],
  ])('refuses %s as a certificate', async (_, text) => {
    expect(await catchLaterProblems(read({ ca: text() }))).toEqual([
      expect.stringMatching(/^`ca-cert` has no usable certificate\. It must be PEM text/),
    ]);
    expect(await catchLaterProblems(read({ cert: text(), key: one.key }))).toEqual([
      expect.stringMatching(/^`client-cert` has no usable certificate\./),
    ]);
  });

  test.each([
    ['a certificate', () => one.cert],
    ['invalid PEM text', () => one.key.replace(/\n.{20}/, `\n${SECRET}`)],
    ['a key without line breaks', () => one.key.replaceAll('\n', '\\n')],
    ['the path of another file', () => 'tls/text.pem'],
  ])('refuses %s as a key', async (_, text) => {
    expect(await catchLaterProblems(read({ cert: one.cert, key: text() }))).toEqual([
      '`client-key` is not a usable PEM private key (without a passphrase).',
    ]);
  });

  test.each([
    ['directory.pem', 'not a regular file'],
    ['nul\0byte.pem', 'ERR_INVALID_ARG_VALUE'],
  ])('refuses the path %j, and names it in the message', async (path, code) => {
    expect(await catchLaterProblems(read({ ca: path }))).toEqual([
      `\`ca-cert\`: the file '${path}' cannot be read (${code}).`,
    ]);
  });

  test('refuses a file that is too large to be PEM text', async () => {
    writeFileSync(join(workspace, 'large.pem'), one.cert.padEnd(1024 * 1024 + 1));
    writeFileSync(join(workspace, 'largest.pem'), one.cert.padEnd(1024 * 1024));
    expect(await catchLaterProblems(read({ ca: 'large.pem' }))).toEqual([
      "`ca-cert`: the file 'large.pem' cannot be read (too large).",
    ]);
    expect((await read({ ca: 'largest.pem' })).ca).toHaveLength(1024 * 1024);
  });

  test('says how to convert a file that is DER', async () => {
    const der = { cert: new X509Certificate(one.cert).raw, key: exportDer(one.key, 'sec1') };
    for (const [name, bytes] of Object.entries(der)) writeFileSync(join(workspace, name), bytes);
    expect(await catchLaterProblems(read({ ca: 'cert', cert: 'cert', key: one.key }))).toEqual([
      convert('ca-cert', 'x509', 'cert'),
      convert('client-cert', 'x509', 'cert'),
    ]);
    const pkcs8 = exportDer(one.key, 'pkcs8');
    writeFileSync(join(workspace, 'pkcs8'), pkcs8);
    for (const key of ['key', 'pkcs8']) {
      expect(await catchLaterProblems(read({ cert: one.cert, key }))).toEqual([
        convert('client-key', 'pkey', key),
      ]);
    }
  });

  test('reports the input whose file is missing', async () => {
    expect(await catchLaterProblems(read({ cert: 'missing.pem', key: one.key }))).toEqual([
      "`client-cert`: the file 'missing.pem' does not exist in the workspace. Create it, or check out the repository, before this step.",
    ]);
    expect(await catchLaterProblems(read({ cert: one.cert, key: 'missing.pem' }))).toEqual([
      "`client-key`: the file 'missing.pem' does not exist in the workspace. Create it, or check out the repository, before this step.",
    ]);
  });

  test.each([
    ['lines of a key', (key) => key.split('\n').slice(1, 3).join('\n')],
    ['lines of a key with CRLF', (key) => key.split('\n').slice(1, 3).join('\r\n')],
    ['one line of a key', (key) => key.split('\n')[1] ?? ''],
    ['a key in Base64', (key) => Buffer.from(key).toString('base64')],
    ['a JWT', () => `${SECRET}.${SECRET}.${SECRET}`],
    ['a missing file without an extension', () => 'tls/key'],
  ] as const satisfies readonly (readonly [string, (key: string) => string])[])(
    'does not show %s as a path',
    async (_, write) => {
      const key = write(one.key);
      expect(await catchLaterProblems(read({ cert: one.cert, key }))).toEqual([
        '`client-key` is neither PEM text (-----BEGIN ...) nor the path of a file. Decode it first if it is Base64.',
      ]);
    },
  );
});

describePosix('readTlsMaterial with links', () => {
  test('follows them out of the workspace and to hidden names, as Kubernetes mounts secrets', async () => {
    const mount = mkdtempSync(join(tmpdir(), 'inputs-tls-'));
    try {
      mkdirSync(join(mount, '..2026'));
      writeFileSync(join(mount, '..2026', 'ca.pem'), one.cert);
      symlinkSync('..2026', join(mount, '..data'));
      symlinkSync('..data/ca.pem', join(mount, 'ca.pem'));
      symlinkSync(join(mount, 'ca.pem'), join(workspace, 'mounted.pem'));
      for (const ca of [join(mount, 'ca.pem'), 'mounted.pem'])
        expect(await read({ ca })).toEqual({ ca: one.cert });
    } finally {
      rmSync(mount, { recursive: true });
    }
  });
});

describePosix('readTlsMaterial with FIFOs and devices', () => {
  test('refuses them without waiting', async () => {
    execFileSync('mkfifo', [join(workspace, 'fifo.pem')]);
    symlinkSync('/dev/zero', join(workspace, 'zero.pem'));
    for (const path of ['fifo.pem', 'zero.pem']) {
      expect(await catchLaterProblems(read({ ca: path }))).toEqual([
        `\`ca-cert\`: the file '${path}' cannot be read (not a regular file).`,
      ]);
    }
  });
});

describeLinux('readTlsMaterial with /proc', () => {
  test('closes all files', async () => {
    await read({ ca: 'tls/cert.pem' });
    await catchLaterProblems(read({ ca: 'tls/text.pem' }));
    await catchLaterProblems(read({ ca: 'tls' }));
    expect(await listOpenFiles(realpathSync(workspace))).toEqual([]);
  });
});

function convert(input: string, command: string, path: string): string {
  return `\`${input}\`: the file '${path}' is DER, not PEM. Convert it, and name the result: openssl ${command} -inform der -in '${path}' -out '${path}.pem'`;
}

function exportDer(key: string, type: 'pkcs8' | 'sec1'): Buffer {
  return createPrivateKey(key).export({ type, format: 'der' });
}

function framePem(text: string): string {
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
}
