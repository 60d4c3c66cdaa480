import { listOutputTexts } from '../../support/run-action.ts';
import { ACCEPTED, INVALID, afterUpload } from '../harness/case.ts';
import type { CaseScript, FaultCase } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { hostileLine, hostileReply } from '../harness/secrets.ts';

/** A step with `auth: oidc`, and an identity provider that does as `script` says. */
function askProvider(name: string, script: CaseScript, rest: Partial<FaultCase> = {}): FaultCase {
  return {
    name: `the identity provider ${name}`,
    secrets: 'identity',
    other: script,
    env: (scene) => ({
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${scene.otherPort}/token?api=1`,
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
      const body = `internal notes, ${reason} ::error::PWNED\n##[error]PWNED`;
      peer.reply(403, { reason, body });
    },
    {
      check: (_scene, { log, summary, outputs }) =>
        `${log}${summary}${listOutputTexts({ outputs }).join()}`.includes('internal notes')
          ? ['the body is shown']
          : [],
    },
  ),
  askProvider('returns a token of several lines', (peer, { secrets }) =>
    peer.reply(200, {
      body: JSON.stringify({ value: `${secrets.idToken.value}\r\nX-Evil: PWNED` }),
    }),
  ),
]);

/** An invalid input ends the step before any connection. */
function refused(name: string, inputs: NonNullable<FaultCase['inputs']>): FaultCase {
  return { name, inputs, expected: INVALID };
}

/** Secrets and commands in inputs and in the environment. */
runCases([
  {
    ...refused('a command and the token in inputs and in variables', ({ secrets }) => ({
      auth: hostileLine(secrets),
      retries: secrets.token.value,
    })),
    env: ({ proxyVariable, secrets }) => ({
      [proxyVariable]: `::error::PWNED ##[error]PWNED ${secrets.token.value}`,
    }),
  },
  refused('a secret in a header line without a name', ({ secrets }) => ({
    headers: secrets.apiKey.value,
  })),
  refused('a token in an input whose name is misspelt', ({ secrets }) => ({
    token: '',
    tokne: secrets.token.value,
  })),
  {
    ...refused('TLS without verification', () => ({})),
    env: () => ({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
  },
  {
    name: 'a token with a line break at its end, and every secret is masked',
    transports: ['https-proxy'],
    inputs: ({ secrets }) => ({ token: `${secrets.token.value}\r\n` }),
    expected: ACCEPTED,
    check: ({ secrets: { token, apiKey, proxyPassword, cookieHeader } }, { masks }) =>
      [token.value, apiKey.value, proxyPassword.value, cookieHeader]
        .filter((value) => !masks.includes(value))
        .map((value) => `not masked: ${value}`),
  },
  {
    name: 'a credential header whose value is short',
    inputs: () => ({ headers: 'X-Debug: true\nX-Debug-Key: true' }),
    expected: ACCEPTED,
    check: (_scene, { masks }) => (masks.includes('true') ? ["'true' is masked"] : []),
  },
]);
