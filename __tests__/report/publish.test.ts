import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Failure } from '../../src/outcomes/failure.ts';
import type { ScanResult } from '../../src/outcomes/scan-result.ts';
import { hide } from '../../src/redaction/clean.ts';
import { Log } from '../../src/report/log.ts';
import { publish } from '../../src/report/publish.ts';
import {
  ENTRY,
  captureOutput,
  findLines,
  makeBatch,
  makeFailure,
  makeScan,
  makeStep,
  parseOutputs,
} from '../support/report.ts';
import type { FailureSpec } from '../support/report.ts';
import { makeFolder, setEnvironment } from '../support/workspace.ts';

let directory: string;

beforeEach(async () => {
  directory = await makeFolder();
  const [output, summary] = [join(directory, 'output'), join(directory, 'summary')];
  for (const file of [output, summary]) writeFileSync(file, '');
  setEnvironment({ GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, RUNNER_TEMP: directory });
});

function makePlain(headline: string, spec: FailureSpec = {}): Failure {
  return makeFailure({ headline, details: [], fixes: [], traces: [], ...spec });
}

function makeFailed(label?: string, failure = makePlain(`${label} is wrong.`)): ScanResult {
  return makeScan({ label, name: label, result: 'rejected', failure });
}

const LONG = makeFailure({
  details: ['one\n two'],
  fixes: ['three\r\nfour', 'five'],
  headers: ['Response headers: server: x'],
});
const FOLLOWING = makePlain('No.', { title: 'Not sent', reason: 'other-scans' });
const BROKEN = makePlain('Broken.', { title: 'Scan upload failed unexpectedly' });
const withId = (id: string): Failure =>
  makePlain('No.', { details: ['Denied.', `After ${id} s.`], fixes: ['Ask.'], traces: [id] });
const IDS = ['1', '2', '3', '4'];
const TITLE = '::error title=Scan upload rejected (400)';
const TEXT = 'The scan key is not known.%0Aone two%0Athree four five%0ATrace id of the requests: 1';

describe('publish', () => {
  test.each([
    ['accepted', true],
    ['rejected', false],
  ] as const)('returns for %s: %s, and writes outputs and summary', (result, isSuccess) => {
    captureOutput();
    expect(publish(makeStep({ result }), new Log())).toBe(isSuccess);
    const outputs = parseOutputs(readFileSync(join(directory, 'output'), 'utf8'));
    expect(outputs).toMatchObject({ result });
    expect(readFileSync(join(directory, 'summary'), 'utf8')).toMatch(/^### /);
  });

  test.each<[string, readonly ScanResult[], Failure | undefined, readonly string[]]>([
    [
      'names a scan, then what happened, details, what to do and traces; headers are in the log',
      [makeScan({ label: 'fine' }), makeFailed('shop', LONG)],
      undefined,
      ['[shop] Response headers: server: x', `${TITLE} [shop]::[shop] ${TEXT}`],
    ],
    [
      'begins with that of the step, and ends with those that other scans caused',
      [makeFailed('a', FOLLOWING), makeFailed('b'), makeFailed('c', FOLLOWING)],
      BROKEN,
      [
        '::error title=Scan upload failed unexpectedly::Broken.',
        `${TITLE} [b]::[b] b is wrong.`,
        '::error title=Not sent [a%2C c]::[a, c] No.',
      ],
    ],
    [
      'is one for equal failures, and the log has what differs for each scan',
      IDS.map((id) => makeFailed(`s${id}`, withId(id))),
      undefined,
      [
        ...IDS.flatMap((id) => [`[s${id}] After ${id} s.`, `[s${id}] ${id}`]),
        `${TITLE} [s1%2C s2%2C s3 and 1 more]::[s1, s2, s3 and 1 more] No.%0ADenied.%0AAsk.`,
      ],
    ],
  ])('annotates failures: an annotation %s', (_, scans, failure, lines) => {
    const output = captureOutput();
    publish(makeBatch(scans, { failure }), new Log());
    expect(output.lines.slice(0, -1)).toEqual(lines);
    expect(output.lines.at(-1)).toMatch(/^Scan uploads: \d rejected/);
  });

  test.each([10, 11, 15])(
    'writes at most ten annotations for %i failures, and logs all',
    (count) => {
      const output = captureOutput();
      const scans = Array.from({ length: count }, (_, index) => makeFailed(`s${index}`));
      publish(makeBatch(scans), new Log());
      const errors = findLines(output.text, /^::error/);
      expect(errors).toHaveLength(10);
      expect(findLines(output.text, /^\S+ s\d+ is wrong\.$|\] s\d+ is wrong\.$/)).toHaveLength(
        count,
      );
      const rest = count > 10 ? `And ${count - 9} more: s9, s10` : '[s9] s9 is wrong.';
      expect(errors.at(-1)).toContain(rest);
    },
  );

  test('shows a secret in no place of log, summary and file of results, but in paths', () => {
    const text = 'gH7kP2mQ9xT4';
    hide(text);
    const [lines, output] = [[text], captureOutput()];
    const failure = { title: text, headline: text, details: lines, fixes: lines, traces: lines };
    const manifest = [{ ...ENTRY, path: text, tool: text, specVersion: text, warnings: lines }];
    const said = { label: text, name: text, service: text, serviceWarnings: lines, says: lines };
    const scan = { manifest, skipped: text, problem: JSON.stringify({ [text]: text }), ...said };
    const failed = {
      ...scan,
      result: 'rejected',
      failure: makeFailure({ ...failure, headers: lines }),
    } as const;
    const step = makeBatch([makeScan(scan), makeScan(failed)], { failure: makeFailure(failure) });
    publish(step, new Log());
    expect(output.text).not.toContain(text);
    expect(readFileSync(join(directory, 'summary'), 'utf8')).not.toContain(text);
    const outputs = readFileSync(join(directory, 'output'), 'utf8');
    expect(outputs).not.toContain(text);
    const results = readFileSync(parseOutputs(outputs)['results-path'] ?? '', 'utf8');
    expect(results.replaceAll(`"path":"${text}"`, '')).not.toContain(text);
  });

  test('joins the lines of a text before it removes a secret that goes over them', () => {
    const output = captureOutput();
    // Of neither line, eight characters are of the secret.
    hide('my pass word is');
    const failure = makePlain('No my pass\nword is known.', { details: ['No my pass\nword is.'] });
    publish(makeBatch([makeScan({ result: 'rejected', failure })]), new Log());
    expect(output.lines).toEqual([expect.stringMatching(/%0ANo \*\*\*\.$/)]);
    const outputs = parseOutputs(readFileSync(join(directory, 'output'), 'utf8'));
    expect(outputs.error).toBe('No *** known.');
    const results = readFileSync(outputs['results-path'] ?? '', 'utf8');
    expect(JSON.parse(results)).toMatchObject([{ error: 'No *** known.' }]);
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
