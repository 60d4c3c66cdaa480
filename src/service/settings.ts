// What the author of the workflow decides about requests.

/** How a request authenticates. */
export type Credential =
  | { readonly kind: 'token'; readonly header: string; readonly value: string }
  | {
      readonly kind: 'oidc';
      readonly header: string;
      readonly prefix: string;
      readonly audience: string;
      /** Undefined if the job may not request OIDC tokens. */
      readonly source?: IdTokenSource | undefined;
    }
  | { readonly kind: 'none' };

/** Where the job's OIDC tokens come from. The runner sets its variables for `id-token: write`. */
export interface IdTokenSource {
  readonly url: URL;
  /** The bearer token of the request. */
  readonly token: string;
  readonly proxy: Proxy | undefined;
}

/** One extra request header. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** Certificates and key as PEM text; `ca` is trusted in addition to the default CA certificates. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** A proxy that requests of one scheme go through. */
export interface Proxy {
  /** Scheme, host and port, without credentials. */
  readonly url: URL;
  /** The value of `Proxy-Authorization`; undefined without credentials. */
  readonly authorization: string | undefined;
}

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
  /** What was noticed of them before they were sent. */
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
