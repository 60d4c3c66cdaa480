import { expect, test } from '@jest/globals';
import { makeWorkspace, runAction } from '../support/run-action.ts';

test.each([
  ['x64', /\nGitHub's runner has Node 24 from version 2\.327\.1: update an older one\.$/],
  ['arm', /\.\nThe runner has no Node 24 for 32-bit ARM: use a 64-bit runner\.$/],
])('a Node that is too old is reported on %s without methods of newer ones', async (arch, fix) => {
  const preload = new URL('../support/old-node.preload.mjs', import.meta.url);
  const env = { NODE_OPTIONS: `--import=${preload.href}`, OLD_NODE_ARCH: arch };
  const run = await runAction(
    await makeWorkspace(),
    { 'base-url': 'https://scan.example' },
    { env },
  );
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ uploaded: 'false', result: 'not-sent', reason: 'runner' });
  expect(run.annotations.map(({ title }) => title)).toEqual(['Scan upload not sent (runner)']);
  expect(run.annotations[0]?.message).toMatch(/^This action needs Node 24 .* Node 18\.20\.4\./);
  expect(run.annotations[0]?.message).toMatch(fix);
  expect(run.summary).toContain('started with Node 18.20.4');
});
