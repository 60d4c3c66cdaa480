import { BUNDLE, compare, findOnly, OURS, runOurs } from './contenders.ts';
import type { Contender, Stage } from './contenders.ts';
import { SBOM_PATH, makeSbom, makeScans, makeSparse, makeWorkspace } from './files.ts';
import type { Unit } from './measure.ts';

/** The most that the median of `subject` may be: `times` the highest median of `of`, plus `plus`. */
export interface Goal {
  readonly subject: string;
  /** Names of contenders; without any only `plus` counts. */
  readonly of?: readonly string[];
  /** 1 by default. */
  readonly times?: number;
  /** In the line's unit; 0 by default. */
  readonly plus?: number;
}

/** One line of the benchmark. */
export interface Line {
  readonly name: string;
  readonly title: string;
  /** `ms` by default. */
  readonly unit?: Unit;
  /** How often each contender runs for a figure; 5 by default. */
  readonly rounds?: number;
  /** Whether the service is one over https. */
  readonly isSecure?: boolean;
  /** How far away the service is; 0 by default. */
  readonly roundTripMs?: number;
  readonly contenders: (stage: Stage) => readonly Contender[];
  readonly goals: readonly Goal[];
}

const MIB = 1024;
const SINGLES = 'scaled singles';
const DIRECTORIES = 2000;

/** All lines, in the order they run in. */
export const LINES: readonly Line[] = [
  {
    name: 'small',
    title: '100 KB over http: the cost of a step with a small file',
    rounds: 20,
    contenders: (stage) => {
      const files = [makeSbom(stage.directory, 100_000)];
      return compare(stage, files, OURS, 'floor', 'bare', 'peer');
    },
    goals: [
      { subject: OURS, times: 2.2, of: ['floor'] },
      { subject: OURS, times: 0.85, of: ['peer'] },
    ],
  },
  {
    name: 'tls',
    title: '1 GiB over https',
    isSecure: true,
    contenders: (stage) => {
      const files = [makeSparse(stage.directory, 1024)];
      return compare(stage, files, OURS, 'curl', 'curl; sha256sum');
    },
    goals: [
      { subject: OURS, times: 1.6, of: ['curl'] },
      { subject: OURS, of: ['curl; sha256sum'] },
    ],
  },
  {
    name: 'plain',
    title: '1 GiB over http, where the digest costs most',
    contenders: (stage) => {
      const files = [makeSparse(stage.directory, 1024)];
      return compare(stage, files, OURS, 'curl', 'openssl');
    },
    goals: [{ subject: OURS, times: 1.9, of: ['curl', 'openssl'] }],
  },
  {
    name: 'memory',
    title: 'peak memory by file size',
    unit: 'KiB',
    contenders: (stage) => [
      ...compare(stage, [], 'bare'),
      runOurs('100 KB', stage, [makeSbom(stage.directory, 100_000)]),
      runOurs('10 MiB', stage, [makeSbom(stage.directory, 10 * 2 ** 20)]),
      runOurs('64 MiB', stage, [makeSparse(stage.directory, 64)]),
      runOurs('1 GiB', stage, [makeSparse(stage.directory, 1024)]),
      runOurs('4 GiB', stage, [makeSparse(stage.directory, 4096)]),
    ],
    goals: [
      { subject: '10 MiB', plus: 120 * MIB },
      { subject: '64 MiB', of: ['bare'], plus: 45 * MIB },
      { subject: '1 GiB', of: ['bare'], plus: 45 * MIB },
      { subject: '4 GiB', of: ['bare'], plus: 45 * MIB },
      { subject: '4 GiB', times: 1.05, of: ['64 MiB'] },
    ],
  },
  {
    name: 'search',
    title: 'search among 200,000 files',
    contenders: ({ directory }) => {
      const workspace = makeWorkspace(directory, DIRECTORIES);
      const command = ['find', workspace, '-name', 'bom.cdx.json'];
      return [findOnly(OURS, workspace, '**/bom.cdx.json'), { name: 'find', command }];
    },
    goals: [{ subject: OURS, times: 3, of: ['find'] }],
  },
  {
    name: 'literal',
    title: 'a file by its path, among 200,000 files and alone: nothing is searched',
    rounds: 20,
    contenders: ({ directory }) => [
      findOnly(OURS, makeWorkspace(directory, DIRECTORIES), SBOM_PATH),
      findOnly('one file', makeWorkspace(directory, 0), SBOM_PATH),
    ],
    goals: [{ subject: OURS, times: 1.1, of: ['one file'] }],
  },
  {
    name: 'batch',
    title: '1,000 scans of 20 KB in one step, over https',
    isSecure: true,
    contenders: (stage) => {
      const files = makeScans(stage.directory, 1000);
      return [...compare(stage, files, OURS, 'curl', 'floor'), scaleSingle(stage, files)];
    },
    goals: [{ subject: OURS, times: 1 / 40, of: [SINGLES] }],
  },
  {
    name: 'distant',
    title: 'the same with a service that is a round trip of 50 ms away',
    rounds: 3,
    isSecure: true,
    roundTripMs: 50,
    contenders: (stage) => {
      const files = makeScans(stage.directory, 1000);
      return [...compare(stage, files, OURS, 'curl'), scaleSingle(stage, files)];
    },
    goals: [{ subject: OURS, times: 1 / 20, of: [SINGLES] }],
  },
  {
    name: 'scans',
    title: 'peak memory by number of scans in one step',
    unit: 'KiB',
    isSecure: true,
    contenders: (stage) => [
      runOurs('10 scans', stage, makeScans(stage.directory, 10)),
      runOurs('1,000 scans', stage, makeScans(stage.directory, 1000)),
    ],
    goals: [],
  },
  {
    name: 'bundle',
    title: 'code in dist, which every job downloads and every start reads',
    unit: 'bytes',
    contenders: () => [{ name: OURS, command: [process.execPath, BUNDLE] }],
    goals: [{ subject: OURS, plus: 800_000 }],
  },
];

/** A step for each file: the time of one step, multiplied by the number of files. */
function scaleSingle(stage: Stage, files: readonly string[]): Contender {
  return { ...runOurs(SINGLES, stage, files.slice(0, 1)), scale: files.length };
}
