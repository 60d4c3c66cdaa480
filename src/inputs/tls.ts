import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { InputError, errorCode, errorMessage } from '../errors.ts';
import type { TlsMaterial } from '../service/agent.ts';
import { isFilePath, readInput, readInputFile } from './fields.ts';
import type { Reading } from './fields.ts';

/** Each of them must begin a certificate: TLS ignores one without its end line. */
const PEM_BEGIN = '-----BEGIN CERTIFICATE-----';

/** What openssl takes out of a PKCS#12 file. */
const PKCS12_OPTIONS = {
  'ca-cert': '-cacerts -nokeys -out ca.pem',
  'client-cert': '-clcerts -nokeys -out cert.pem',
  'client-key': '-nocerts -nodes -out key.pem',
};

type PemInput = keyof typeof PKCS12_OPTIONS;

/**
 * Reads and checks `ca-cert`, `client-cert` and `client-key`, so that a wrong file is reported as an invalid input,
 * not as a failed handshake. Each is PEM text, the path of a PEM file relative to `workspace`, or empty.
 */
export async function readTlsMaterial({
  problems,
  workspace,
  dryRun,
}: Reading): Promise<TlsMaterial> {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    const problem =
      'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification. Remove it; for a private CA set `ca-cert`.';
    problems.add(new InputError(problem));
  }
  const ca = await readPem('ca-cert');
  const cert = await readPem('client-cert');
  const key = await readPem('client-key');
  if ((readInput('client-cert') === '') !== (readInput('client-key') === '') && !dryRun) {
    problems.add(new InputError('`client-cert` and `client-key` must be set together.'));
  }
  if (cert && key) problems.read(undefined, () => checkPair(cert, key));
  return { ...(ca && { ca }), ...(cert && key && { cert, key }) };

  /** The PEM text of an input; undefined if it is not set or invalid. */
  async function readPem(input: PemInput): Promise<string | undefined> {
    const text = readInput(input);
    if (text === '') return undefined;
    try {
      const pem = text.includes('-----BEGIN ') ? text : await readPemFile(input, text, workspace);
      if (input !== 'client-key') checkCertificates(input, pem);
      return pem;
    } catch (error) {
      problems.add(error);
      return undefined;
    }
  }
}

async function readPemFile(input: PemInput, path: string, workspace: string): Promise<string> {
  if (/\.(?:p12|pfx)$/i.test(path)) {
    throw new InputError(
      `\`${input}\`: '${path}' is PKCS#12, not PEM. Convert it, and name the result: openssl pkcs12 -in '${path}' ${PKCS12_OPTIONS[input]}`,
    );
  }
  try {
    return String(await readInputFile(input, path, workspace));
  } catch (error) {
    if (isFilePath(path)) throw error;
    // It may be a key, in Base64 or without its first line: never show it.
    throw new InputError(
      `\`${input}\` is neither PEM text (-----BEGIN ...) nor the path of a file. Decode it first if it is Base64.`,
    );
  }
}

/** Throws an InputError unless every certificate can be read: TLS leaves out others in silence. */
function checkCertificates(input: PemInput, pem: string): void {
  const [, ...parts] = pem.split(PEM_BEGIN);
  try {
    const certificates = parts.map((part) => new X509Certificate(`${PEM_BEGIN}${part}`));
    if (certificates.length > 0) return;
  } catch {
    // One that cannot be read is reported as none.
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
      `\`client-key\` cannot be used with \`client-cert\` (${errorCode(error) ?? errorMessage(error)}): it must be the private key of this certificate, as PEM text without a passphrase (openssl pkey -in key.pem -out plain.pem removes it).`,
    );
  }
}
