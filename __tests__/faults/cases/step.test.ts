import { writeFileSync } from 'node:fs';
import { HOST } from '../../support/network.ts';
import { listOutputTexts } from '../../support/run-action.ts';
import {
  ACCEPTED,
  INVALID,
  NOT_SENT,
  UNCONFIRMED,
  afterPart,
  afterUpload,
  makeLarge,
} from '../harness/case.ts';
import type { CaseScript, FaultCase } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileLine, hostileReply } from '../harness/secrets.ts';

// In every phase in which a step can wait forever, a cancellation and the time limit end it.

const CANCELLED = { reason: 'cancelled', exitCode: 130 } as const;
/** More takes long to be parsed, which no signal interrupts. */
const INSPECTED_BYTES = 4 * 1024 ** 2;

const cancel: CaseScript = (_peer, scene) => scene.cancel();

/** A step that is cancelled once it writes this line, unless one of its servers cancels it. */
function cancelled(name: string, rest: Partial<FaultCase>): FaultCase {
  return {
    name: `cancelled while ${name}`,
    posixOnly: true,
    onLine: (text, scene) => {
      if (text === 'held') scene.cancel();
    },
    expected: { ...NOT_SENT, ...CANCELLED, attempts: name.includes('file') ? 0 : 1 },
    ...rest,
  };
}

/** A preloaded module holds the step in a phase, and writes `held`. */
function hold(what: string): { readonly env: NonNullable<FaultCase['env']> } {
  const preload = new URL('holding.preload.mjs', import.meta.url);
  return { env: () => ({ NODE_OPTIONS: `--import=${preload.href}`, HOLD: what }) };
}

runCases([
  cancelled('searching files', hold('search')),
  cancelled('searching files that may be meant', {
    ...hold('list'),
    inputs: () => ({ 'scan-file': 'missing.json' }),
  }),
  cancelled('opening a file', hold('open')),
  cancelled('inspecting a file', {
    ...hold('read'),
    prepare: ({ path }) => writeFileSync(path('scan.json'), `[${' '.repeat(INSPECTED_BYTES - 2)}]`),
  }),
  cancelled('resolving a name', {
    ...hold('name'),
    inputs: () => ({ 'base-url': `https://${HOST}` }),
  }),
  cancelled('sending', {
    files: makeLarge(33),
    serve: afterPart((peer, scene) => {
      peer.socket.pause();
      scene.cancel();
    }),
  }),
  cancelled('waiting for the response', {
    serve: afterUpload(cancel),
    expected: { ...UNCONFIRMED, ...CANCELLED },
  }),
  cancelled('reading the response', {
    ...hold('response'),
    serve: afterUpload((peer) => peer.send('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    expected: { ...UNCONFIRMED, ...CANCELLED, status: '200' },
  }),
]);

/** A file system that does not respond, until the time limit. */
runCases(
  (
    [
      ['the workspace', 'workspace', {}],
      ['the files of the client certificate', 'open', { 'client-cert': 'a', 'client-key': 'b' }],
    ] as const
  ).map(([name, what, inputs]) => ({
    ...hold(what),
    name: `the time limit ends a step that waits for ${name}`,
    inputs: () => ({ ...inputs, 'timeout-seconds': '1' }),
    expected: { ...NOT_SENT, reason: 'time-limit', attempts: 0 },
  })),
);

/** A step with `auth: oidc`, and an identity provider that does as `script` says. */
function askProvider(name: string, script: CaseScript, rest: Partial<FaultCase> = {}): FaultCase {
  return {
    name: `the identity provider ${name}`,
    secrets: 'identity',
    other: script,
    env: (scene) => ({
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${scene.other.port}/token?api=1`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: scene.secrets.idRequest.value,
    }),
    expected: {
      result: 'not-sent',
      reason: 'credentials',
      status: '',
      attempts: 1,
      connections: 0,
    },
    ...rest,
    inputs: (scene) => ({ auth: 'oidc', ...rest.inputs?.(scene) }),
  };
}

const giveToken: CaseScript = (peer, { secrets }) =>
  peer.reply(200, { body: JSON.stringify({ value: secrets.idToken.value }) });

/** Where the OIDC token comes from; `__tests__/service/auth.test.ts` has other responses. */
runCases([
  askProvider('returns a token that a 401 of the service repeats', giveToken, {
    serve: afterUpload((peer, { secrets }) => peer.reply(401, hostileReply(secrets))),
    expected: { result: 'rejected', reason: 'credentials', status: '401' },
    check: ({ server, secrets }) =>
      server.peer.header('authorization') === `Bearer ${secrets.idToken.value}`
        ? []
        : ['the request does not carry the OIDC token'],
  }),
  askProvider(
    'refuses and repeats the token of the request',
    (peer, { secrets }) => {
      const reason = `No ${secrets.idRequest.value}`;
      peer.reply(403, { reason, body: `internal notes, ${reason}` });
    },
    {
      check: (_scene, { log, summary, outputs }) =>
        `${log}${summary}${listOutputTexts({ outputs }).join()}`.includes('internal notes')
          ? ['the body is shown']
          : [],
    },
  ),
]);

/** Secrets and commands in inputs and in the environment; an invalid one ends the step before any connection. */
runCases([
  {
    name: 'commands and secrets in invalid inputs and variables',
    inputs: ({ secrets }) => ({
      // Not loopback, which needs no proxy.
      'base-url': `http://${HOST}`,
      'allow-http': 'true',
      auth: hostileLine(secrets),
      retries: secrets.token.value,
      headers: secrets.apiKey.value,
    }),
    env: ({ proxyVariable, secrets }) => ({
      [proxyVariable]: `a ${secrets.token.value}`,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    }),
    expected: INVALID,
    check: ({ proxyVariable }, { annotations }) =>
      ['`auth`', '`retries`', '`headers`', proxyVariable, 'NODE_TLS_REJECT_UNAUTHORIZED']
        .filter((name) => !annotations.some(({ message }) => message.includes(name)))
        .map((name) => `no problem of ${name}`),
  },
  {
    name: 'a token with a line break at its end, and every secret is masked',
    transport: 'https-proxy',
    inputs: ({ secrets }) => ({ token: `${secrets.token.value}\r\n` }),
    expected: ACCEPTED,
    check: ({ secrets: { token, apiKey, proxyPassword, cookie } }, { masks }) =>
      [token.value, apiKey.value, proxyPassword.value, cookie.value]
        .filter((value) => !masks.includes(value))
        .map((value) => `not masked: ${value}`),
  },
]);
