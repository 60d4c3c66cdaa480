import { StepError } from '../errors.ts';
import { OPERATIONS, PARTS } from '../service/operations.ts';
import type { Operation, Part } from '../service/operations.ts';
import { describeContent, describeCounts } from '../formats/describe.ts';
import type { ReadFiles, ScanFile } from '../formats/inspect.ts';
import { findHolding, findRole } from '../formats/role.ts';

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

/** How many files a message lists. */
const MAX_LISTED = 10;
const MATCH_ONE = 'Make the pattern match one file.';
const MATCH_FIX =
  'Match one file, or an SBOM in CycloneDX and its report: of two files exactly one must be CycloneDX.';
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
  const isNamed = files.every(({ input }) => input !== 'files');
  const plan = (others.length > 0 ? [] : OPERATIONS)
    .filter(({ isForFiles }) => isNamed || isForFiles)
    .map((operation) => ({ operation, parts: pairParts(operation, files, isNamed) }))
    .find(({ operation, parts }) => {
      const used = new Set(parts.map(({ file }) => file));
      const isFull = operation.parts.every((part) => parts.some((each) => each.part === part));
      return isFull && used.size === files.length && parts.length === operation.parts.length;
    });
  if (plan === undefined) throw refuseFiles({ files, others });
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

/** The error for files whose parts are not clear: those that may be meant come first. */
function refuseFiles({ files, others }: ReadFiles): StepError {
  const [{ input } = { input: 'files' }] = [...files, ...others];
  const { expects = 'either' } = PARTS.find((part) => part.input === input) ?? {};
  const isMeant = (role: Part['expects'] | undefined): boolean =>
    expects === 'either' || role === undefined || role === expects;
  const known = files.filter(({ content }) => findHolding(content) !== undefined);
  const meant = known.filter(({ content }) => isMeant(findRole(content)));
  const candidates = [...new Set([...meant, ...known, ...files])].map(describeCandidate);
  candidates.push(...others.map(({ path }) => `'${path}'`));
  const { length } = candidates;
  const problems = [`\`${input}\` matched ${length} files.`, ...candidates.slice(0, MAX_LISTED)];
  if (length > MAX_LISTED) problems.push(`... and ${length - MAX_LISTED} more`);
  const [path = '', second] = meant.map(({ displayPath }) => displayPath);
  // Another path may mean something else as a pattern, in YAML or as an expression.
  if (others.length === 0 && second === undefined && /^[\w./][\w./@+-]*$/.test(path)) {
    const fix = `Only '${path}' is a known ${expects === 'either' ? 'scan' : expects}: write \`${input}: ${path}\`.`;
    return new StepError('files', problems, fix);
  }
  const reports = meant.filter(({ content }) => findRole(content) === 'report');
  if (input === 'files' && reports.length === length && length > 1) {
    return new StepError('files', problems, SCANS_FIX);
  }
  return new StepError(
    'files',
    problems,
    input === 'files' ? [NAME_FIX, MATCH_FIX] : [MATCH_ONE, NAME_FIX],
  );
}

function describeCandidate({ displayPath, content }: ScanFile): string {
  const facts = [describeContent(content), describeCounts(content)].filter((text) => text !== '');
  return `'${displayPath}': ${facts.join(', ')}`;
}
