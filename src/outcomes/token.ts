import { isObject, tryJson } from '../json.ts';
import type { UploadTask } from './task.ts';

/** Schemes of `Authorization`; any other is that of an API key. */
export const SCHEMES = ['basic', 'bearer', 'digest', 'negotiate', 'ntlm'];

/** What of `token` is sent: in which header, the value with its prefix, and its first word. All are empty without `token`. */
export function readToken({
  inputs: { credential },
}: UploadTask): Readonly<Record<'header' | 'value' | 'scheme', string>> {
  const { header, value } = credential.kind === 'token' ? credential : { header: '', value: '' };
  const [scheme = ''] = value.split(' ', 1);
  return { header, value, scheme };
}

/** How it is sent. Its first word may be one of the token. */
export function describeToken(task: UploadTask): string {
  const { header, scheme } = readToken(task);
  return SCHEMES.includes(scheme.toLowerCase()) ? `as ${header}: ${scheme}` : `in ${header}`;
}

/** The audience of the OIDC token; empty without one. */
export function readAudience({ inputs: { credential } }: UploadTask): string {
  return credential.kind === 'oidc' ? credential.audience : '';
}

/** When the JWT in `token` expires (RFC 7519, section 4.1.4), in milliseconds since 1970; NaN for any other text. */
export function readExpiry(task: UploadTask): number {
  const { exp } = readClaims(task);
  return typeof exp === 'number' ? exp * 1000 : Number.NaN;
}

/** The host of the issuer that the JWT in `token` names (section 4.1.1); undefined if it names none by its address. */
export function readIssuer(task: UploadTask): string | undefined {
  const { iss } = readClaims(task);
  return URL.parse(String(iss))?.host || undefined;
}

function readClaims(task: UploadTask): Readonly<Record<string, unknown>> {
  const [, claims = ''] = readToken(task).value.split('.');
  const value = tryJson(Buffer.from(claims, 'base64url').toString());
  return isObject(value) ? { ...value } : {};
}
