import { FileError } from '../errors.ts';
import type { OperationName, PartName } from '../service/operations.ts';
import type { Content } from './content/content.ts';
import { describeContent, describeCounts } from './content/describe.ts';
import type { FileInput } from './find.ts';
import type { FileFacts } from './open.ts';

/** A file and what it was taken for. */
export interface ScanFile extends FileFacts {
  readonly content: Content;
}

/** A file in its place in the form. */
export interface PlannedPart {
  readonly part: PartName;
  readonly file: ScanFile;
}

/** What is to be sent where; the parts in the order in which they go out. */
export interface UploadPlan {
  readonly operation: OperationName;
  readonly parts: readonly PlannedPart[];
}

/** The inputs that settle which file is what, for messages. */
const SETTLING_INPUTS = 'scan-file, or dependencies-file with vulnerabilities-file';

/**
 * Chooses the operation and each file's part: by role where the author gave one; else one file is
 * the scan file, and of two files the only CycloneDX document is the inventory. The choice never
 * depends on what a scan found. Throws a FileError for everything else; `unopened` files were found
 * beyond the ones listed.
 */
export function planUpload(files: readonly ScanFile[], unopened = 0): UploadPlan {
  const plan = planByRole(files) ?? inferPlan(files, unopened);
  const [first, second] = plan.parts;
  if (first !== undefined && first.file.identity === second?.file.identity) {
    throw new FileError(
      `${describePart(first)} and ${describePart(second)} are one and the same file: the inventory and the report must be two files.`,
    );
  }
  return plan;
}

/** A file's place and path, for messages. */
export function describePart({ part, file }: PlannedPart): string {
  return `${part} '${file.displayPath}'`;
}

function planByRole(files: readonly ScanFile[]): UploadPlan | undefined {
  const find = (input: FileInput): ScanFile | undefined =>
    files.find((file) => file.input === input);
  const scan = find('scan-file');
  const dependencies = find('dependencies-file');
  const vulnerabilities = find('vulnerabilities-file');
  if (scan !== undefined) return planSingle(scan);
  if (dependencies === undefined || vulnerabilities === undefined) return undefined;
  return planPair(dependencies, vulnerabilities);
}

function inferPlan(files: readonly ScanFile[], unopened: number): UploadPlan {
  const [first, second, ...rest] = files;
  if (first !== undefined && second === undefined) return planSingle(first);
  if (first !== undefined && second !== undefined && rest.length === 0) {
    const inventories = [first, second].filter(({ content }) => content.format === 'cyclonedx');
    if (inventories.length === 1) {
      return inventories[0] === first ? planPair(first, second) : planPair(second, first);
    }
  }
  throw new FileError(...describeUndecided(files, unopened));
}

function planSingle(scan: ScanFile): UploadPlan {
  return { operation: 'upload-file', parts: [{ part: 'ScanJsonFile', file: scan }] };
}

function planPair(dependencies: ScanFile, vulnerabilities: ScanFile): UploadPlan {
  return {
    operation: 'upload-multiple-files',
    parts: [
      { part: 'DependenciesCDX', file: dependencies },
      { part: 'VulnerabilitiesTool', file: vulnerabilities },
    ],
  };
}

function describeUndecided(files: readonly ScanFile[], unopened: number): readonly string[] {
  const more = unopened > 0 ? [`... and ${unopened} more, not looked at`] : [];
  return [
    `files found ${files.length + unopened} files, and which is what cannot be told: ` +
      'one file, or two of which exactly one is CycloneDX, can be. ' +
      `Name them instead: ${SETTLING_INPUTS}.`,
    ...files.map((file) => `'${file.displayPath}': ${describeCandidate(file.content)}`),
    ...more,
  ];
}

function describeCandidate(content: Content): string {
  const { fault = '' } = content;
  const taken = describeContent(content);
  // A fault may say once more what the file was taken for.
  if (fault.startsWith(`is ${taken}`)) return fault.slice('is '.length);
  return [taken, describeCounts(content), fault].filter((text) => text !== '').join(', ');
}
