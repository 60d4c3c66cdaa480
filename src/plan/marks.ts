import type { Content, ScanState } from '../formats/content.ts';
import { isRecognised } from '../formats/content.ts';
import type { InspectedFile } from '../formats/inspect.ts';
import type { Part } from '../service/operations.ts';
import { countOf } from '../text.ts';

/** The names of marks. They stay the same across versions, for jobs that read the file of results. */
export const MARK_NAMES = [
  'unknown-format',
  'scan-failed',
  'scanned-in-part',
  'nothing-scanned',
  'no-result-list',
  'not-checked',
  'old',
  'not-counted',
] as const;

/** What makes a file less than it seems. */
export interface Mark {
  readonly name: (typeof MARK_NAMES)[number];
  /** What people read beside the file: the words of its name, or more. */
  readonly text: string;
}

/** What the step knows when it marks files. */
export interface Marking {
  /** When the job began, in milliseconds since 1970. */
  readonly jobStart: number;
  readonly contentCheck: 'error' | 'warn' | 'off';
}

const UNKNOWN: Mark = { name: 'unknown-format', text: 'of no known format' };
const NO_LIST: Mark = { name: 'no-result-list', text: 'no list of results' };
const UNCHECKED: Mark = { name: 'not-checked', text: 'not checked' };
const UNCOUNTED: Mark = { name: 'not-counted', text: 'not counted' };

/** What a file says of its own scan. */
const SCANS: Record<ScanState, (content: Content) => Mark> = {
  failed: () => ({ name: 'scan-failed', text: 'scan failed' }),
  partial: ({ errors = 0, firstError = '' }) => ({
    name: 'scanned-in-part',
    text: `scanned in part (${countOf(errors, 'error')}: ${firstError})`,
  }),
  idle: () => ({ name: 'nothing-scanned', text: 'nothing scanned' }),
};

/** What is counted in the file of a part: at least one of these, or the file is not counted. */
const COUNTS: Record<Part['expects'], readonly ('components' | 'vulnerabilities' | 'findings')[]> =
  {
    SBOM: ['components'],
    report: ['vulnerabilities', 'findings'],
    either: ['components', 'vulnerabilities', 'findings'],
  };

/** How much the clock of a file system may differ from that of the job. */
const CLOCK_MS = 60_000;

/** Lists what makes a file less than it seems in its part. */
export function listMarks(
  part: Part,
  { content, mtimeNs }: InspectedFile,
  marking: Marking,
): readonly Mark[] {
  const writtenMs = Number(mtimeNs / 1_000_000n);
  const isUncounted = COUNTS[part.expects].every((each) => content[each] === undefined);
  return [
    ...when(!isRecognised(content), UNKNOWN),
    ...(content.scan === undefined ? [] : [SCANS[content.scan](content)]),
    ...when(content.hasNoList === true, NO_LIST),
    ...when(marking.contentCheck === 'off', UNCHECKED),
    ...when(writtenMs <= marking.jobStart - CLOCK_MS, describeAge(writtenMs)),
    ...when(isUncounted, UNCOUNTED),
  ];
}

function when(isMarked: boolean, mark: Mark): readonly Mark[] {
  return isMarked ? [mark] : [];
}

/** A file that was written before the job began may be the report of an earlier run. */
function describeAge(writtenMs: number): Mark {
  const [, day, month, year] = new Date(writtenMs).toUTCString().split(' ');
  return { name: 'old', text: `written before this job began, on ${day} ${month} ${year}` };
}
