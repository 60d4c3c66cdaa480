import { expect, test } from '@jest/globals';
import { annotateFailures } from '../../src/report/annotations.ts';
import { Log } from '../../src/report/log.ts';
import type { Failure } from '../../src/outcomes/failure.ts';
import type { ScanResult } from '../../src/stages/scan-result.ts';
import { captureOutput, makeBatch, makeFailure, makeScan } from '../support/report.ts';
import type { FailureSpec } from '../support/report.ts';

/** The limits of the runner: errors per step, and characters per error. */
const SHOWN_BY_RUNNER = 10;
const MAX_MESSAGE_CHARACTERS = 4096;

function makePlain(headline: string, spec: FailureSpec = {}): Failure {
  return makeFailure({ headline, details: [], fixes: [], traces: [], ...spec });
}

function makeFailed(label?: string, failure = makePlain(`${label} is wrong.`)): ScanResult {
  return makeScan({ label, name: label, result: 'rejected', failure });
}

function makeFailedScans(count: number): readonly ScanResult[] {
  return Array.from({ length: count }, (_, index) => makeFailed(`s${index}`));
}

/** What the log gets: the annotations of a step, and other lines. */
function annotate(
  scans: readonly ScanResult[],
  failure?: Failure,
): Readonly<Record<'errors' | 'others', readonly string[]>> {
  const output = captureOutput();
  annotateFailures(makeBatch(scans, { failure }), new Log());
  const errors = output.lines.filter((line) => line.startsWith('::error title='));
  return { errors, others: output.lines.filter((line) => !errors.includes(line)) };
}

const LONG = makeFailure({
  details: ['one\n two'],
  fixes: ['three\r\nfour', 'five'],
  headers: ['Response headers: server: x'],
});
const FOLLOWING = makePlain('No.', { title: 'Not sent', reason: 'other-scans' });
const withId = (id: string): Failure =>
  makePlain('No.', { details: ['Denied.', `After ${id} s.`], fixes: ['Ask.'], traces: [id] });
const TITLE = '::error title=Scan upload rejected (400)';
const TEXT = 'The scan key is not known.%0Aone two%0Athree four five%0ATrace id of the requests: 1';

test.each<[string, readonly ScanResult[], readonly string[], readonly string[]]>([
  [
    'names a scan, then what happened, details, what to do and traces, but no headers',
    [makeScan({ label: 'fine' }), makeFailed('shop', LONG)],
    [`${TITLE} [shop]::[shop] ${TEXT}`],
    ['[shop] Response headers: server: x'],
  ],
  [
    'writes failures that other scans caused last',
    [makeFailed('a', FOLLOWING), makeFailed('b'), makeFailed('c', FOLLOWING)],
    [`${TITLE} [b]::[b] b is wrong.`, '::error title=Not sent [a%2C c]::[a, c] No.'],
    [],
  ],
  [
    'writes equal failures once, and logs what differs for each scan',
    ['1', '2', '3', '4'].map((id) => makeFailed(`s${id}`, withId(id))),
    [`${TITLE} [s1%2C s2%2C s3 and 1 more]::[s1, s2, s3 and 1 more] No.%0ADenied.%0AAsk.`],
    ['1', '2', '3', '4'].flatMap((id) => [`[s${id}] After ${id} s.`, `[s${id}] ${id}`]),
  ],
])('annotateFailures %s', (_, scans, errors, others) => {
  expect(annotate(scans)).toEqual({ errors, others });
});

test.each([0, 1, SHOWN_BY_RUNNER])('writes that of the step first, of %i others', (count) => {
  const failure = makePlain('Broken.', { title: 'Scan upload failed unexpectedly' });
  const { errors } = annotate(makeFailedScans(count), failure);
  expect(errors[0]).toBe('::error title=Scan upload failed unexpectedly::Broken.');
  expect(errors).toHaveLength(Math.min(count + 1, SHOWN_BY_RUNNER));
});

test.each([
  [10, '[s9] s9 is wrong.'],
  [11, '2 more scans failed: s9, s10. See the log.'],
  [1000, '991 more scans failed: s9, s10, s11 and 988 more. See the log.'],
])('writes at most ten annotations for %i failures', (count, last) => {
  const { errors, others } = annotate(makeFailedScans(count));
  expect(errors).toHaveLength(SHOWN_BY_RUNNER);
  expect(errors[8]).toContain('s8 is wrong.');
  expect(errors[9]?.replace(/^::error title=.*?::/, '')).toBe(last);
  const rest = makeFailedScans(count).slice(count > SHOWN_BY_RUNNER ? 9 : 10);
  expect(others).toEqual(rest.map(({ entry: { label } }) => `[${label}] ${label} is wrong.`));
});

test('keeps an annotation within the limit of the runner', () => {
  const long = makePlain('x'.repeat(1600), {
    details: ['y'.repeat(1500)],
    fixes: ['z'.repeat(4000)],
  });
  const { errors } = annotate([makeFailed(undefined, long)]);
  expect(errors[0]?.replace(/^::error title=.*?::/, '').length).toBeLessThan(
    MAX_MESSAGE_CHARACTERS,
  );
});
