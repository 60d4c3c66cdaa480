import { readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openService } from '../support/service.ts';
import { makeEntries, runBatch } from './batch.ts';

const SCANS = 6;
/** Small enough to be kept whole; those of all scans together exceed the limit of `results`. */
const PROBLEM = { detail: 'No.', extension: 'x'.repeat(59_000) };

describe('results-path', () => {
  test('is a file below RUNNER_TEMP that only this user can read, with the content of results', async () => {
    const service = await openService({ token: TOKEN });
    const runnerTemp = await makeFolder();
    const inputs = { 'base-url': service.url };
    const { outputs } = await runAction(await makeWorkspace(), inputs, { runnerTemp });
    const path = outputs['results-path'] ?? '';
    expect(readFileSync(path, 'utf8')).toBe(outputs.results);
    expect(dirname(dirname(path))).toBe(runnerTemp);
    expect(basename(dirname(path))).toMatch(/^\../);
    // Windows has no such modes.
    const mode = process.platform === 'win32' ? 0o600 : statSync(path).mode & 0o777;
    expect(mode).toBe(0o600);
  });

  test('has the problem details of every scan, even those that results omits', async () => {
    const refusal = { status: 400, body: JSON.stringify(PROBLEM) };
    const responses = Array.from({ length: SCANS }, () => refusal);
    const service = await openService({ token: TOKEN, responses });
    const runnerTemp = await makeFolder();
    const scans = makeEntries(SCANS, 'scan.json');
    const { outputs } = await runBatch(
      await makeWorkspace(),
      service.url,
      scans,
      {},
      { runnerTemp },
    );
    const count = (text: string): number => text.split(PROBLEM.extension).length - 1;
    expect(count(outputs.results ?? '')).toBe(4);
    expect(count(readFileSync(outputs['results-path'] ?? '', 'utf8'))).toBe(SCANS);
  });

  test('is empty with a warning if RUNNER_TEMP is missing', async () => {
    const service = await openService({ token: TOKEN });
    const inputs = { 'base-url': service.url };
    const run = await runAction(await makeWorkspace(), inputs, { omitEnv: ['RUNNER_TEMP'] });
    expect(run.outputs).toMatchObject({ uploaded: 'true', 'results-path': '' });
    expect(run.annotations).toMatchObject([
      { level: 'warning', message: expect.stringContaining('RUNNER_TEMP is not set') },
    ]);
  });
});
