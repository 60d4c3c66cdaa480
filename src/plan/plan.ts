import { StepError } from '../errors.ts';
import type { Content } from '../formats/content.ts';
import { describeContent, describeTotals, isRecognised } from '../formats/content.ts';
import type { ReadFiles, InspectedFile } from '../formats/inspect.ts';
import { OPERATIONS, PARTS } from '../service/operations.ts';
import type { Operation, Part } from '../service/operations.ts';
import { formatBytes } from '../text.ts';
import { JSON_FIX } from './advice.ts';
import type { Mark } from './marks.ts';

/** A file and the form part in which it is sent. */
export interface PlannedPart {
  readonly part: Part;
  readonly file: InspectedFile;
  /** Warnings of `content-check`, one sentence each. */
  readonly warnings?: readonly string[];
  /** What makes the file less than it seems. */
  readonly marks?: readonly Mark[];
}

/** The operation of an upload, and its parts in the order in which they are sent. */
export interface UploadPlan {
  readonly operation: Operation;
  readonly parts: readonly PlannedPart[];
}

const ONE_FIX = 'Make the pattern match one file.';
const PAIR_FIX =
  'Match one file, or an SBOM in CycloneDX and its report: of two files exactly one must be CycloneDX.';
const SAME_FIX = 'Give each part a file of its own, or upload the one file as `scan-file`.';
const NAME_FIX =
  'For an SBOM and its report set `dependencies-file` and `vulnerabilities-file`; to upload each file as a scan of its own, use `scans`.';
/** What two reports are, such as two SARIF files. */
const SCANS_FIX =
  'None is an SBOM in CycloneDX: to upload each file as a scan of its own, use `scans`. Or match one file.';

/**
 * Chooses the operation and each file's part by the inputs that named the files. For `files` their number decides:
 * one is the scan file, and of two the only CycloneDX document is the SBOM. The choice never depends on the findings
 * of a scan. Throws a StepError if a part would have no file, or a file no part.
 */
export function planUpload({ files, others }: ReadFiles): UploadPlan {
  const operation = OPERATIONS.find((each) => areFilesOf(each, files));
  if (operation === undefined || others.length > 0) throw refuseFiles({ files, others });
  const parts = operation.parts.flatMap((part) =>
    files.filter((file) => fits(file, part)).map((file) => ({ part, file })),
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
  return isOnce && parts.length === files.length && new Set(fitting.flat()).size === files.length;
}

/** Whether a file is meant for a part: its input says that, or for `files` its format. */
function fits({ input, content }: InspectedFile, part: Part): boolean {
  if (input !== 'files') return input === part.input;
  const isSbom = content.format === 'cyclonedx';
  return part.expects === 'either' || isSbom === (part.expects === 'SBOM');
}

/** What a file was recognised as, for messages: `CycloneDX 1.6: 3 components`. */
export function describeFacts(content: Content): string {
  const facts = [describeContent(content), describeTotals(content)];
  return facts.filter((text) => text !== '').join(': ');
}

/** A file by its role and path, for messages: `SBOM 'bom.cdx.json'`. */
export function describePart({ part, file }: PlannedPart): string {
  return `${nameRole(part)} '${file.displayPath}'`;
}

/** What a part is for people. */
export function nameRole({ expects }: Part): string {
  return { SBOM: 'SBOM', report: 'Report', either: 'Scan file' }[expects];
}

/** The files of an upload with their sizes, for messages. */
export function describeFiles({ parts }: UploadPlan): string {
  return parts.map(({ file }) => `${file.displayPath} (${formatBytes(file.size)})`).join(', ');
}

/** The error for files whose parts are not clear. */
function refuseFiles({ files, others }: ReadFiles): StepError {
  const [{ input } = { input: 'files' }] = [...files, ...others];
  const count = files.length + others.length;
  const listed = files.map((file) => `'${file.displayPath}' (${describeFacts(file.content)})`);
  const problems = [`\`${input}\` matched ${count} files.`, ...listed];
  if (others.length > 0) problems.push(`... and ${others.length} more`);
  return new StepError('files', problems, findFixes(input, { files, others }));
}

function findFixes(input: string, { files, others }: ReadFiles): readonly string[] {
  const { expects = 'either' } = PARTS.find((part) => part.input === input) ?? {};
  const [known, ...more] = files.filter(({ content }) => {
    const isMeant = expects === 'either' || [expects, 'both', undefined].includes(content.role);
    return isMeant && isRecognised(content);
  });
  if (others.length === 0 && known !== undefined && more.length === 0) {
    const noun = expects === 'either' ? 'scan' : expects;
    return [`Only '${known.displayPath}' is a known ${noun}: name it in \`${input}\`.`];
  }
  // Neither JSON nor XML, such as the log and the page of a tool: none of them is a scan.
  const areOther = files.every(({ content: { syntax, kind } }) => !syntax && kind !== undefined);
  if (areOther && others.length === 0) return [JSON_FIX.replace('INPUT', `\`${input}\``)];
  if (input !== 'files') return [ONE_FIX, NAME_FIX];
  const areReports = files.every(({ content }) => content.role === 'report');
  return areReports && others.length === 0 ? [SCANS_FIX] : [NAME_FIX, PAIR_FIX];
}
