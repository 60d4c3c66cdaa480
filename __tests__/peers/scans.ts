import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { LocalService, TlsMaterial } from '../../local/service/index.ts';
import { TOKEN, makeWorkspace } from '../support/run-action.ts';
import { REPORT, sha256 } from '../support/samples.ts';
import { openService } from '../support/service.ts';

export const MIB = 1024 * 1024;

/** A scan file, `scan.json` in its workspace. */
export interface Scan {
  readonly content: string;
  readonly sha256: string;
}

const scans = new Map<number, Scan>();

/** The small report if `bytes` is 0, else a JSON file of that size that does not compress. */
export function makeScan(bytes: number): Scan {
  const known = scans.get(bytes);
  if (known !== undefined) return known;
  const content = bytes === 0 ? REPORT : writeScan(bytes);
  const scan = { content, sha256: sha256(content) };
  scans.set(bytes, scan);
  return scan;
}

function writeScan(bytes: number): string {
  const [head, tail] = ['{"SchemaVersion":2,"Results":["', '"]}'];
  const length = bytes - head.length - tail.length;
  const text = randomBytes(length).toString('hex').slice(0, length);
  return `${head}${text}${tail}`;
}

/** A workspace that contains only the scan file. */
export function placeScan({ content }: Scan): Promise<string> {
  return makeWorkspace({ 'scan.json': content });
}

/** The local service behind nginx and squid: requires the token, and has no size limit. */
export function openUpstream(tls?: TlsMaterial): Promise<LocalService> {
  return openService({ token: TOKEN, maxBodyBytes: Infinity, ...(tls !== undefined && { tls }) });
}

/** Checks that the service kept exactly one upload, with every byte of it. */
export function expectKept(service: LocalService, scan: Scan): void {
  expect(service.uploads).toHaveLength(1);
  const [part] = service.uploads[0]?.parts ?? [];
  expect(part).toMatchObject({ name: 'ScanJsonFile', filename: 'scan.json', sha256: scan.sha256 });
  expect(sha256(readFileSync(part?.path ?? ''))).toBe(scan.sha256);
}
