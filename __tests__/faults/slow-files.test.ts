import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { openServer } from '../support/raw-server.ts';
import { SBOM } from '../support/samples.ts';

const MIB = 1024 * 1024;
/** The largest file that is parsed whole is 16 times as large, which takes up to 2 GB of memory. */
const BYTES = 2 * MIB;

/** Files that take the most time or memory for their size. */
const FILES: Readonly<Record<string, (bytes: number) => string>> = {
  'lists in lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'a list without an end': (bytes) => '['.repeat(bytes),
  'references in XML': (bytes) => `<a>${'&#99;'.repeat(bytes / 5 - 2)}</a>`,
  'a comment in XML': (bytes) => `<!--${'- '.repeat(bytes / 2 - 2)}`,
};

/** Runs the step on such a report, against a service that must not be asked. */
async function runOn(
  content: string,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<StepRun> {
  const server = await openServer(({ socket }) => socket.destroy());
  const workspace = await makeWorkspace({ 'bom.json': SBOM, report: content });
  const files = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report' };
  const run = await runAction(
    workspace,
    { 'base-url': server.origin, ...files, ...inputs },
    { env },
  );
  expect(server.connections()).toBe(0);
  return run;
}

describe('a file that was made to be slow', () => {
  test.concurrent.each(Object.keys(FILES))(
    'ends by itself after its time limit: %s',
    async (name) => {
      const content = FILES[name]?.(BYTES) ?? '';
      const run = await runOn(content, { 'timeout-seconds': '1', 'dry-run': 'true' });
      expect([run.timedOut, run.signal]).toEqual([false, null]);
      expect(run.outputs.uploaded).toBe('false');
    },
  );

  test.concurrent('is never uploaded if memory runs out', async () => {
    // Just few enough brackets that it is parsed.
    const content = FILES['lists in lists']?.(3.8e6) ?? '';
    const run = await runOn(content, {}, { NODE_OPTIONS: '--max-old-space-size=60' });
    expect(run.signal).toBe('SIGABRT');
    expect(run.outputs.uploaded).not.toBe('true');
  });
});
