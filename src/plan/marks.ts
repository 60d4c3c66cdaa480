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

/** What is counted in the file of a part: at least one of these, or the file is not counted. */
const COUNTS = {
  SBOM: ['components'],
  report: ['vulnerabilities', 'findings'],
  either: ['components', 'vulnerabilities', 'findings'],
} as const;

/** How much the clock of a file system may differ from that of the job. */
const CLOCK_MS = 60_000;

/** Lists what makes a file less than it seems in its part. */
export function listMarks(
  part: Part,
  { content, mtimeNs }: InspectedFile,
  { jobStart, contentCheck }: Marking,
): readonly Mark[] {
  const { scan, errors = 0, firstError } = content;
  const writtenMs = Number(mtimeNs / 1_000_000n);
  const texts: Record<Mark['name'], string | false | undefined> = {
    'unknown-format': !isRecognised(content) && 'of no known format',
    'scan-failed': scan === 'failed' && 'scan failed',
    'scanned-in-part':
      scan === 'partial' && `scanned in part (${countOf(errors, 'error')}: ${firstError})`,
    'nothing-scanned': scan === 'idle' && 'nothing scanned',
    'no-result-list': content.hasNoList && 'no list of results',
    'not-checked': contentCheck === 'off' && 'not checked',
    // It may be the report of an earlier run.
    old: writtenMs <= jobStart - CLOCK_MS && describeAge(writtenMs),
    'not-counted':
      COUNTS[part.expects].every((each) => content[each] === undefined) && 'not counted',
  };
  return MARK_NAMES.flatMap((name) => {
    const text = texts[name];
    return text ? [{ name, text }] : [];
  });
}

function describeAge(writtenMs: number): string {
  const [, day, month, year] = new Date(writtenMs).toUTCString().split(' ');
  return `written before this job began, on ${day} ${month} ${year}`;
}
