import { expect, test } from '@jest/globals';
import { makeWorkspace, runAction } from '../support/run-action.ts';

test('a Node that is too old is reported, although it lacks methods of newer ones', async () => {
  const preload = new URL('../support/old-node.preload.mjs', import.meta.url);
  const env = { NODE_OPTIONS: `--import=${preload.href}` };
  const run = await runAction(
    await makeWorkspace(),
    { 'base-url': 'https://scan.example' },
    { env },
  );
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', reason: 'runner' });
  expect(run.annotations.map(({ title }) => title)).toEqual(['Scan upload not sent (runner)']);
  expect(run.annotations[0]?.message).toMatch(/^This action needs Node 24 .* Node 18\.20\.4\./);
  expect(run.summary).toContain('started with Node 18.20.4');
});
