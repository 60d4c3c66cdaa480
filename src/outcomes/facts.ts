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
  /** What was noticed of the files before they were sent. */
  readonly warnings: readonly string[];
  /** The trace id of the upload's requests. */
  readonly traceId: string;
  readonly credentialKind: Credential['kind'];
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
