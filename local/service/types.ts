import type { OperationName } from './contract.ts';

/** One header line of a request as it arrived: name and value in the sender's spelling. */
export interface HeaderPair {
  readonly name: string;
  readonly value: string;
}

/**
 * How one of the next requests is to be answered. Without a `status` the request is handled as
 * usual and only the way of answering changes; with one, nothing is checked and nothing is kept.
 */
export interface ScriptedAnswer {
  /** Status code; leave it out to keep the service's own answer. */
  readonly status?: number;
  /** Further headers; they replace the service's own of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the answer; only used together with `status`. */
  readonly body?: string | Uint8Array;
  /** Content type of the answer. */
  readonly contentType?: string;
  /** Milliseconds to wait before the answer's first byte. */
  readonly delayMs?: number;
  /** Value of `Retry-After`: seconds or an HTTP date. */
  readonly retryAfter?: number | string;
  /** Destroys the socket after this many bytes of the answer, counted from its status line. */
  readonly cut?: number;
  /** `false`: answers on the headers, reads no body and closes; only used with `status`. */
  readonly readBody?: boolean;
}

/** Key and certificate (PEM) for https; `ca` and `requestCert` for mutual TLS. */
export interface TlsMaterial {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
  readonly ca?: string | Buffer;
  /** Only clients with a certificate signed by `ca` are served. */
  readonly requestCert?: boolean;
}

/** How the local service is to run. */
export interface ServiceOptions {
  /** Folder below which uploads are kept; created when missing. */
  readonly folder: string;
  /** `127.0.0.1` (default) or `::1`; the service never listens anywhere else. */
  readonly host?: string;
  /** TCP port; 0 (default) takes a free one. */
  readonly port?: number;
  /** Path before `/v1`, such as `/tenant`. */
  readonly prefix?: string;
  /** Credential every caller has to send; undefined lets everyone in. */
  readonly token?: string;
  /** Header that carries the credential; `Authorization` by default. */
  readonly tokenHeader?: string;
  /** Scheme before the credential; `Bearer` by default, an empty text for none. */
  readonly tokenPrefix?: string;
  /** Largest request body in bytes; 30,000,000 by default, `Infinity` for no limit. */
  readonly maxBodyBytes?: number;
  /** Material for https; without it the service speaks http. */
  readonly tls?: TlsMaterial;
  /** Keys of the scans it knows; without them it knows every scan. */
  readonly scanKeys?: readonly string[];
  /** Milliseconds that every answer takes longer, as over a long line. */
  readonly latencyMs?: number;
  /** Answers for the first requests, in order of arrival. */
  readonly answers?: readonly ScriptedAnswer[];
  /** Called once per request, after its answer left or its connection ended. */
  readonly onRequest?: (request: RecordedRequest) => void;
}

/** One file part of an upload, as received and as kept. */
export interface RecordedPart {
  /** Name of the form part. */
  readonly name: string;
  /** Filename parameter as on the wire, read as UTF-8; never used as a path. */
  readonly filename: string;
  /** Media type of the part in lower case, without parameters. */
  readonly contentType: string;
  /** Absolute path of the kept file. */
  readonly path: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
}

/** One accepted upload. */
export interface RecordedUpload {
  readonly operation: OperationName;
  /** The scan key as sent. */
  readonly scanKey: string;
  /** Folder that holds the upload's files. */
  readonly folder: string;
  /** All file parts in the order of the body, unknown ones included. */
  readonly parts: readonly RecordedPart[];
}

/** One request; listed when its headers arrive, filled in while it is served. */
export interface RecordedRequest {
  readonly method: string;
  /** Request target as sent, query included. */
  readonly path: string;
  readonly rawHeaders: readonly HeaderPair[];
  /** Body bytes received so far, without transfer framing. */
  readonly bodyBytes: number;
  /** SHA-256 of the body received so far, in lower-case hexadecimal. */
  readonly bodySha256: string;
  /** Status answered; undefined while none was, and when the caller left before. */
  readonly status: number | undefined;
  /** The upload this request led to. */
  readonly upload: RecordedUpload | undefined;
}

/** A running service. */
export interface LocalService {
  /** Origin and prefix without a trailing slash: the `base-url` of the action. */
  readonly url: string;
  readonly port: number;
  /** Every request in order of arrival, still open ones included. */
  readonly requests: readonly RecordedRequest[];
  /** Every accepted upload in order of acceptance. */
  readonly uploads: readonly RecordedUpload[];
  /** Appends answers for the next requests. */
  script(...answers: readonly ScriptedAnswer[]): void;
  /** Waits until no request is being served. */
  settled(): Promise<void>;
  /** Stops listening and ends every open socket. */
  close(): Promise<void>;
}
