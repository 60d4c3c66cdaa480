import { isObject, tryJson } from '../json.ts';
import type { UploadTask } from './task.ts';

/** When the JWT in `token` expires (RFC 7519, section 4.1.4), in milliseconds since 1970; undefined for any other text. */
export function readExpiry(task: UploadTask): number | undefined {
  const { exp } = readClaims(task);
  return typeof exp === 'number' ? exp * 1000 : undefined;
}

/** Whether it is one that has expired. */
export function isExpired(task: UploadTask): boolean {
  return (readExpiry(task) ?? Infinity) <= Date.now();
}

/** The host of the issuer that the JWT in `token` names (section 4.1.1); undefined if it names none by its address. */
export function readIssuer(task: UploadTask): string | undefined {
  const { iss } = readClaims(task);
  return URL.parse(String(iss))?.host || undefined;
}

function readClaims({ inputs: { credential } }: UploadTask): Readonly<Record<string, unknown>> {
  const [, claims = ''] = credential.kind === 'token' ? credential.value.split('.') : [];
  const value = tryJson(Buffer.from(claims, 'base64url').toString());
  return isObject(value) ? { ...value } : {};
}
