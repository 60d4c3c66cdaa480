import { expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { markFiles } from '../../src/plan/marks.ts';
import { makeBom, makeContent, makePlan, makeScanFile } from '../support/plans.ts';

const JOB_START = Date.UTC(2026, 2, 1);
const UNKNOWN = 'of no known format';
const UNCOUNTED = 'not counted';

/** The marks of files that were written when the job began. */
async function mark(
  contents: readonly Content[],
  writtenMs = JOB_START,
  contentCheck: 'error' | 'off' = 'error',
): Promise<readonly (readonly string[])[]> {
  const [one, other] = contents.map((content) =>
    makeScanFile({ content, mtimeNs: BigInt(writtenMs) * 1_000_000n }),
  );
  if (one === undefined) throw new Error('There is no file.');
  const files = await Promise.all(other === undefined ? [one] : [one, other]);
  const plan = makePlan(files.length === 1 ? 'upload-file' : 'upload-multiple-files', ...files);
  return markFiles(plan, { jobStart: JOB_START, contentCheck }).parts.map(({ marks = [] }) =>
    marks.map(({ name, text }) => `${name}: ${text}`),
  );
}

const SEMGREP = { format: 'semgrep', findings: 0 } as const;

test.each<[string, Content, ...string[]]>([
  ['nothing of a report that was counted', makeContent(SEMGREP)],
  ['an unknown format', makeContent(), `unknown-format: ${UNKNOWN}`, `not-counted: ${UNCOUNTED}`],
  ['what is not counted', makeContent({ format: 'grype' }), `not-counted: ${UNCOUNTED}`],
  ['nothing of an SBOM that is a scan', makeBom(3)],
  [
    'a scan that failed',
    makeContent({ ...SEMGREP, scan: 'failed', firstError: 'x' }),
    'scan-failed: its scan failed',
  ],
  [
    'a scan that ran in part',
    makeContent({ ...SEMGREP, scan: 'partial', errors: 2, firstError: 'x' }),
    'scanned-in-part: scanned in part (2 errors: x)',
  ],
  [
    'a scan of nothing',
    makeContent({ ...SEMGREP, scan: 'idle' }),
    'nothing-scanned: nothing was scanned',
  ],
])('markFiles marks %s', async (_, content, ...marks) => {
  expect(await mark([content])).toEqual([marks]);
});

test('markFiles marks an SBOM without components that were counted, and a report without findings', async () => {
  const uncounted = [`not-counted: ${UNCOUNTED}`];
  expect(await mark([makeBom(3), makeBom(3)])).toEqual([[], uncounted]);
  expect(await mark([makeBom(), makeBom(0, 0)])).toEqual([uncounted, []]);
});

test('markFiles marks files that were not checked, beside what they are', async () => {
  const unchecked = 'not-checked: not checked';
  const contents = [makeBom(1, 0), makeContent()];
  const unknown = [`unknown-format: ${UNKNOWN}`, unchecked, `not-counted: ${UNCOUNTED}`];
  expect(await mark(contents, JOB_START, 'off')).toEqual([[unchecked], unknown]);
});

test('markFiles marks a file that was written more than a minute before the job began', async () => {
  const content = makeContent(SEMGREP);
  const old = ['old: written before this job began, on 28 Feb 2026'];
  expect(await mark([content], JOB_START - 60_000)).toEqual([old]);
  expect(await mark([content], JOB_START - 59_999)).toEqual([[]]);
});
