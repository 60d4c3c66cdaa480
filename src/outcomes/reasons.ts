/** Why a scan or a step failed, for workflows that check it: what each value means, and what to do. */
export const REASONS = {
  inputs: {
    meaning: 'An input is missing or invalid.',
    fix: 'Correct what the message names.',
  },
  files: {
    meaning: 'A file is missing, ambiguous, unreadable, outside the workspace, or changed.',
    fix: 'Check the pattern, and the step that writes the file.',
  },
  contents: {
    meaning: 'A file is empty, truncated, malformed, no scan, or in the wrong part.',
    fix: 'Fix the scan step or the input.',
  },
  credentials: {
    meaning: 'The service rejected the credential (401, 403), or there is no OIDC token.',
    fix: 'Check `token`, what it may do, and `base-url`; for OIDC `id-token: write`.',
  },
  problem: {
    meaning: 'The service refused with a problem (RFC 9457).',
    fix: 'It says why: often `scan-key` or a file is wrong.',
  },
  refused: {
    meaning: 'The service, or a gateway, refused without a problem.',
    fix: 'Check `base-url` and `scan-key`.',
  },
  unavailable: {
    meaning: 'The service or a gateway failed: 502-504, 520-524, 425, 500 without a problem.',
    fix: 'Re-run later.',
  },
  redirect: {
    meaning: 'The response was a redirect; none is followed.',
    fix: 'Check `base-url`.',
  },
  'web-page': {
    meaning: 'The response was a web page, such as a login.',
    fix: 'Check `base-url` and the credential.',
  },
  'too-large': {
    meaning: 'The upload is too large for the service.',
    fix: 'Reduce the files, or raise the limit.',
  },
  'rate-limited': { meaning: 'The service responded 429.', fix: 'Re-run later.' },
  name: {
    meaning: 'The host name does not resolve.',
    fix: 'Check `base-url`. Names of a private network need a runner inside it.',
  },
  certificate: {
    meaning: "The service's certificate is not trusted, or it wants a client certificate.",
    fix: 'Set `ca-cert`, or `client-cert` and `client-key`. Renew expired ones.',
  },
  proxy: {
    meaning: 'The proxy refused, could not be reached, or could not reach the service.',
    fix: 'Check the [proxy variables](#proxies), or let the proxy allow the host.',
  },
  connection: {
    meaning: 'The connection failed or broke, or the response cannot be read.',
    fix: 'Check `base-url`, the service, and the [network](#networks).',
  },
  stalled: {
    meaning: 'No data for `stall-timeout-seconds`, or no response for 300 s.',
    fix: 'Check the network, or increase `stall-timeout-seconds`.',
  },
  'time-limit': {
    meaning: '`timeout-seconds` ended the step.',
    fix: 'Increase `timeout-seconds`, or re-run later.',
  },
  cancelled: { meaning: 'The job was cancelled, or timed out.', fix: 'Re-run the job.' },
  'other-scans': {
    meaning: 'Not sent because of other scans, or because the service asked to wait too long.',
    fix: 'Fix the other scans, or re-run later.',
  },
  runner: {
    meaning: 'Node or the workspace does not fit the action.',
    fix: 'See [Runners](#runners).',
  },
  internal: { meaning: 'The action failed unexpectedly.', fix: 'Report it with the log.' },
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly fix: string }>>;
export type Reason = keyof typeof REASONS;
