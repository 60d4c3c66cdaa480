import { expect, test } from '@jest/globals';
import { makeWorkspace, preload, runAction, TOKEN } from '../support/run-action.ts';
import { openService } from '../support/service.ts';
import { listDeclared } from '../support/workflows.ts';

/** Prints the variable of each input that the action reads. */
const REPORT_READS = preload(`
  const get = (env, name) => {
    if (String(name).startsWith('INPUT_')) console.error(name);
    return env[name];
  };
  process.env = new Proxy(process.env, { get });`);

test('action.yml has every input that the action reads, and no other', async () => {
  const inputs = { auth: 'oidc', 'base-url': 'https://host.example', 'dry-run': 'true' };
  const { stderr } = await runAction(await makeWorkspace(), inputs, { env: REPORT_READS });
  const read = new Set(Array.from(stderr.matchAll(/^INPUT_(.+)$/gm), ([, name = '']) => name));
  expect([...read].map((name) => name.toLowerCase()).toSorted()).toEqual(listDeclared('inputs'));
});

test.each([
  ['accepted', {}],
  ['not-sent', { 'base-url': 'ftp://scan.example' }],
])('action.yml has the outputs of a step that is %s, and no other', async (result, inputs) => {
  const service = await openService({ token: TOKEN });
  const all = { 'base-url': service.url, ...inputs };
  const { outputs } = await runAction(await makeWorkspace(), all);
  expect(Object.keys(outputs).toSorted()).toEqual(listDeclared('outputs'));
  expect(outputs.result).toBe(result);
});
