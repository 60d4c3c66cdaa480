import { expect, test } from '@jest/globals';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { findLines } from '../support/report.ts';

test('a Node that is too old is reported without methods of newer ones', async () => {
  const preload = new URL('../support/old-node.preload.mjs', import.meta.url);
  const env = { NODE_OPTIONS: `--import=${preload.href}`, OLD_NODE_ARCH: 'x64' };
  const inputs = { 'base-url': 'https://scan.example' };
  const run = await runAction(await makeWorkspace(), inputs, { env });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', reason: 'runner' });
  expect(run.annotations.map(({ title }) => title)).toEqual(['Scan upload not sent (runner)']);
  expect(findLines(run.summary, 'Node 18.20.4')).not.toEqual([]);
});
