import { beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTlsMaterial } from '../../src/inputs/tls.ts';
import type { TlsMaterial } from '../../src/service/settings.ts';
import { makeAuthority } from '../support/certificates.ts';
import { makeFolder } from '../support/directories.ts';
import { describeLinux, describePosix, listOpenFiles } from '../support/files.ts';
import {
  SECRET,
  catchLaterProblems,
  isolateEnvironment,
  makePair,
  setInputs,
} from '../support/inputs.ts';
import type { Pair } from '../support/inputs.ts';

const MIB = 1024 * 1024;

// Inputs have no white space around them.
const one = trim(await makePair('one'));
const other = trim(await makePair('other'));
let workspace = '';

isolateEnvironment();
beforeEach(async () => {
  workspace = join(
    await makeFolder({
      'workspace/tls/cert.pem': one.cert,
      'workspace/tls/key.pem': one.key,
      'workspace/tls/text.pem': SECRET,
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
  return readTlsMaterial(workspace);
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
    expect(await listProblems({ cert, key: other.key })).toEqual([
      '`client-key` does not belong to `client-cert`. Set both from the same pair.',
    ]);
  });

  test('refuses a certificate that TLS does not accept', async () => {
    expect(await listProblems(await makePair('weak', 1024))).toEqual([
      expect.stringMatching(/^TLS does not accept `client-cert`: .*ee key too small\. Set another/),
    ]);
  });

  test('refuses a client certificate or a key alone, beside all other problems', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const problem = '`client-cert` and `client-key` must be set together.';
    expect(await listProblems({ ca: 'missing.pem', key: one.key })).toEqual([
      'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification. Remove it; for a private CA set `ca-cert`.',
      "`ca-cert`: the file 'missing.pem' does not exist in the workspace. Create it, or check out the repository, before this step.",
      problem,
    ]);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';
    expect(await listProblems({ cert: one.cert })).toEqual([problem]);
  });

  test('refuses an expired client certificate, and an encrypted key', async () => {
    const { certPath, keyPath } = await (await makeAuthority()).issue({ days: -1 });
    expect(await listProblems({ cert: certPath, key: keyPath })).toEqual([
      expect.stringMatching(/^`client-cert` expired on .* GMT\. Renew it\.$/),
    ]);
    const encryption = { cipher: 'aes-256-cbc', passphrase: SECRET } as const;
    for (const type of ['pkcs8', 'sec1'] as const) {
      const encrypted = createPrivateKey(one.key).export({ type, format: 'pem', ...encryption });
      expect(await listProblems({ cert: one.cert, key: String(encrypted) })).toEqual([
        '`client-key` is encrypted. `openssl pkey -in key.pem -out plain.pem` removes the passphrase.',
      ]);
    }
  });

  test.each<[string, () => string, string?]>([
    ['a key', () => one.key, ', but a private key'],
    ['empty PEM text', () => framePem('')],
    ['invalid PEM text', () => framePem(SECRET)],
    ['a certificate without its end', () => one.cert.replace(/-----END[^]*/, '')],
    ['a certificate without some characters', () => one.cert.replace(/\n.{60}/, '\n')],
    ['a valid and an invalid certificate', () => `${one.cert}\n${framePem('AAAA')}`],
    ['a second one without its end', () => `${one.cert}\n${one.cert.replace(/-----END[^]*/, '')}`],
    ['a first one without its end', () => `${one.cert.replace(/-----END[^]*/, '')}${one.cert}`],
    ['the path of another file', () => 'tls/text.pem'],
  ])('refuses %s as a certificate', async (_, write, but = '') => {
    expect(await listProblems({ ca: write() })).toEqual([
      expect.stringContaining(`\`ca-cert\` has no usable certificate${but}. It must be PEM text`),
    ]);
    expect(await listProblems({ cert: write(), key: one.key })).toEqual([
      expect.stringContaining(`\`client-cert\` has no usable certificate${but}.`),
    ]);
  });

  test.each<[string, () => string, string?]>([
    ['a certificate', () => one.cert, ', but a certificate'],
    ['invalid PEM text', () => one.key.replace(/\n.{20}/, `\n${SECRET}`)],
    ['a key without line breaks', () => one.key.replaceAll('\n', '\\n')],
    ['the path of another file', () => 'tls/text.pem'],
  ])('refuses %s as a key', async (_, write, but = '') => {
    expect(await listProblems({ cert: one.cert, key: write() })).toEqual([
      `\`client-key\` is not a usable private key${but}. It must be PEM text with its line breaks.`,
    ]);
  });

  test.each([
    ['directory.pem', 'cannot be read (not a regular file).'],
    ['nul\0byte.pem', 'cannot be read (ERR_INVALID_ARG_VALUE).'],
    ['missing.pem', 'does not exist in the workspace. Create it, '],
    ['MISSING.PEM', 'does not exist in the workspace. Create it, '],
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
    const key = createPrivateKey(one.key);
    const der = {
      cert: new X509Certificate(one.cert).raw,
      sec1: key.export({ type: 'sec1', format: 'der' }),
      pkcs8: key.export({ type: 'pkcs8', format: 'der' }),
    };
    for (const [name, bytes] of Object.entries(der)) writeFileSync(join(workspace, name), bytes);
    expect(await listProblems({ ca: 'cert', cert: 'cert', key: one.key })).toEqual([
      convert('ca-cert', 'x509', 'cert'),
      convert('client-cert', 'x509', 'cert'),
    ]);
    for (const path of ['sec1', 'pkcs8']) {
      expect(await listProblems({ cert: one.cert, key: path })).toEqual([
        convert('client-key', 'pkey', path),
      ]);
    }
  });

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

describePosix('readTlsMaterial with links, FIFOs and devices', () => {
  test('follows links out of the workspace and to hidden names, as Kubernetes mounts secrets', async () => {
    const mount = join(workspace, '..', 'mount');
    symlinkSync('..2026', join(mount, '..data'));
    symlinkSync('..data/ca.pem', join(mount, 'ca.pem'));
    symlinkSync(join(mount, 'ca.pem'), join(workspace, 'mounted.pem'));
    for (const ca of [join(mount, 'ca.pem'), 'mounted.pem']) {
      expect(await readTls({ ca })).toEqual({ ca: one.cert });
    }
  });

  test('refuses FIFOs and devices without waiting', async () => {
    execFileSync('mkfifo', [join(workspace, 'fifo.pem')]);
    symlinkSync('/dev/zero', join(workspace, 'zero.pem'));
    for (const path of ['fifo.pem', 'zero.pem']) {
      expect(await listProblems({ ca: path })).toEqual([
        `\`ca-cert\`: the file '${path}' cannot be read (not a regular file).`,
      ]);
    }
  });
});

describeLinux('readTlsMaterial with /proc', () => {
  test('closes all files', async () => {
    await readTls({ ca: 'tls/cert.pem' });
    for (const ca of ['tls/text.pem', 'tls']) await listProblems({ ca });
    expect(await listOpenFiles(workspace)).toEqual([]);
  });
});

function convert(input: string, command: string, path: string): string {
  return `\`${input}\`: the file '${path}' is DER, not PEM. Convert it, and name the result: openssl ${command} -inform der -in '${path}' -out '${path}.pem'`;
}

function framePem(text: string): string {
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
}
