import { FileError } from '../errors.ts';
import { OPERATIONS } from '../service/operations.ts';
import type { Operation, Part } from '../service/operations.ts';
import type { Content } from '../formats/content.ts';
import { describeContent, describeCounts } from '../formats/describe.ts';
import type { FileFacts } from '../files/open.ts';

/** A file and what it was taken for. */
export interface ScanFile extends FileFacts {
  readonly content: Content;
}

/** A file in its place in the form. */
export interface PlannedPart {
  readonly part: Part;
  readonly file: ScanFile;
  /** What the check of its contents found that does not stop the step, a sentence each. */
  readonly warnings?: readonly string[];
}

/** What is to be sent where; the parts in the order in which they go out. */
export interface UploadPlan {
  readonly operation: Operation;
  readonly parts: readonly PlannedPart[];
}

/** The inputs that say which file is what, for messages. */
const SETTLING_INPUTS = OPERATIONS.map(({ parts }) =>
  parts.map(({ input }) => `\`${input}\``).join(' with '),
).join(', or ');

/**
 * Chooses the operation and each file's part: by input where there is one for each part; else one file is
 * the scan file, and of two files the only CycloneDX document is the inventory. The choice never
 * depends on what a scan found. Throws a FileError for everything else; `unopened` files were found
 * beyond the ones listed.
 */
export function planUpload(files: readonly ScanFile[], unopened = 0): UploadPlan {
  const plan = planByInput(files) ?? inferPlan(files, unopened);
  const [first, second] = plan.parts.filter(({ file }, _, all) =>
    all.some((other) => other.file !== file && other.file.identity === file.identity),
  );
  if (first !== undefined && second !== undefined) {
    throw new FileError(
      `${describePart(first)} and ${describePart(second)} are the same file. Each part needs a file of its own.`,
    );
  }
  return plan;
}

/** A file's place and path, for messages. */
export function describePart({ part, file }: PlannedPart): string {
  return `${part.name} '${file.displayPath}'`;
}

function planByInput(files: readonly ScanFile[]): UploadPlan | undefined {
  const plans = OPERATIONS.map((operation) => {
    const parts = operation.parts.flatMap((part) => {
      const file = files.find(({ input }) => input === part.input);
      return file === undefined ? [] : [{ part, file }];
    });
    return { operation, parts };
  });
  return plans.find(({ operation, parts }) => parts.length === operation.parts.length);
}

/** One file is the whole of an operation with one part; of two files the only CycloneDX one is the inventory. */
function inferPlan(files: readonly ScanFile[], unopened: number): UploadPlan {
  const operation = OPERATIONS.find(({ parts }) => parts.length === files.length);
  const inventories = files.filter(({ content }) => content.format === 'cyclonedx');
  const isClear = files.length === 1 || (files.length === 2 && inventories.length === 1);
  if (operation === undefined || !isClear) {
    throw new FileError(...describeUndecided(files, unopened));
  }
  const fits = (file: ScanFile, { holds }: Part): boolean =>
    files.length === 1 || inventories.includes(file) === (holds === 'inventory');
  const parts = operation.parts.flatMap((part) =>
    files.filter((file) => fits(file, part)).map((file) => ({ part, file })),
  );
  return { operation, parts };
}

function describeUndecided(files: readonly ScanFile[], unopened: number): readonly string[] {
  const more = unopened > 0 ? [`... and ${unopened} more`] : [];
  return [
    `\`files\` matched ${files.length + unopened} files. ` +
      'Match one file, or exactly one CycloneDX file and one other; ' +
      `or name them: ${SETTLING_INPUTS}.`,
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
