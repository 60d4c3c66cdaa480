import { readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openService } from '../support/service.ts';

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
});
