import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import { publish } from '../../src/report/publish.ts';
import type { ResultName } from '../../src/report/scan-result.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import { FAILURE, captureOutput, makeStep, parseOutputs } from '../support/report.ts';

let directory: string;

async function readOutput(name: 'output' | 'summary'): Promise<string> {
  return readFile(join(directory, name), 'utf8');
}

beforeEach(async () => {
  directory = await makeFolder();
  const [output, summary] = [join(directory, 'output'), join(directory, 'summary')];
  await writeFile(output, '');
  await writeFile(summary, '');
  setEnvironment({
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: directory,
  });
});

// Steps without a summary, or without a file for outputs, are tested in
// __tests__/action/outcomes.test.ts.

describe('publish', () => {
  test.each<[ResultName, boolean]>([
    ['accepted', true],
    ['dry-run', true],
    ['skipped', true],
    ['rejected', false],
    ['not-sent', false],
    ['unconfirmed', false],
  ])('returns for the result %s: %s', async (result, succeeds) => {
    captureOutput();
    expect(publish(makeStep({ result }), new Log())).toBe(succeeds);
    expect(parseOutputs(await readOutput('output'))).toMatchObject({ result });
    expect(await readOutput('summary')).toMatch(/^### /);
  });

  test('annotates a failure once, after its result', async () => {
    const output = captureOutput();
    const step = makeStep({ result: 'rejected', statusCode: 400, failure: FAILURE });
    expect(publish(step, new Log())).toBe(false);
    expect(output.lines).toEqual([
      expect.stringMatching(/^Result: rejected \(400\) /),
      expect.stringMatching(/^::error title=Scan upload rejected \(400\)::The scan key is not/),
    ]);
    expect(await readOutput('summary')).toContain(FAILURE.headline);
  });

  test('counts the warnings that are not annotated, including that of the outputs', async () => {
    setEnvironment({ GITHUB_OUTPUT: join(directory, 'output'), RUNNER_TEMP: '' });
    const log = new Log();
    const output = captureOutput();
    for (let index = 1; index < 10; index += 1) log.warning('Title', `w${index}`);
    publish(makeStep(), log);
    expect(output.lines.slice(9)).toEqual([
      expect.stringMatching(/^Result: accepted/),
      expect.stringMatching(/^Warning: `results-path` is empty/),
      '::warning title=Scan upload::1 more warning: see the log.',
    ]);
  });

  test('shows no secret if neither outputs nor summary can be written', async () => {
    const gone = join(directory, 's3cret', 'gone');
    setEnvironment({ GITHUB_OUTPUT: gone, GITHUB_STEP_SUMMARY: gone });
    const output = captureOutput();
    const log = new Log();
    log.hide('s3cret');
    expect(publish(makeStep(), log)).toBe(false);
    expect(output.lines).toEqual([
      expect.stringMatching(/^Result: accepted/),
      expect.stringMatching(/^::error .*could not be written: Missing file .*\*\*\*/),
      expect.stringMatching(/^No job summary was written: .*\*\*\*/),
    ]);
    expect(output.text).not.toContain('s3cret');
  });
});
