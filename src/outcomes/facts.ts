import { isObject, tryJson } from '../json.ts';
import type { Attempt } from '../service/attempt.ts';
import type { Credential } from '../service/settings.ts';

/** What is known of an upload before its first attempt. */
export interface UploadFacts {
  /** The origin of the service. */
  readonly origin: string;
  readonly hostname: string;
  /** Host name and port. */
  readonly host: string;
  /** The URL of the operation. */
  readonly address: string;
  /** The path of the base URL. */
  readonly basePath: string;
  readonly isSecure: boolean;
  /** Of the whole body, in bytes. */
  readonly bodyBytes: number;
  /** The files and their sizes. */
  readonly files: string;
  /** Whether there is more than one file. */
  readonly hasParts: boolean;
  /** What was noticed of the files before they were sent. */
  readonly warnings: readonly string[];
  /** The trace id of the upload's requests. */
  readonly traceId: string;
  readonly credentialKind: Credential['kind'];
  /** When `token` expires, if it is a JWT that says so, in milliseconds since 1970. */
  readonly tokenExpiry: number | undefined;
  /** Whether `ca-cert` is set. */
  readonly hasOwnCa: boolean;
  /** Whether `client-cert` is set. */
  readonly hasClientCertificate: boolean;
  /** Host and port of the proxy; undefined if none is used. */
  readonly proxyHost: string | undefined;
  /** Further attempts after the first that the author allows. */
  readonly retries: number;
}

/** An attempt that was not accepted, and what is known of its upload. */
export interface FailedAttempt {
  readonly last: Attempt;
  readonly settings: UploadFacts;
}

/** When a JWT expires (RFC 7519, section 4.1.4), in milliseconds since 1970; undefined for any other text. */
export function readExpiry(token: string): number | undefined {
  const [, claims = ''] = token.split('.');
  const value = tryJson(Buffer.from(claims, 'base64url').toString());
  if (!isObject(value) || !('exp' in value) || typeof value.exp !== 'number') return undefined;
  return value.exp * 1000;
}
