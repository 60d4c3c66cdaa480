import { expect, test } from '@jest/globals';
import type { Content } from '../../src/formats/content.ts';
import { listMarks } from '../../src/plan/marks.ts';
import { PARTS } from '../../src/service/operations.ts';
import type { Part } from '../../src/service/operations.ts';
import { makeBom, makeContent, makeScanFile } from '../support/scans.ts';

const JOB_START = Date.UTC(2026, 2, 1);
const UNKNOWN = 'of no known format';
const UNCOUNTED = 'not counted';

/** The marks of a file of a part that was written when the job began. */
async function mark(
  name: Part['name'],
  content: Content,
  writtenMs = JOB_START,
  contentCheck: 'error' | 'off' = 'error',
): Promise<readonly string[]> {
  const file = await makeScanFile({ content, mtimeNs: BigInt(writtenMs) * 1_000_000n });
  return PARTS.filter((part) => part.name === name).flatMap((part) =>
    listMarks(part, file, { jobStart: JOB_START, contentCheck }).map(
      (each) => `${each.name}: ${each.text}`,
    ),
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
    'scan-failed: scan failed',
  ],
  [
    'a scan that ran in part',
    makeContent({ ...SEMGREP, scan: 'partial', errors: 2, firstError: 'x' }),
    'scanned-in-part: scanned in part (2 errors: x)',
  ],
  [
    'a report without a list of results',
    makeContent({ ...SEMGREP, hasNoList: true }),
    'no-result-list: no list of results',
  ],
  [
    'a scan of nothing',
    makeContent({ ...SEMGREP, scan: 'idle' }),
    'nothing-scanned: nothing scanned',
  ],
])('listMarks marks %s', async (_, content, ...marks) => {
  expect(await mark('ScanJsonFile', content)).toEqual(marks);
});

test('listMarks marks an SBOM without components that were counted, and a report without findings', async () => {
  const uncounted = [`not-counted: ${UNCOUNTED}`];
  expect(await mark('DependenciesCDX', makeBom(3))).toEqual([]);
  expect(await mark('VulnerabilitiesTool', makeBom(3))).toEqual(uncounted);
  expect(await mark('DependenciesCDX', makeBom())).toEqual(uncounted);
  expect(await mark('VulnerabilitiesTool', makeBom(0, 0))).toEqual([]);
});

test('listMarks marks a file that was not checked, beside what it is', async () => {
  const unchecked = 'not-checked: not checked';
  const unknown = [`unknown-format: ${UNKNOWN}`, unchecked, `not-counted: ${UNCOUNTED}`];
  expect(await mark('ScanJsonFile', makeBom(1, 0), JOB_START, 'off')).toEqual([unchecked]);
  expect(await mark('ScanJsonFile', makeContent(), JOB_START, 'off')).toEqual(unknown);
});

test('listMarks marks a file that was written a minute before the job began', async () => {
  const content = makeContent(SEMGREP);
  const old = ['old: written before this job began, on 28 Feb 2026'];
  expect(await mark('ScanJsonFile', content, JOB_START - 60_000)).toEqual(old);
  expect(await mark('ScanJsonFile', content, JOB_START - 59_999)).toEqual([]);
});
