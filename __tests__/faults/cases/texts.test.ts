import { findElements, renderMarkdown } from '../../support/github-markdown.ts';
import type { Reply } from '../../support/servers.ts';
import { afterUpload } from '../harness/case.ts';
import type { FaultCase, Scene } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import {
  MARKER,
  PAYLOADS,
  hostileHeaders,
  hostileLine,
  hostileReply,
  hostileText,
} from '../harness/secrets.ts';

/** A response with special texts: a 400 unless `rest` says otherwise. */
function response(
  name: string,
  reply: (scene: Scene) => Reply,
  { status = 400, ...rest }: Partial<FaultCase> & { readonly status?: number } = {},
): FaultCase {
  return {
    name,
    serve: afterUpload((peer, scene) => peer.reply(status, reply(scene))),
    expected: { result: 'rejected', reason: 'problem', attempts: 1 },
    ...rest,
  };
}

function makeProblem(members: Readonly<Record<string, unknown>>): Reply {
  return { body: JSON.stringify(members) };
}

/** `text` repeated up to a length in characters. */
function fill(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** Runner commands in the places of a refusal; `redaction/show` has the rules. */
runCases([
  response(
    'commands in the log between two attempts',
    ({ secrets }) => hostileReply(secrets, PAYLOADS.slice(8, 16)),
    {
      status: 503,
      // Annotations are escaped by the toolkit, plain lines are not; the wait itself is of no interest.
      posixOnly: true,
      // Longer than any wait, which would not be started otherwise.
      inputs: () => ({ retries: '1', 'timeout-seconds': '60' }),
      onLine: (line, scene) => {
        if (line.startsWith('Waiting ')) scene.cancel();
      },
      expected: { result: 'rejected', reason: 'cancelled', status: '503', exitCode: 130 },
    },
  ),
  response(
    'commands as text and in headers',
    ({ secrets }) => ({
      headers: { ...hostileHeaders(secrets, PAYLOADS), 'Content-Type': 'text/plain' },
      body: PAYLOADS.join('\n'),
    }),
    { status: 401, expected: { result: 'rejected', reason: 'credentials', status: '401' } },
  ),
]);

/** Responses that repeat every secret, as they are. */
runCases([
  response('a 400 with every secret', ({ secrets }) => hostileReply(secrets), {
    transport: 'https-proxy',
  }),
  response("a gateway's 504, with debug logging", ({ secrets }) => hostileReply(secrets), {
    transport: 'https',
    status: 504,
    env: () => ({ RUNNER_DEBUG: '1' }),
    expected: { result: 'unconfirmed', reason: 'unavailable', status: '504', attempts: 1 },
  }),
  {
    name: '307 to another server, with every secret and commands',
    inputs: () => ({ retries: '2' }),
    serve: afterUpload((peer, { other, secrets }) => {
      const headers = { Location: `${other.origin}/${hostileLine(secrets)}` };
      peer.reply(307, { headers, body: `<a href="${secrets.token.value}">here</a>` });
    }),
    expected: {
      result: 'rejected',
      reason: 'redirect',
      status: '307',
      attempts: 1,
      connections: 1,
    },
  },
  {
    name: 'a 200 that is a problem with every secret',
    transport: 'https',
    serve: afterUpload((peer, { secrets }) => {
      const headers = { 'Content-Type': 'application/problem+json; charset=utf-8' };
      const body = JSON.stringify({ title: 'No', detail: `Not taken. ${hostileText(secrets)}` });
      peer.replyAsStranger(200, { headers, body });
    }),
    expected: { result: 'rejected', reason: 'problem', status: '200', attempts: 1 },
  },
  response(
    'a 200 that says with every secret that the scan is stored',
    ({ secrets }) => ({
      headers: { ...hostileHeaders(secrets), 'Content-Type': 'text/plain' },
      body: `Stored. ${hostileText(secrets).replaceAll('\n', ' ')}`,
    }),
    { status: 200, expected: { result: 'accepted', reason: '', status: '200', attempts: 1 } },
  ),
  response(
    'a 403 page with a challenge that repeats every secret',
    ({ secrets }) => {
      const text = hostileText(secrets);
      const headers = { ...hostileHeaders(secrets), 'Content-Type': 'text/html' };
      const body = `<html><head><title>${text}</title></head><body>${text}</body></html>`;
      return { headers, body };
    },
    { status: 403, expected: { result: 'rejected', reason: 'credentials', status: '403' } },
  ),
]);

/** A secret that appears when the action truncates a text; `__tests__/redaction` and `service/response` have more. */
runCases([
  response('a secret in each place where a text may be truncated', ({ secrets }) => {
    const texts = [400, 1000, 1500, 4000].map((length) => fill('ab ', length - 30));
    const [trace = '', ...details] = texts.map((text) => `${text}${secrets.token.value} end`);
    return makeProblem({ detail: details[0], errors: { '': details }, traceId: trace });
  }),
]);

/** Lines of markup, which the summary repeats. */
const MARKUP = [
  `# ${MARKER} <img src=x onerror=${MARKER}>`,
  `${MARKER} ![${MARKER}](http://127.0.0.1:1/x)`,
  `</details></code></pre></table><script>${MARKER}</script>`,
  `@everyone #1 [${MARKER}](javascript:alert(1))`,
];

runCases([
  response(
    'markup in every line of a problem',
    () => makeProblem({ title: MARKUP[1], detail: MARKUP[0], errors: { '': MARKUP } }),
    {
      check: (_scene, { summary }) =>
        findElements(renderMarkdown(summary), 'h1', 'img', 'a', '<').map(
          (element) => `markup of a text in the summary: ${element.name}`,
        ),
    },
  ),
  // A slow regular expression would need hours for them; `service/explanation` has more bodies.
  response(
    'long headers',
    () => ({
      headers: {
        'WWW-Authenticate': `${fill(' error_description="', 3000)}${'HTTP/x:'.repeat(40)}"`,
        'Content-Type': `x${fill('text/x; charset', 3000)}`,
        Server: `x${fill(' \t', 3000)}x`,
        'Retry-After': fill('9', 3000),
      },
    }),
    { status: 401, expected: { result: 'rejected', reason: 'credentials' } },
  ),
]);
