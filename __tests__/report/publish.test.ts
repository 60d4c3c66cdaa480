import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { hide } from '../../src/redaction/clean.ts';
import { Log } from '../../src/report/log.ts';
import { publish } from '../../src/report/publish.ts';
import { makeFolder } from '../support/directories.ts';
import { setEnvironment } from '../support/environment.ts';
import { FAILURE, captureOutput, makeStep, parseOutputs } from '../support/report.ts';

let directory: string;

beforeEach(async () => {
  directory = await makeFolder();
  const [output, summary] = [join(directory, 'output'), join(directory, 'summary')];
  for (const file of [output, summary]) writeFileSync(file, '');
  setEnvironment({ GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, RUNNER_TEMP: directory });
});

describe('publish', () => {
  test.each([
    ['accepted', true],
    ['rejected', false],
  ] as const)(
    'returns for the result %s: %s, and writes outputs and summary',
    (result, isSuccess) => {
      captureOutput();
      expect(publish(makeStep({ result }), new Log())).toBe(isSuccess);
      expect(parseOutputs(readFileSync(join(directory, 'output'), 'utf8'))).toMatchObject({
        result,
      });
      expect(readFileSync(join(directory, 'summary'), 'utf8')).toMatch(/^### /);
    },
  );

  test('annotates a failure before it warns of outputs', () => {
    setEnvironment({ GITHUB_OUTPUT: join(directory, 'output'), RUNNER_TEMP: '' });
    const output = captureOutput();
    publish(makeStep({ result: 'rejected', statusCode: 400, failure: FAILURE }), new Log());
    expect(output.lines.slice(0, 2)).toEqual([
      expect.stringMatching(/^::error title=Scan upload rejected \(400\)::The scan key is not/),
      expect.stringMatching(/^::warning .*`results-path` is empty/),
    ]);
  });

  test('fails, and shows no secret, if neither outputs nor summary can be written', () => {
    const gone = join(directory, 's3cret', 'gone');
    setEnvironment({ GITHUB_OUTPUT: gone, GITHUB_STEP_SUMMARY: gone });
    const output = captureOutput();
    hide('s3cret');
    expect(publish(makeStep(), new Log())).toBe(false);
    expect(output.lines).toEqual([
      expect.stringMatching(/^::error .*could not be written: Missing file .*\*\*\*/),
      expect.stringMatching(/^No job summary was written: .*\*\*\*/),
    ]);
  });
});
