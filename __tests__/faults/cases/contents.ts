import { MARKER } from '../harness/hostile.ts';
import type { Scene } from '../harness/scene.ts';
import type { FaultCase, Seen } from '../harness/types.ts';
import { said } from './said.ts';

const DEPTH = 5000;

/** S10: hostile JSON for parsers. */
const JSON_TEXTS: Readonly<Record<string, string>> = {
  '__proto__ and constructor':
    '{"__proto__":{"detail":"polluted","uploaded":true},"constructor":{"prototype":{}},"detail":"d"}',
  'objects 5,000 deep': `{"detail":"d","x":${'{"x":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}`,
  'lists 5,000 deep': `{"detail":"d","errors":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
  'lists 5,000 deep that never end': `{"detail":"d","errors":${'['.repeat(DEPTH)}`,
  'wrong types everywhere':
    '{"type":1,"title":[],"status":"x","detail":{"a":1},"instance":null,"errors":7,"traceId":{}}',
  'names twice': '{"detail":"one","detail":"two"}',
  'nothing but null': 'null',
  'a list': '["detail"]',
  'a byte order mark': '\ufeff{"detail":"d"}',
  'halves of characters': '{"detail":"\\ud800 \\udc00","\\ud800":"x"}',
  '10,000 members': JSON.stringify(
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, 0])),
  ).slice(0, 64_000),
};

const HUGE = '{"detail":"d","status":1e400,"id":12345678901234567890,"big":9007199254740993}';

export const HOSTILE_JSON: readonly FaultCase[] = [
  ...Object.entries(JSON_TEXTS).map(([variant, body]) =>
    said({
      row: 'S10',
      variant,
      reply: () => ({ headers: { 'Content-Type': 'application/json' }, body }),
      check: (_scene, { outputs }) =>
        outputs['problem-details'] === '' || isJson(outputs['problem-details'] ?? '')
          ? []
          : ['problem-details is not JSON'],
    }),
  ),
  said({
    row: 'S10',
    variant: 'integers that JavaScript cannot hold',
    reply: () => ({ headers: { 'Content-Type': 'application/json' }, body: HUGE }),
    check: (_scene, { outputs }) =>
      ['12345678901234567890', '9007199254740993']
        .filter((digits) => !outputs['problem-details']?.includes(digits))
        .map((digits) => `${digits} lost its digits`),
  }),
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The summary without the fences of foreign text, where everything would be markup. */
function findMarkup(_scene: Scene, { summary }: Seen): readonly string[] {
  const rest = summary.replaceAll(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
  return rest.includes(MARKER) ? [`outside the fence: ${rest.slice(0, 300)}`] : [];
}

const MARKUP: Readonly<Record<string, string>> = {
  'a fence': `\`\`\`\n# ${MARKER}\n\`\`\`\n<img src=x onerror=${MARKER}>`,
  'a long fence': `${'`'.repeat(20)}\n<b>${MARKER}</b>`,
  'a fence of tildes': `~~~\n<b>${MARKER}</b>\n~~~`,
  'a table and an image': `| a | b |\n| - | - |\n| ![${MARKER}](http://127.0.0.1:1/x) | y |`,
  'closing tags': `</details></code></pre></table><script>${MARKER}</script>`,
  'a mention and a link': `@everyone #1 [${MARKER}](javascript:alert(1))`,
};

/** S11: markup in texts that the summary repeats. */
export const MARKED: readonly FaultCase[] = Object.entries(MARKUP).map(([variant, text]) =>
  said({
    row: 'S11',
    variant: `${variant} in the detail and the title`,
    reply: () => ({ body: JSON.stringify({ title: text, detail: text }) }),
    check: findMarkup,
  }),
);
