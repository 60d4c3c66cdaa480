import { join } from 'node:path';
import type { Service } from './service.ts';

/** One program of a line. */
export interface Contender {
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The inputs of a step that are not the defaults. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** The file that has to arrive for a figure to count. */
  readonly sends?: string;
}

/** The name of this action in the figures. */
export const OURS = 'ours';
/** This action; its script is the committed bundle. */
const ACTION = [process.execPath, join(import.meta.dirname, '../../dist/index.js')] as const;

const FLOOR = join(import.meta.dirname, 'others', 'floor.cjs');
const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

/** This action, uploading a file. */
export function runOurs({ url, ca }: Service, sends: string, name = OURS): Contender {
  const inputs = { 'base-url': url, 'ca-cert': ca, 'scan-key': SCAN_KEY, 'scan-file': sends };
  return { name, command: ACTION, inputs, sends };
}

/** This action, looking for files and sending nothing. */
export function findOnly({ url }: Service, files: string): Contender {
  const inputs = { 'base-url': url, 'scan-key': SCAN_KEY, files, 'dry-run': 'true' };
  return { name: OURS, command: ACTION, inputs };
}

/** The least that Node can do: sending the bytes of a file. */
export function runFloor({ url, ca }: Service, sends: string): Contender {
  return { name: 'floor', command: [process.execPath, FLOOR, url, ca, sends], sends };
}

/** `curl -F`; fails if the upload is not accepted. */
export function runCurl({ url, ca }: Service, sends: string): Contender {
  const form = ['-F', `ScanKey=${SCAN_KEY}`, '-F', `ScanJsonFile=@${sends}`];
  const command = ['curl', '-q', '-sS', '--fail', '--cacert', ca, ...form, url];
  return { name: 'curl', command, sends };
}
