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
