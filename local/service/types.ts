import type { IncomingHttpHeaders } from 'node:http';

/** One operation of the interface document, with POST; all `fileParts` are required. */
export interface Operation {
  readonly name: 'upload-file' | 'upload-multiple-files';
  readonly fileParts: readonly string[];
  /** The part whose content must be JSON. */
  readonly jsonPart?: string;
}

/** How one of the next requests gets its response. */
export interface ScriptedResponse {
  /** If set, nothing is checked or kept; otherwise the request is handled as usual. */
  readonly status?: number | undefined;
  /** Further headers; they replace the service's own of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the response; only used together with `status`. */
  readonly body?: string | Uint8Array;
  /** Milliseconds to wait before the first byte of the response. */
  readonly delayMs?: number | undefined;
}

/** Key and certificate (PEM) for https. */
export interface TlsMaterial {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
}

/** Options of the local service. */
export interface ServiceOptions {
  /** Directory that uploads are kept in; made if it is missing. */
  readonly directory: string;
  /** TCP port; 0 (default) takes a free one. */
  readonly port?: number | undefined;
  /** Path before `/v1`, such as `/tenant`. */
  readonly prefix?: string | undefined;
  /** Credential that every caller must send; undefined accepts every caller. */
  readonly token?: string | undefined;
  /** Header that carries the credential; `Authorization` by default. */
  readonly tokenHeader?: string | undefined;
  /** Scheme before the credential; `Bearer` by default, an empty text for none. */
  readonly tokenPrefix?: string | undefined;
  /** Largest Content-Length in bytes; 30,000,000 by default, `Infinity` for no limit. */
  readonly maxBodyBytes?: number | undefined;
  /** Material for https; without it the service speaks http. */
  readonly tls?: TlsMaterial;
  /** Keys of the scans that it knows; undefined accepts every key. */
  readonly scanKeys?: readonly string[] | undefined;
  /** Scripts for the first requests, in order of arrival. */
  readonly responses?: readonly ScriptedResponse[];
  /** Called once per request, after its response was sent or its connection ended. */
  readonly onRequest?: (request: RecordedRequest) => void;
}

/** One file part of an upload, as received. */
export interface RecordedPart {
  /** Name of the form part. */
  readonly name: string;
  /** Filename parameter as on the wire, read as UTF-8; never used as a path. */
  readonly filename: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
}

/** One accepted upload. */
export interface RecordedUpload {
  readonly operation: Operation['name'];
  /** The scan key as sent. */
  readonly scanKey: string;
  /** All file parts in the order of the body, unknown ones included. */
  readonly parts: readonly RecordedPart[];
}

/** One request; listed when its headers arrive, filled in while it is served. */
export interface RecordedRequest {
  readonly method: string;
  /** Request target as sent, query included. */
  readonly path: string;
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Body bytes read so far, without transfer framing. */
  readonly bodyBytes: number;
  /** Status of the response; undefined before it is sent, and if the caller closed the connection before that. */
  readonly status: number | undefined;
  /** The upload that this request led to. */
  readonly upload: RecordedUpload | undefined;
}

/** A running service. */
export interface LocalService {
  /** Origin and prefix without a trailing slash: the `base-url` of the action. */
  readonly url: string;
  readonly port: number;
  /** Every request in order of arrival, open ones included. */
  readonly requests: readonly RecordedRequest[];
  /** Every accepted upload in order of acceptance. */
  readonly uploads: readonly RecordedUpload[];
  /** Stops listening and ends every open connection. */
  close(): Promise<void>;
}
