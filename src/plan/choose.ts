import { StepError } from '../errors.ts';
import { describeContent, isRecognised } from '../formats/content.ts';
import type { InspectedFile, ReadFiles } from '../formats/inspect.ts';
import { OPERATIONS, PARTS } from '../service/operations.ts';
import type { Operation, Part } from '../service/operations.ts';
import { findFaults } from './check.ts';
import { listMarks } from './marks.ts';
import type { Marking } from './marks.ts';
import { describePart } from './plan.ts';
import type { UploadPlan } from './plan.ts';

const ONE_FIX = 'Make the pattern match one file.';
const PAIR_FIX =
  'Match one file, or set `dependencies-file` and `vulnerabilities-file`, or `scans` for a scan of each.';
/** For `bom.json` beside `bom.xml`, or two SARIF files. */
const ALIKE_FIX = 'Name one of them, or set `scans` for a scan of each.';
const SAME_FIX = 'Give each part a file of its own, or upload the one file as `scan-file`.';

/**
 * Chooses the operation and each file's part by the inputs that named the files. For `files` their number decides:
 * one is the scan file, and of two the only CycloneDX document is the SBOM. The choice never depends on the findings
 * of a scan. Throws a StepError if a part would have no file, or a file no part.
 */
export function planUpload({ files, others }: ReadFiles, marking: Marking): UploadPlan {
  const operation = OPERATIONS.find((each) => areFilesOf(each, files));
  if (operation === undefined || others.length > 0) {
    throw refuseFiles({ files, others }, marking.contentCheck);
  }
  const parts = operation.parts.flatMap((part) =>
    files
      .filter((file) => fits(file, part))
      .map((file) => ({ part, file, marks: listMarks(part, file, marking) })),
  );
  // Two patterns may find one file if a tool did not write the other.
  if (new Set(files.map(({ identity }) => identity)).size === files.length) {
    return { operation, parts };
  }
  const problem = `${parts.map(describePart).join(' and ')} are the same file.`;
  throw new StepError('contents', problem, SAME_FIX);
}

/** Whether each file fits one part of an operation, and each part has one file. */
function areFilesOf({ parts }: Operation, files: readonly InspectedFile[]): boolean {
  const fitting = parts.map((part) => files.filter((file) => fits(file, part)));
  const isOnce = fitting.every(({ length }) => length === 1);
  return isOnce && new Set(fitting.flat()).size === files.length;
}

/** Whether a file is meant for a part: its input says that, or for `files` its format. */
function fits(file: InspectedFile, part: Part): boolean {
  if (file.input !== 'files') return file.input === part.input;
  return part.expects === 'either' || isCycloneDx(file) === (part.expects === 'SBOM');
}

function isCycloneDx({ content }: InspectedFile): boolean {
  return content.format === 'cyclonedx';
}

/**
 * The error for files whose parts are not clear. For `files`, one that fails in any part is the cause: to name only the
 * other one would upload that alone for ever.
 */
function refuseFiles(found: ReadFiles, contentCheck: Marking['contentCheck']): StepError {
  const { files, others } = found;
  const [{ input } = { input: 'files' }] = [...files, ...others];
  const faults = findFaults(files);
  if (input === 'files' && contentCheck === 'error' && faults !== undefined) return faults;
  const listed = files.map((file) => `'${file.displayPath}' (${describeContent(file.content)})`);
  const problems = [`\`${input}\` matched ${files.length + others.length} files.`, ...listed];
  if (others.length > 0) problems.push(`... and ${others.length} more`);
  const isSound = others.length === 0 && faults === undefined;
  return new StepError('files', problems, findFix(input, files, isSound));
}

/** What settles the parts of files; they are sound if all were inspected, and none fails in any part. */
function findFix(input: string, files: readonly InspectedFile[], isSound: boolean): string {
  if (PARTS.some((part) => part.input === input && part.expects !== 'either')) return ONE_FIX;
  if (!isSound) return PAIR_FIX;
  const [known, ...more] = files.filter(({ content }) => isRecognised(content));
  if (known !== undefined && more.length === 0) {
    return `Only '${known.displayPath}' is a known scan: name it in \`${input}\`.`;
  }
  const areReports = files.every(({ content }) => content.role === 'report');
  return areReports || files.every(isCycloneDx) ? ALIKE_FIX : PAIR_FIX;
}
