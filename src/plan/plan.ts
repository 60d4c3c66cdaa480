import { StepError } from '../errors.ts';
import { OPERATIONS } from '../service/operations.ts';
import type { Operation, Part } from '../service/operations.ts';
import { describeContent, describeCounts } from '../formats/describe.ts';
import type { ScanFile } from '../formats/inspect.ts';

/** A file and the form part in which it is sent. */
export interface PlannedPart {
  readonly part: Part;
  readonly file: ScanFile;
  /** Warnings of `content-check`, one sentence each. */
  readonly warnings?: readonly string[];
}

/** The operation of an upload, and its parts in the order in which they are sent. */
export interface UploadPlan {
  readonly operation: Operation;
  readonly parts: readonly PlannedPart[];
}

/** What to do if the parts of the files are not clear. */
const NAMING_FIX = `Match one file, or exactly one CycloneDX file and one other; or name them: ${OPERATIONS.map(
  ({ parts }) => parts.map(({ input }) => `\`${input}\``).join(' with '),
).join(', or ')}. To upload each file as a scan of its own, use \`scans\`.`;

/**
 * Chooses the operation and each file's part by the inputs that named the files. For `files` their number decides:
 * one is the scan file, and of two the only CycloneDX document is the SBOM. The choice never depends on the findings
 * of a scan. Throws a StepError if a part would have no file, or a file no part. `unopened` is the number of files
 * that were found in addition to `files`.
 */
export function planUpload(
  files: readonly ScanFile[],
  unopened = 0,
  operations: readonly Operation[] = OPERATIONS,
): UploadPlan {
  const isNamed = files.every(({ input }) => input !== 'files');
  const plan = operations
    .filter(({ isForFiles }) => isNamed || isForFiles)
    .map((operation) => ({ operation, parts: pairParts(operation, files, isNamed) }))
    .find(({ operation, parts }) => {
      const used = new Set(parts.map(({ file }) => file));
      return used.size === files.length && parts.length === operation.parts.length;
    });
  if (plan === undefined) {
    const candidates = files.map((file) => `'${file.displayPath}': ${describeCandidate(file)}`);
    const problems = [`\`files\` matched ${files.length + unopened} files.`, ...candidates];
    if (unopened > 0) problems.push(`... and ${unopened} more`);
    throw new StepError('files', problems, [NAMING_FIX]);
  }
  refuseSameFile(plan.parts);
  return plan;
}

/** The parts of an operation with the files that fit them. */
function pairParts({ parts }: Operation, files: readonly ScanFile[], isNamed: boolean) {
  const sboms = files.filter(({ content }) => content.format === 'cyclonedx');
  const fits = (file: ScanFile, { input, expects }: Part): boolean => {
    if (isNamed) return file.input === input;
    return (
      expects === 'either' || (sboms.length === 1 && sboms.includes(file) === (expects === 'SBOM'))
    );
  };
  return parts.flatMap((part) =>
    files.filter((file) => fits(file, part)).map((file) => ({ part, file })),
  );
}

/** A file's part and path, for messages. */
export function describePart({ part, file }: PlannedPart): string {
  return `${part.name} '${file.displayPath}'`;
}

function refuseSameFile([first, second]: readonly PlannedPart[]): void {
  if (first === undefined || first.file.identity !== second?.file.identity) return;
  throw new StepError(
    'contents',
    `${describePart(first)} and ${describePart(second)} are the same file.`,
    ['Give each part a file of its own, or upload the one file as `scan-file`.'],
  );
}

function describeCandidate({ content }: ScanFile): string {
  const { format, kind, problem = '' } = content;
  // These problems say what the file is.
  if (format === 'empty' || kind === 'utf-16') return problem.replace(/^is /, '');
  return [describeContent(content), describeCounts(content), problem]
    .filter((text) => text !== '')
    .join(', ');
}
