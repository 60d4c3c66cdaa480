// Written from action.yml by `npm run generate`.

/** The inputs and their defaults, which also stand for an empty string. */
export const DECLARED = {
  /** UUID of the scan that the files belong to. Required unless `scans` is set. */
  'scan-key': '',
  /** Patterns, one per line; `!` excludes, `#` starts a comment. One matching file is uploaded alone. Two files, exactly one of them CycloneDX, are uploaded as SBOM and vulnerability report. */
  files: '',
  /** Pattern that matches the one scan JSON file to upload (operation `upload-file`). */
  'scan-file': '',
  /** Pattern that matches the SBOM, usually CycloneDX. Needs `vulnerabilities-file` (operation `upload-multiple-files`). */
  'dependencies-file': '',
  /** Pattern that matches the vulnerability report. Needs `dependencies-file` (operation `upload-multiple-files`). */
  'vulnerabilities-file': '',
  /** `true`: wildcards also match names that start with a dot. `false`: they do not. A literal path always matches. */
  'include-hidden-files': 'false',
  /** Several scans in one step: a JSON array, an object `{ "$schema": ..., "scans": [...] }` with this array, or the path of a JSON file with either. Each entry has a `scan-key`, its file inputs (`files`, or `scan-file`, or `dependencies-file` with `vulnerabilities-file`) and optionally a `name` for messages. */
  scans: '',
  /** Number of scans that are uploaded in parallel with `scans`, from 1 to 32. */
  'max-parallel': '4',
  /** `true`: start no further uploads after the first one fails. `false`: upload every scan. A 401 always stops starting uploads. */
  'fail-fast': 'false',
  /** URL of the service, with `https://`. A path prefix is kept: `https://host/tenant` posts to `https://host/tenant/v1/scanner/...`. */
  'base-url': '',
  /** `true`: allow `http://`, which sends the token and the files unencrypted. `false`: allow it for loopback addresses only. */
  'allow-http': 'false',
  /** `token`: send the credential in `token`. `oidc`: send an OIDC token that GitHub issues to the job (needs `id-token: write`). `none`: send no credential. */
  auth: 'token',
  /** Credential for `auth: token`, without its prefix. It is masked in the log. */
  token: '',
  /** Name of the request header that carries the credential. */
  'token-header': 'Authorization',
  /** Word before the credential in the header, such as `Bearer`. `none`: send the credential alone. */
  'token-prefix': 'Bearer',
  /** Audience of the OIDC token for `auth: oidc`. Empty: the origin of `base-url`. */
  'oidc-audience': '',
  /** Extra request headers, one `Name: value` per line. Values of 8 or more characters are masked if the name of the header says that it is a credential (`X-Api-Key`, `Cookie`, ...). */
  headers: '',
  /** If no pattern matches a file: `error` fails the step, `warn` skips the upload with a warning, `ignore` skips it without one. If only some patterns match, the step always fails. */
  'if-no-files-found': 'error',
  /** For a file that is empty, truncated, malformed or in the wrong part: `error` fails the step before the upload, `warn` uploads it with a warning, `off` uploads it without checks. */
  'content-check': 'error',
  /** `true`: find and check files without uploading them. `false`: upload them. */
  'dry-run': 'false',
  /** Maximum number of attempts after the first one, for each scan, from 0 to 100. */
  retries: '8',
  /** Time limit of the whole step in seconds, including waits before retries. */
  'timeout-seconds': '900',
  /** Abort an attempt after this many seconds without network progress. */
  'stall-timeout-seconds': '60',
  /** Certificate of the private CA that issued the service's certificate (not the service's own), or of a proxy that inspects TLS, as PEM text or a path. The default CAs are trusted too. */
  'ca-cert': '',
  /** Client certificate for mutual TLS, as PEM text or a path. Needs `client-key`. */
  'client-cert': '',
  /** Private key of `client-cert`, without a passphrase, as PEM text (not in Base64) or a path. */
  'client-key': '',
  /** `true`: write a job summary. `false`: write none. */
  summary: 'true',
} as const;

/** The name of an input. */
export type InputName = keyof typeof DECLARED;
