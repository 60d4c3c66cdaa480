import { randomBytes, sign, type KeyObject } from 'node:crypto';

/** The fields of a certificate (RFC 5280). */
export interface CertificateFacts {
  /** Common names. */
  readonly subject: string;
  readonly issuer: string;
  /** Host names and IPv4 addresses. */
  readonly hosts: readonly string[];
  readonly isAuthority: boolean;
  /** Days until it is valid; by default it is valid since two days ago. */
  readonly from?: number;
  /** Days until it expires; negative for an expired certificate. */
  readonly days: number;
  readonly publicKey: KeyObject;
}

const DAY_MS = 86_400_000;

// Object identifiers, encoded.
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const SUBJECT_ALT_NAME = '551d11';
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const SHA256_WITH_RSA = '2a864886f70d01010b';

const NULL = encode(0x05);
const TRUE = encode(0x01, Buffer.of(0xff));
const VERSION_3 = encode(0xa0, encode(0x02, Buffer.of(2)));

/** Returns a certificate as PEM text, signed with an RSA or an EC key. */
export function signCertificate(facts: CertificateFacts, key: KeyObject): string {
  const algorithm =
    key.asymmetricKeyType === 'rsa'
      ? sequence(identify(SHA256_WITH_RSA), NULL)
      : sequence(identify(ECDSA_WITH_SHA256));
  const contents = sequence(
    VERSION_3,
    encode(0x02, Buffer.of(1), randomBytes(8)),
    algorithm,
    encodeName(facts.issuer),
    sequence(encodeTime(facts.from ?? -2), encodeTime(facts.days)),
    encodeName(facts.subject),
    facts.publicKey.export({ type: 'spki', format: 'der' }),
    encode(0xa3, sequence(encodeBasicConstraints(facts), ...encodeHosts(facts))),
  );
  const signature = encode(0x03, Buffer.of(0), sign('sha256', contents, key));
  const base64 = sequence(contents, algorithm, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function encodeName(commonName: string): Buffer {
  const value = encode(0x0c, Buffer.from(commonName));
  return sequence(encode(0x31, sequence(identify(COMMON_NAME), value)));
}

/** A UTCTime, which cannot express years after 2049. */
function encodeTime(days: number): Buffer {
  const digits = new Date(Date.now() + days * DAY_MS).toISOString().replaceAll(/\D/g, '');
  return encode(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}

function encodeBasicConstraints({ isAuthority }: CertificateFacts): Buffer {
  const constraints = isAuthority ? sequence(TRUE) : sequence();
  return sequence(identify(BASIC_CONSTRAINTS), TRUE, encode(0x04, constraints));
}

function encodeHosts({ hosts }: CertificateFacts): readonly Buffer[] {
  if (hosts.length === 0) return [];
  const names = hosts.map((host) =>
    /^[\d.]+$/.test(host)
      ? encode(0x87, Buffer.from(host.split('.').map(Number)))
      : encode(0x82, Buffer.from(host)),
  );
  return [sequence(identify(SUBJECT_ALT_NAME), encode(0x04, sequence(...names)))];
}

function identify(identifier: string): Buffer {
  return encode(0x06, Buffer.from(identifier, 'hex'));
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return encode(0x30, ...parts);
}

/** A value of DER (X.690): tag, length, contents. */
function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const contents = Buffer.concat(parts);
  const { length } = contents;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), contents]);
}
