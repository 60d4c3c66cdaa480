// Written from action.yml by `npm run generate`.

/** The inputs and their defaults, which also stand for an empty string. */
export const DECLARED = {
  /** Where the service lives. A path prefix is kept: `https://host/tenant` posts to `/tenant/v1/scanner/...`. https only, except for loopback hosts or with `allow-http`. */
  'base-url': '',
  /** UUID of the scan that the files belong to. Required unless `scans` is given. */
  'scan-key': '',
  /** Patterns, one per line; `!` excludes, `#` comments. One file is uploaded alone; two, of which exactly one is CycloneDX, as inventory and report. */
  files: '',
  /** Pattern for the one scan JSON file (operation `upload-file`). */
  'scan-file': '',
  /** Pattern for the dependency inventory (operation `upload-multiple-files`, with `vulnerabilities-file`). */
  'dependencies-file': '',
  /** Pattern for the vulnerability report (operation `upload-multiple-files`, with `dependencies-file`). */
  'vulnerabilities-file': '',
  /** Many scans instead of one: a JSON array, or the path of a JSON file, of objects with `scan-key` and `files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`, and a `name` for messages if you like. */
  scans: '',
  /** How many scans are uploaded in parallel, from 1 to 32. */
  'max-parallel': '4',
  /** Whether the first scan that fails ends those that have not begun; else all are tried. */
  'fail-fast': 'false',
  /** How the request proves who sends it: `token`, `oidc` (the job's own GitHub identity; needs `id-token: write`) or `none`. */
  auth: 'token',
  /** The credential, for `auth: token`. It is masked before anything else happens. */
  token: '',
  /** The request header that carries the credential. */
  'token-header': 'Authorization',
  /** The scheme in front of the credential; `none` sends it bare. */
  'token-prefix': 'Bearer',
  /** The audience asked for with `auth: oidc`; by default the origin of `base-url`. */
  'oidc-audience': '',
  /** Extra request headers, `Name: value` per line. Values of 8 or more characters are masked if the header's name says that it is a credential (`X-Api-Key`, `Authorization`, ...). */
  headers: '',
  /** `error`, `warn` or `ignore`, if no pattern matches anything. If only some patterns match, it is always an error. */
  'if-no-files-found': 'error',
  /** Whether wildcards match names that begin with a dot. A literal path always matches. */
  'include-hidden-files': 'false',
  /** What to do with a file that is empty, truncated, malformed or in the wrong place: `error`, `warn` or `off`. */
  'content-check': 'error',
  /** Everything but the network. */
  'dry-run': 'false',
  /** Further attempts after the first, from 0 to 100. */
  retries: '8',
  /** No progress for so long while connecting, sending or reading the answer's body ends an attempt. */
  'stall-timeout-seconds': '60',
  /** Time limit of the whole step, waiting included. */
  'timeout-seconds': '900',
  /** Certificates of a private authority, as PEM text or a path; added to the default roots. */
  'ca-cert': '',
  /** Client certificate for mutual TLS, as PEM text or a path. */
  'client-cert': '',
  /** Private key of the client certificate, as PEM text or a path, without a passphrase. */
  'client-key': '',
  /** Allows `http://` to hosts other than loopback: the token and the files travel in the clear. */
  'allow-http': 'false',
  /** Whether to write the job summary. */
  summary: 'true',
} as const;

/** The name of an input. */
export type InputName = keyof typeof DECLARED;
