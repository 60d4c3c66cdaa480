import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { INVENTORY, listenRaw, makeWorkspace, runAction } from '../action/fixtures.ts';

const MIB = 1024 * 1024;
/** What is parsed at the most. */
const LARGEST = 32 * MIB;
const TIME_LIMIT_MS = 1000;
/** What SECURITY.md allows beyond the time limit. */
const GRACE_MS = 5000;
/** A loaded machine may take this much longer. */
const SLACK_MS = 5000;

/** Files that take most time or memory, at the largest size that is parsed. */
const FILES: Readonly<Record<string, () => string>> = {
  'lists in lists': () => '['.repeat(LARGEST / 2) + ']'.repeat(LARGEST / 2),
  'empty objects in a list': () => `[${'{},'.repeat(LARGEST / 3 - 2)}{}]`,
  'a list without an end': () => '['.repeat(LARGEST),
  'a malformed list': () => `[${'[],'.repeat(MIB / 3 - 2)}]`,
  'elements beside elements': () => `<a>${'<b/>'.repeat(LARGEST / 4 - 2)}</a>`,
  'references in XML': () => `<a>${'&#99;'.repeat(LARGEST / 5 - 2)}</a>`,
  'a comment in XML': () => `<!--${'- '.repeat(LARGEST / 2 - 2)}`,
};

/** Runs the step on such a report, against a service that must not be asked. */
async function runOn(
  content: string,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<StepRun> {
  const server = await listenRaw((socket) => socket.destroy());
  const workspace = await makeWorkspace({ 'bom.json': INVENTORY, report: content });
  const files = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report' };
  const run = await runAction(workspace, { 'base-url': server.url, ...files, ...inputs }, { env });
  expect(server.connections()).toBe(0);
  return run;
}

describe('a file that was made to be slow', () => {
  test.each(Object.keys(FILES))(
    'ends with the step soon after its time limit: %s',
    async (name) => {
      const content = FILES[name]?.() ?? '';
      const run = await runOn(content, { 'timeout-seconds': '1', 'dry-run': 'true' });
      expect([run.timedOut, run.signal]).toEqual([false, null]);
      expect(run.durationMs).toBeLessThan(TIME_LIMIT_MS + GRACE_MS + SLACK_MS);
    },
  );

  test('is never uploaded where memory runs out', async () => {
    const content = FILES['lists in lists']?.() ?? '';
    const run = await runOn(content, {}, { NODE_OPTIONS: '--max-old-space-size=200' });
    expect(run.exitCode).not.toBe(0);
    expect(run.outputs.uploaded).not.toBe('true');
  });
});
