import { findElements, renderMarkdown } from '../../support/github-markdown.ts';
import type { Reply } from '../../support/peer.ts';
import { afterUpload } from '../harness/case.ts';
import type { FaultCase, Scene } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { MARKER, PAYLOADS, hostileHeaders, hostileReply } from '../harness/secrets.ts';

/** A refusal with a special text. */
function refusal(
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

/** Runner commands in the places of a refusal; each command is in the rows of `report/log`. */
runCases([
  refusal(
    'commands as text and in headers',
    ({ secrets }) => ({
      headers: { ...hostileHeaders(secrets, PAYLOADS), 'Content-Type': 'text/plain' },
      body: PAYLOADS.join('\n'),
    }),
    { status: 401, expected: { result: 'rejected', reason: 'credentials', status: '401' } },
  ),
  refusal(
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
]);

/** Puts a character into the middle of each part of a secret. */
function split(value: string, by: string): string {
  return value.replaceAll(/(\w{10})(?=\w)/g, `$1${by}`);
}

const INVISIBLE = ['\u200b', '\u001b[0m', '\u0001', '\u00ad'];

/** Secrets that appear only when the action changes a text; `__tests__/redaction` and `service/response` have more. */
runCases([
  refusal('a secret with an invisible character in it', ({ secrets }) =>
    makeProblem({ detail: INVISIBLE.map((by) => split(secrets.token.value, by)).join(' ') }),
  ),
  refusal('a secret in each place where a text may be truncated', ({ secrets }) => {
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
  refusal(
    'markup in every line of a problem',
    () => makeProblem({ title: MARKUP[1], detail: MARKUP[0], errors: { '': MARKUP } }),
    {
      check: (_scene, { summary }) =>
        findElements(renderMarkdown(summary), 'h1', 'img', 'a', '<').map(
          (element) => `markup of a text in the summary: ${element.name}`,
        ),
    },
  ),
]);

/** Texts that a slow regular expression would need hours for; `service/explanation` has more bodies. */
runCases([
  refusal(
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
