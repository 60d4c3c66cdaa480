import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { InputError, errorMessage } from '../errors.ts';
import type { TlsMaterial } from '../service/settings.ts';
import { mayBeEmpty, readAll } from './fields.ts';
import { isFilePath, readTextFile } from './text-file.ts';

/** Four times the size of a bundle with all public CA certificates. */
const MAX_PEM_BYTES = 1024 * 1024;
const PEM_CERTIFICATE_BEGIN = /-----BEGIN CERTIFICATE-----/g;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads and checks `ca-cert`, `client-cert` and `client-key`, so that a wrong file is reported as an
 * invalid input, not as a failed handshake. `getText` returns the text of an input: PEM text, the path of a
 * PEM file relative to `workspace`, or an empty text. Throws an InputError.
 */
export async function readTlsMaterial(
  getText: (input: string) => string,
  workspace: string,
): Promise<TlsMaterial> {
  const read = (input: string): Promise<string> => readPem(input, getText(input), workspace);
  const readers = {
    verification: refuseUncheckedTls,
    ca: async () => checkCa(await read('ca-cert')),
    pair: async () => {
      if ((getText('client-cert') === '') !== (getText('client-key') === '') && !mayBeEmpty()) {
        throw new InputError('`client-cert` and `client-key` must be set together.');
      }
      return checkPair(await read('client-cert'), await read('client-key'));
    },
  };
  const { ca, pair } = await readAll(readers, undefined);
  return { ...ca, ...pair };
}

function refuseUncheckedTls(): void {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  throw new InputError(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification. Remove it; for a private CA set `ca-cert`.',
  );
}

function checkCa(ca: string): TlsMaterial {
  if (ca === '') return {};
  readCertificates('ca-cert', ca);
  return { ca };
}

async function readPem(input: string, value: string, workspace: string): Promise<string> {
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
    const certificates = (pem.match(PEM_CERTIFICATE) ?? []).map(
      (text) => new X509Certificate(text),
    );
    // Otherwise a certificate without its end line would be left out silently.
    const begun = pem.match(PEM_CERTIFICATE_BEGIN)?.length ?? 0;
    if (certificates.length > 0 && certificates.length === begun) return certificates;
  } catch {
    // Continues with the message below: that of the parser does not help users.
  }
  throw new InputError(
    `\`${name}\` has no usable certificate. It must be PEM text with its line breaks, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.`,
  );
}

/** Checks both, or the one that is set. */
function checkPair(cert: string, key: string): TlsMaterial {
  const [leaf] = cert === '' ? [] : readCertificates('client-cert', cert);
  const privateKey = key === '' ? undefined : parseKey(key);
  if (leaf === undefined || privateKey === undefined) return {};
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new InputError('`client-key` does not belong to `client-cert`.');
  }
  try {
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    // For example a key that is too short for the security level of this Node.
    throw new InputError(`TLS does not accept \`client-cert\`: ${errorMessage(error)}.`);
  }
}

function parseKey(key: string): KeyObject {
  try {
    return createPrivateKey(key);
  } catch {
    throw new InputError('`client-key` is not a usable PEM private key (without a passphrase).');
  }
}
