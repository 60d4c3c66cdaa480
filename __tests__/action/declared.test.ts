import { describe, expect, test } from '@jest/globals';
import { readResults } from '../support/results.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openService } from '../support/service.ts';
import { listDeclared } from '../support/workflows.ts';
import { preload } from '../support/preload.ts';

/** Prints the variable of each input that the action reads. */
const REPORT_READS = preload(`
  const get = (env, name) => {
    if (String(name).startsWith('INPUT_')) console.error(name);
    return env[name];
  };
  process.env = new Proxy(process.env, { get });`);

test('action.yml has every input that the action reads, and no other', async () => {
  const workspace = await makeWorkspace();
  const read = new Set<string>();
  for (const auth of ['token', 'oidc']) {
    const inputs = { auth, 'base-url': 'https://host.example', 'dry-run': 'true' };
    const { stderr } = await runAction(workspace, inputs, { env: REPORT_READS });
    for (const [, name = ''] of stderr.matchAll(/^INPUT_(.+)$/gm)) read.add(name.toLowerCase());
  }
  expect([...read].toSorted()).toEqual(listDeclared('inputs'));
});

const OUTPUTS = [
  'error',
  'problem-details',
  'reason',
  'result',
  'results-path',
  'status-code',
  'uploaded',
];

describe('the outputs', () => {
  test('are those that action.yml has', () => {
    expect(listDeclared('outputs')).toEqual(OUTPUTS);
  });

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['accepted', {}, true],
    ['not-sent', { 'base-url': 'ftp://scan.example' }, false],
  ])('are the same seven with the result %s and %j', async (result, inputs, hasScan) => {
    const service = await openService({ token: TOKEN });
    const { outputs } = await runAction(await makeWorkspace(), {
      'base-url': service.url,
      ...inputs,
    });
    expect(Object.keys(outputs).toSorted()).toEqual(OUTPUTS);
    expect(outputs).toMatchObject({ result, uploaded: String(result === 'accepted') });
    expect(outputs['results-path']).not.toBe('');
    expect(readResults({ outputs })).toHaveLength(hasScan ? 1 : 0);
  });
});
