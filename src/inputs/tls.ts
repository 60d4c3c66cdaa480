import { X509Certificate, createPrivateKey } from 'node:crypto';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { InputError, errorMessage } from '../errors.ts';
import { openRegularFile } from '../files/regular-file.ts';
import type { TlsMaterial } from '../service/settings.ts';
import { FieldReader } from './fields.ts';
import { explainTextFile, isFilePath, readTextFile } from './text-file.ts';

/** The texts of the three TLS inputs: PEM text, the path of a PEM file, or empty. */
export interface TlsInputs {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Four times the size of a bundle with all public CA certificates. */
const MAX_PEM_BYTES = 1024 * 1024;
const PEM_CERTIFICATE_BEGIN = /-----BEGIN CERTIFICATE-----/g;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads and checks `ca-cert`, `client-cert` and `client-key`, so that a wrong file is reported as an
 * invalid input, not as a failed handshake. Paths are relative to `workspace`. Throws an InputError.
 */
export async function readTlsMaterial(inputs: TlsInputs, workspace: string): Promise<TlsMaterial> {
  const fields = new FieldReader();
  const ca = await fields.readLater(readCaCertificates(inputs.ca, workspace));
  const pair = await fields.readLater(readPair(inputs, workspace));
  fields.throwProblems();
  return { ...ca(), ...pair() };
}

async function readCaCertificates(value: string, workspace: string): Promise<TlsMaterial> {
  const ca = await readPem('ca-cert', value, workspace);
  if (ca === '') return {};
  readCertificates('ca-cert', ca);
  return { ca };
}

async function readPair(inputs: TlsInputs, workspace: string): Promise<TlsMaterial> {
  if ((inputs.cert === '') !== (inputs.key === '')) {
    throw new InputError('`client-cert` and `client-key` must be set together.');
  }
  const cert = await readPem('client-cert', inputs.cert, workspace);
  const key = await readPem('client-key', inputs.key, workspace);
  if (cert === '') return {};
  checkPair(cert, key);
  return { cert, key };
}

async function readPem(name: string, value: string, workspace: string): Promise<string> {
  if (value === '' || value.includes('-----BEGIN ')) return value;
  try {
    return await readTextFile(await openRegularFile(resolve(workspace, value)), MAX_PEM_BYTES);
  } catch (error) {
    if (isFilePath(value)) throw explainTextFile(name, value, error);
    // It may be a key, in Base64 or without its first line: never show it.
    throw new InputError(
      `\`${name}\` is neither PEM text (-----BEGIN ...) nor the path of a file. Decode it first if it is Base64.`,
    );
  }
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

function checkPair(cert: string, key: string): void {
  const [leaf] = readCertificates('client-cert', cert);
  let fits: boolean | undefined;
  try {
    fits = leaf?.checkPrivateKey(createPrivateKey(key));
  } catch {
    throw new InputError('`client-key` is not a usable PEM private key (without a passphrase).');
  }
  if (fits !== true) throw new InputError('`client-key` does not belong to `client-cert`.');
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    // For example a key that is too short for the security level of this Node.
    throw new InputError(`TLS does not accept \`client-cert\`: ${errorMessage(error)}.`);
  }
}
