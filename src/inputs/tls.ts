import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { InputError, errorMessage } from '../errors.ts';
import type { TlsMaterial } from '../service/settings.ts';
import { getText, mayBeEmpty, readAll } from './fields.ts';
import { isFilePath, readTextFile } from './text-file.ts';

/** Four times the size of a bundle with all public CA certificates. */
const MAX_PEM_BYTES = 1024 * 1024;
const PEM_BEGIN = '-----BEGIN CERTIFICATE-----';

/**
 * Reads and checks `ca-cert`, `client-cert` and `client-key`, so that a wrong file is reported as an
 * invalid input, not as a failed handshake. Each is PEM text, the path of a PEM file relative to
 * `workspace`, or empty. Throws an InputError.
 */
export async function readTlsMaterial(workspace: string): Promise<TlsMaterial> {
  const { ca, pair } = await readAll({
    verification: () => {
      if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
      throw new InputError(
        'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification. Remove it; for a private CA set `ca-cert`.',
      );
    },
    ca: async () => {
      const pem = await readPem('ca-cert', workspace);
      if (pem !== '') readCertificates('ca-cert', pem);
      return pem === '' ? {} : { ca: pem };
    },
    pair: async () => {
      if ((getText('client-cert') === '') !== (getText('client-key') === '') && !mayBeEmpty()) {
        throw new InputError('`client-cert` and `client-key` must be set together.');
      }
      return checkPair(
        await readPem('client-cert', workspace),
        await readPem('client-key', workspace),
      );
    },
  });
  return { ...ca, ...pair };
}

async function readPem(input: string, workspace: string): Promise<string> {
  const value = getText(input);
  if (value === '' || value.includes('-----BEGIN ')) return value;
  const reading = readTextFile(input, value, workspace, MAX_PEM_BYTES);
  const text = await reading.catch((error: unknown) => {
    if (isFilePath(value)) throw error;
    // It may be a key, in Base64 or without its first line: never show it.
    throw new InputError(
      `\`${input}\` is neither PEM text (-----BEGIN ...) nor the path of a file. Decode it first if it is Base64.`,
    );
  });
  // DER begins with the tag of a sequence (0x30), and is not UTF-8.
  if (!text.startsWith('0') || !text.includes('\ufffd')) return text;
  const command = `openssl ${input === 'client-key' ? 'pkey' : 'x509'} -inform der`;
  throw new InputError(
    `\`${input}\`: the file '${value}' is DER, not PEM. Convert it, and name the result: ${command} -in '${value}' -out '${value}.pem'`,
  );
}

function readCertificates(name: string, pem: string): readonly X509Certificate[] {
  try {
    // Each begin is a certificate: TLS would leave one without its end line out silently.
    const [, ...parts] = pem.split(PEM_BEGIN);
    const certificates = parts.map((part) => new X509Certificate(`${PEM_BEGIN}${part}`));
    if (certificates.length > 0) return certificates;
  } catch {
    // Continues with the message below: that of the parser does not help users.
  }
  throw new InputError(
    `\`${name}\` has no usable certificate${pem.includes('PRIVATE KEY-----') ? ', but a private key' : ''}. It must be PEM text with its line breaks, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.`,
  );
}

/** Checks both, or the one that is set. */
function checkPair(cert: string, key: string): TlsMaterial {
  const [leaf] = cert === '' ? [] : readCertificates('client-cert', cert);
  const privateKey = key === '' ? undefined : parseKey(key);
  if (leaf === undefined || privateKey === undefined) return {};
  if (Date.parse(leaf.validTo) < Date.now()) {
    throw new InputError(`\`client-cert\` expired on ${leaf.validTo}. Renew it.`);
  }
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new InputError(
      '`client-key` does not belong to `client-cert`. Set both from the same pair.',
    );
  }
  try {
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    // For example a key that is too short for the security level of this Node.
    throw new InputError(
      `TLS does not accept \`client-cert\`: ${errorMessage(error)}. Set another certificate, with its key.`,
    );
  }
}

function parseKey(key: string): KeyObject {
  if (/-----BEGIN ENCRYPTED|\bENCRYPTED$/m.test(key)) {
    throw new InputError(
      '`client-key` is encrypted. `openssl pkey -in key.pem -out plain.pem` removes the passphrase.',
    );
  }
  try {
    return createPrivateKey(key);
  } catch {
    throw new InputError(
      `\`client-key\` is not a usable private key${key.includes(PEM_BEGIN) ? ', but a certificate' : ''}. It must be PEM text with its line breaks.`,
    );
  }
}
