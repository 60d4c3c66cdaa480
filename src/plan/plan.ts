import type { InspectedFile } from '../formats/inspect.ts';
import type { Operation, Part } from '../service/operations.ts';
import { formatBytes } from '../text.ts';
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
