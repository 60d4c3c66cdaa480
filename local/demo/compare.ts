import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedUpload } from '../service/index.ts';
import type { ExpectedUpload } from './scenarios.ts';

/** The digests of one part of one upload, of the workspace's file and of the file the service kept. */
export interface PartComparison {
  readonly part: string;
  readonly file: string;
  readonly sent: string;
  /** Undefined when the service kept no such part. */
  readonly received: string | undefined;
  /** Whether it is to be kept. */
  readonly isKept: boolean;
}

/** Compares the files of a workspace with what the service kept of them, upload by upload. */
export async function compareUploads(
  workspace: string,
  expected: readonly ExpectedUpload[],
  kept: readonly RecordedUpload[],
): Promise<PartComparison[]> {
  const parts = await Promise.all(
    expected.map((upload) =>
      compareParts(
        workspace,
        upload,
        kept.find(({ scanKey }) => scanKey === upload.scanKey),
      ),
    ),
  );
  return parts.flat();
}

async function compareParts(
  workspace: string,
  { files, isKept }: ExpectedUpload,
  upload: RecordedUpload | undefined,
): Promise<PartComparison[]> {
  const comparisons = Object.entries(files).map(async ([part, file]) => {
    const kept = upload?.parts.find(({ name }) => name === part);
    return {
      part,
      file,
      sent: await digest(join(workspace, file)),
      received: kept === undefined ? undefined : await digest(kept.path),
      isKept,
    };
  });
  return Promise.all(comparisons);
}

async function digest(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
