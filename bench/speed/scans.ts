import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeInventory } from './files.ts';

/** A file of its own for a scan of its own. */
export interface Scan {
  readonly key: string;
  /** Absolute. */
  readonly path: string;
}

/** What one step is to upload. */
export interface Scans {
  /** Path in the workspace of the JSON list that the action's input `scans` names. */
  readonly list: string;
  readonly entries: readonly Scan[];
  /** Of all files. */
  readonly bytes: number;
}

const FILE_BYTES = 20_000;

/** Writes so many inventories of 20 KB into a folder of the workspace, and the list beside it. */
export function writeScans(workspace: string, count: number): Scans {
  const folder = `scans-${count}`;
  mkdirSync(join(workspace, folder));
  const scans = Array.from({ length: count }, (_, index) => {
    const name = `service-${index}`;
    return { name, 'scan-key': randomUUID(), 'scan-file': `${folder}/${name}.json` };
  });
  const entries = scans.map((scan) => {
    const path = join(workspace, scan['scan-file']);
    writeInventory(path, FILE_BYTES);
    return { key: scan['scan-key'], path };
  });
  const list = `${folder}.json`;
  writeFileSync(join(workspace, list), JSON.stringify(scans));
  const bytes = entries.reduce((sum, { path }) => sum + statSync(path).size, 0);
  return { list, entries, bytes };
}
