/** Why a scan or a step failed, for workflows that check it, and what each value means. */
export const REASONS = {
  inputs: 'An input is missing or invalid.',
  files: 'A file is missing, ambiguous, unreadable, outside the workspace, or changed.',
  contents: 'A file is empty, truncated, malformed or in the wrong part (`content-check`).',
  credentials: 'The service rejected the credential (401, 403), or there was no OIDC token.',
  problem: 'The service refused with a problem (RFC 9457).',
  refused: 'The service, or a gateway, refused without a problem.',
  unavailable: 'The service or a gateway failed: 502-504, 520-524, 425, 500 without a problem.',
  redirect: 'The response was a redirect; none is followed.',
  'web-page': 'The response was a web page, such as a login.',
  'too-large': 'The upload is too large for the service.',
  'rate-limited': 'The service responded 429.',
  name: 'The host name does not resolve.',
  certificate: "The service's certificate is not trusted, or it asks for a client certificate.",
  proxy: 'The proxy refused the connection, could not be reached, or could not reach the service.',
  connection: 'The connection failed or broke, or the response was incomplete or cannot be read.',
  stalled: 'No data for `stall-timeout-seconds`, or no response for 300 s.',
  'time-limit': '`timeout-seconds` ended the step.',
  cancelled: 'The job was cancelled, or timed out.',
  'other-scans':
    'The scan was not sent because of other scans of the step, or of a wait that one was asked for.',
  runner: 'The runner or the job is not set up for the action: its Node, or its workspace.',
  internal: 'The action failed unexpectedly.',
} as const satisfies Readonly<Record<string, string>>;
export type Reason = keyof typeof REASONS;
