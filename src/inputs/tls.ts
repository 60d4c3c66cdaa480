import { X509Certificate } from 'node:crypto';
import { access } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { InputError, errorReason } from '../errors.ts';
import type { TlsMaterial } from '../service/agent.ts';
import { isFilePath, readInput, readInputFile } from './fields.ts';
import type { Reading } from './fields.ts';
import { hideClientKey, hideKey } from './secrets.ts';

/** What a certificate begins with. Each is counted, because TLS ignores a certificate without its end line. */
const PEM_BEGIN = '-----BEGIN CERTIFICATE-----';

type PemInput = 'ca-cert' | 'client-cert' | 'client-key';

/**
 * Reads and checks `ca-cert`, `client-cert` and `client-key`, so that a wrong file is reported as an invalid input,
 * not as a failed handshake. Each is PEM text, the path of a PEM file relative to `workspace`, or empty.
 */
export async function readTlsMaterial({
  faults,
  workspace,
  dryRun,
}: Reading): Promise<TlsMaterial> {
  faults.read(undefined, checkVerification);
  const ca = await faults.readLater(undefined, readPem('ca-cert', workspace));
  const cert = await faults.readLater(undefined, readPem('client-cert', workspace));
  const key = await faults.readLater(undefined, readPem('client-key', workspace));
  if (!dryRun) faults.read(undefined, checkBoth);
  if (cert && key) faults.read(undefined, () => checkPair(cert, key));
  const isExtraCaMissing = await isMissing(process.env.NODE_EXTRA_CA_CERTS);
  return { ca, cert, key, isExtraCaMissing };
}

async function isMissing(path = ''): Promise<boolean> {
  const ended = access(path).then(
    () => false,
    () => true,
  );
  return path !== '' && (await ended);
}

function checkVerification(): void {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  throw new InputError(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification. Remove it; for a private CA set `ca-cert`.',
  );
}

function checkBoth(): void {
  if ((readInput('client-cert') === '') === (readInput('client-key') === '')) return;
  throw new InputError('`client-cert` and `client-key` must be set together.');
}

/** Reads the PEM text of an input; undefined if it is not set. */
async function readPem(input: PemInput, workspace: string): Promise<string | undefined> {
  const text = input === 'client-key' ? hideClientKey() : readInput(input);
  if (text === '') return undefined;
  const pem = text.includes('-----BEGIN ') ? text : await readPemFile(input, text, workspace);
  if (input !== 'client-key') checkCertificates(input, pem);
  return pem;
}

async function readPemFile(input: PemInput, path: string, workspace: string): Promise<string> {
  const bytes = await readPath(input, path, workspace);
  if (isDer(bytes)) {
    throw new InputError(
      `\`${input}\`: '${path}' is DER or PKCS#12, not PEM. Convert it with openssl.`,
    );
  }
  const pem = String(bytes);
  return input === 'client-key' ? hideKey(pem) : pem;
}

async function readPath(input: PemInput, path: string, workspace: string): Promise<Buffer> {
  try {
    return await readInputFile(input, path, workspace);
  } catch (error) {
    if (isFilePath(path)) throw error;
    // The text is not shown, because it may be a key, in Base64 or without its first line.
    throw new InputError(
      `\`${input}\` is neither PEM text (-----BEGIN ...) nor the path of a file. Decode it first if it is Base64.`,
    );
  }
}

/** Whether bytes begin as DER does, and PKCS#12: with a sequence whose length needs more than one byte, which no text has. */
function isDer(bytes: Buffer): boolean {
  const [tag = 0, length = 0] = bytes;
  return tag === 0x30 && length > 0x80;
}

/** Reads the certificates in a PEM text. Throws an Error for one that cannot be read. */
export function listCertificates(pem: string): readonly X509Certificate[] {
  const [, ...parts] = pem.split(PEM_BEGIN);
  return parts.map((part) => new X509Certificate(`${PEM_BEGIN}${part}`));
}

/** Throws an InputError unless every certificate can be read, because TLS leaves out others in silence. */
function checkCertificates(input: PemInput, pem: string): void {
  try {
    if (listCertificates(pem).length > 0) return;
  } catch {
    // A certificate that cannot be read is reported as none.
  }
  throw new InputError(
    `\`${input}\` has no usable certificate. It must be PEM text with its line breaks, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.`,
  );
}

function checkPair(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new InputError(
      `\`client-key\` cannot be used with \`client-cert\` (${errorReason(error)}): it must be the private key of this certificate, in PEM without a passphrase (openssl pkey -in key.pem -out plain.pem removes it).`,
    );
  }
}
