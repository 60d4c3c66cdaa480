import { findElements, renderMarkdown } from '../../support/github-markdown.ts';
import type { Reply } from '../../support/peer.ts';
import { afterUpload } from '../harness/case.ts';
import type { FaultCase, Scene } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { MARKER, PAYLOADS, hostileHeaders, hostileReply } from '../harness/secrets.ts';
import type { StepRun } from '../../../local/step/index.ts';

/** How much of a response is kept, in bytes. */
const KEPT_BYTES = 64 * 1024;

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
function fill(text: string, length = KEPT_BYTES): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** Runner commands in the places of a refusal; each command is in the rows of `report/log`. */
runCases([
  refusal('commands in every member of a problem', ({ secrets }) =>
    hostileReply(secrets, PAYLOADS.slice(0, 8)),
  ),
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

/** Secrets that appear only when the action changes a text; `__tests__/properties` has every encoding. */
runCases([
  refusal('a secret with an invisible character in it', ({ secrets }) =>
    makeProblem({ detail: INVISIBLE.map((by) => split(secrets.token.value, by)).join(' ') }),
  ),
  refusal('a secret in each place where a text may be truncated', ({ secrets }) => {
    const texts = [400, 1000, 1500, 4000].map((length) => fill('ab ', length - 30));
    const [trace = '', ...details] = texts.map((text) => `${text}${secrets.token.value} end`);
    return makeProblem({ detail: details[0], errors: { '': details }, traceId: trace });
  }),
  refusal(
    'the password of a Basic credential, as it was before it was encoded',
    ({ secrets }) => makeProblem({ detail: `no ${secrets.token.value}` }),
    { inputs: ({ secrets }) => ({ token: secrets.basic, 'token-prefix': 'Basic' }) },
  ),
]);

/** Lines of markup, which the summary repeats. */
const MARKUP = [
  `# ${MARKER} <img src=x onerror=${MARKER}>`,
  `${MARKER} ![${MARKER}](http://127.0.0.1:1/x)`,
  `</details></code></pre></table><script>${MARKER}</script>`,
  `@everyone #1 [${MARKER}](javascript:alert(1))`,
];

/** Elements of the summary that only the markup of a text can have made. */
function findMarkup(_scene: Scene, { summary }: StepRun): readonly string[] {
  const elements = findElements(renderMarkdown(summary), 'h1', 'img', 'a', '<');
  return elements.map(({ name }) => `markup of a text in the summary: ${name}`);
}

runCases([
  refusal(
    'markup in every line of a problem',
    () => makeProblem({ title: MARKUP[1], detail: MARKUP[0], errors: { '': MARKUP } }),
    { check: findMarkup },
  ),
]);

const VERSIONS = 'HTTP/x:'.repeat(40);
const FIELD = { errors: { ['<p>x'.repeat(16_000)]: Array.from({ length: 100 }, () => 'no') } };
const TEXTS = ['<title ', '\t::', '\u001b]0;', '{"a":', '\n'].map((text) =>
  fill(text, KEPT_BYTES * 2),
);

/** Texts that a slow regular expression would need hours for. */
runCases([
  ...[...TEXTS, VERSIONS].map((body) =>
    refusal(`a response of nothing but ${JSON.stringify(body.slice(0, 8))}`, () => ({ body }), {
      expected: { result: 'rejected', reason: 'refused' },
    }),
  ),
  refusal('a field name that looks like a page', () => makeProblem(FIELD)),
  refusal(
    'long headers',
    () => ({
      headers: {
        'WWW-Authenticate': `${fill(' error_description="', 3000)}${VERSIONS}"`,
        'Content-Type': `x${fill('text/x; charset', 3000)}`,
        Server: `x${fill(' \t', 3000)}x`,
        'Retry-After': fill('9', 3000),
      },
    }),
    { status: 401, expected: { result: 'rejected', reason: 'credentials' } },
  ),
]);
