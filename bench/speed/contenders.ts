import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPeer } from './files.ts';
import type { Service } from './service.ts';

/** The directory and the service of a line. */
export interface Stage {
  /** Temporary; holds all files. */
  readonly directory: string;
  readonly service: Service;
}

/** One program of a line. */
export interface Contender {
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The command that runs after it. */
  readonly next?: readonly string[];
  /** The inputs of a step that are not the defaults. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** A step's workspace; the stage's directory by default. */
  readonly workspace?: string;
  /** The files that have to arrive for a figure to count. */
  readonly sends?: readonly string[];
  /** What a figure is multiplied by; 1 by default. */
  readonly scale?: number;
}

/** The name of this action in the figures. */
export const OURS = 'ours';
/** The committed bundle. */
export const BUNDLE = join(import.meta.dirname, '..', '..', 'dist', 'index.js');

const NODE = process.execPath;
const OTHERS = join(import.meta.dirname, 'others');
const SCAN_KEY = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
/** How many uploads run in parallel, in every program. */
const MAX_PARALLEL = '16';

type Make = (stage: Stage, files: readonly string[]) => Omit<Contender, 'name'>;

/** The programs, with their files. */
const PROGRAMS = {
  [OURS]: (stage, files) => runStep(BUNDLE, stage, files),
  peer: (stage, files) => {
    const bundle = buildPeer(stage.directory, join(OTHERS, 'peer.js'));
    return runStep(bundle, stage, files);
  },
  floor: ({ service: { url, ca } }, sends) => {
    const script = join(OTHERS, 'floor.cjs');
    return { command: [NODE, script, url, ca, MAX_PARALLEL, ...sends], sends };
  },
  curl: (stage, sends) => ({ command: ['curl', ...listForCurl(stage, sends)], sends }),
  'curl; sha256sum': (stage, sends) => {
    const next = ['sha256sum', ...sends];
    return { command: ['curl', ...listForCurl(stage, sends)], next, sends };
  },
  openssl: (_, files) => ({ command: ['openssl', 'dgst', '-sha256', ...files] }),
  bare: () => ({ command: [NODE, '-e', '0'] }),
} satisfies Readonly<Record<string, Make>>;

/** Programs that get the same files. */
export function compare(
  stage: Stage,
  files: readonly string[],
  ...programs: readonly (keyof typeof PROGRAMS)[]
): readonly Contender[] {
  return programs.map((name) => ({ name, ...PROGRAMS[name](stage, files) }));
}

/** This action, under another name. */
export function runOurs(name: string, stage: Stage, files: readonly string[]): Contender {
  return { name, ...runStep(BUNDLE, stage, files) };
}

/** This action, looking for files in a workspace and sending nothing. */
export function findOnly(name: string, workspace: string, files: string): Contender {
  const inputs = { 'base-url': 'http://127.0.0.1:9', 'scan-key': SCAN_KEY, files };
  return { name, command: [NODE, BUNDLE], workspace, inputs: { ...inputs, 'dry-run': 'true' } };
}

/** The bundle of an action, uploading a scan for each file. */
function runStep(bundle: string, stage: Stage, files: readonly string[]): Omit<Contender, 'name'> {
  const { directory, service } = stage;
  const scans = files.map((file) => ({ 'scan-key': randomUUID(), 'scan-file': file }));
  const list = join(directory, `scans-${files.length}.json`);
  writeFileSync(list, JSON.stringify(scans));
  const given = scans.length === 1 ? scans[0] : { scans: list, 'max-parallel': MAX_PARALLEL };
  const inputs = { 'base-url': service.url, 'ca-cert': service.ca, ...given };
  return { command: [NODE, bundle], inputs, sends: files };
}

/** `curl -F` for each file, all in one process; it fails if an upload is not accepted. */
function listForCurl({ service }: Stage, files: readonly string[]): readonly string[] {
  const trust = service.ca === '' ? [] : ['--cacert', service.ca];
  const uploads = files.map((file) => {
    const form = ['-F', `ScanKey=${SCAN_KEY}`, '-F', `ScanJsonFile=@${file}`];
    return ['-sS', '--fail', ...trust, ...form, service.url];
  });
  const [first = [], ...others] = uploads;
  const parallel = others.length === 0 ? [] : ['--parallel', '--parallel-max', MAX_PARALLEL];
  return ['-q', ...parallel, ...first, ...others.flatMap((upload) => ['--next', ...upload])];
}
