import type { Credential } from '../inputs/credential.ts';

/** A cause in sentences, each a line. */
export interface Explanation {
  /** What happened; the service's own `detail` where there is one. */
  readonly headline: string;
  /** What else is known. */
  readonly details: readonly string[];
  /** What to do about it. */
  readonly advice: readonly string[];
}

/** An explanation that needs no details. */
export function explain(headline: string, advice: readonly string[] = []): Explanation {
  return { headline, details: [], advice };
}

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** What an upload is about, beyond its report. */
export interface UploadFacts {
  /** The URL of the operation. */
  readonly url: URL;
  /** Of the whole body, in bytes. */
  readonly bodyBytes: number;
  /** The files and their sizes, in words. */
  readonly files: string;
  /** The trace id of the upload's requests. */
  readonly traceId: string;
  readonly credentialKind: Credential['kind'];
  /** Host and port of the proxy in between, if there is one. */
  readonly proxyHost: string | undefined;
}
