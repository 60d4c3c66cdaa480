import type { ScanFile } from '../../src/plan/plan.ts';

export * from '../files/fixtures.ts';

/** A file that was opened and looked at, as later stages see it. */
export async function makeScanFile(details: Partial<ScanFile> = {}): Promise<ScanFile> {
  const name = details.name ?? 'scan.json';
  return {
    path: `/workspace/${name}`,
    displayPath: name,
    name,
    size: 2,
    mtimeNs: 0n,
    ctimeNs: 0n,
    identity: `1:${name}`,
    input: 'files',
    directory: '/workspace',
    content: { format: 'json', syntax: 'json', inspected: 'full' },
    ...details,
  };
}
