import type { Credential } from '../service/settings.ts';

/** Larger bodies are over IIS's default limit, 30,000,000 bytes, which it reports as a 404 or a reset. */
export const IIS_BODY_BYTES = 30_000_000;

/** Facts of an upload for messages; all texts are clean. */
export interface UploadFacts {
  /** The origin of the service. */
  readonly origin: string;
  readonly hostname: string;
  /** The URL of the operation. */
  readonly address: string;
  /** Of the whole body, in bytes. */
  readonly bodyBytes: number;
  /** The files and their sizes. */
  readonly files: string;
  /** The trace id of the upload's requests. */
  readonly traceId: string;
  readonly credentialKind: Credential['kind'];
  /** Whether `ca-cert` is set. */
  readonly hasOwnCa: boolean;
  /** Host and port of the proxy, if there is one. */
  readonly proxyHost: string | undefined;
}
