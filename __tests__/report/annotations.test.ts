import { expect, test } from '@jest/globals';
import { annotateFailures } from '../../src/report/annotations.ts';
import { Log } from '../../src/report/log.ts';
import type { Failure } from '../../src/results/failure.ts';
import type { ScanResult } from '../../src/results/scan-result.ts';
import { FAILURE, captureOutput, findCommands, makeBatch, makeScan } from '../support/report.ts';

/** The limits of the runner: errors per step, and characters per error. */
const SHOWN_BY_RUNNER = 10;
const MAX_MESSAGE_CHARACTERS = 4096;

function makeFailure(headline: string, failure: Partial<Failure> = {}): Failure {
  return { ...FAILURE, headline, details: [], fixes: [], traces: [], ...failure };
}

function makeFailed(label?: string, failure = makeFailure(`${label} is wrong.`)): ScanResult {
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

const LONG = { ...FAILURE, details: ['one\n two'], fixes: ['three\r\nfour', 'five'] };
const FOLLOWING = makeFailure('No.', { title: 'Not sent', situation: 'other-scans' });
const withId = (id: string): Failure =>
  makeFailure('No.', { details: ['Denied.', `After ${id} s.`], fixes: ['Ask.'], traces: [id] });
const TITLE = '::error title=Scan upload rejected (400)';
const TEXT = 'The scan key is not known.%0Aone two%0Athree four five%0ATrace id of the requests: 1';

test.each<[string, readonly ScanResult[], readonly string[], readonly string[]]>([
  [
    'names a scan, then what happened, details, what to do and traces',
    [makeScan({ label: 'fine' }), makeFailed('shop', LONG)],
    [`${TITLE} [shop]::[shop] ${TEXT}`],
    [],
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
  const failure = makeFailure('Broken.', { title: 'Scan upload failed unexpectedly' });
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

test('writes no other runner command, within the limits, for any name and failure text', () => {
  const text = 'a\n::set-output name=uploaded::true\r##[error]b,c:d%0A::stop-commands::x\u200b';
  const shared = makeFailure(text, { title: `Scan ${text}`, details: [text], fixes: [text] });
  const long = makeFailed(undefined, makeFailure('x'.repeat(100_000)));
  const scans = [makeFailed(text), makeFailed(text, shared), makeFailed(text, shared), long];
  const { errors, others } = annotate([...scans, ...makeFailedScans(20), makeFailed(text)]);
  expect(errors).toHaveLength(SHOWN_BY_RUNNER);
  expect(findCommands([...errors, ...others].join('\n'))).toEqual(errors);
  for (const line of errors) {
    const [, message = ''] = /^::error title=[^:,]*::(.+)$/.exec(line) ?? [];
    expect(message).toMatch(/^(?!.*(?:##\[|%0A\s*::))./);
    expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE_CHARACTERS);
  }
});
