import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { makeWorkspace, readResults, runAction, TOKEN } from '../support/run-action.ts';
import { openService } from '../support/servers.ts';
import { MIB, SBOM, sha256 } from '../support/workspace.ts';

// What patterns match is tested in __tests__/files.

/** Any URL: nothing is sent. */
const REHEARSAL = { 'base-url': 'http://127.0.0.1:1', 'dry-run': 'true' };
const NAMES = Array.from({ length: 1000 }, (_, index) => `${index}.json`);

test.concurrent('patterns that are slow to match end with the time limit', async () => {
  // Matching takes minutes: 500 x 1,000 x 500 times.
  const excludes = NAMES.slice(500).map((name) => `!*a*a*b${name}`);
  const inputs = { files: `${'**\n'.repeat(500)}${excludes.join('\n')}`, 'timeout-seconds': '1' };
  const tree = Object.fromEntries(NAMES.map((name) => [`${'a'.repeat(200)}${name}`, '{}']));
  const run = await runAction(await makeWorkspace(tree), { ...REHEARSAL, ...inputs });
  expect([run.exitCode, run.outputs.reason]).toEqual([1, 'time-limit']);
});

test.concurrent('a file that is too large to be parsed arrives unchanged', async () => {
  const content = randomBytes(33 * MIB);
  const service = await openService({ token: TOKEN, maxBodyBytes: Infinity });
  const workspace = await makeWorkspace({ 'a.json': SBOM, 'report.bin': content });
  const run = await runAction(workspace, {
    'base-url': service.url,
    'dependencies-file': 'a.json',
    'vulnerabilities-file': 'report.bin',
    'content-check': 'off',
  });
  expect(run.outputs).toMatchObject({ uploaded: 'true' });
  const whole = { bytes: content.length, sha256: sha256(content) };
  expect(service.uploads[0]?.parts[1]).toMatchObject(whole);
  expect(readResults(run)[0]?.manifest[1]).toMatchObject(whole);
});
