import { findOnly, OURS, runCurl, runFloor, runOurs } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { makeModules, makeSbom, makeSparse } from './files.ts';
import type { Unit } from './measure.ts';
import type { Service } from './service.ts';

/** The most that the medians of programs may be: a figure, or a multiple of the median of `of`. */
export type Goals = Readonly<Record<string, { readonly most: number; readonly of?: string }>>;

/** One line of the benchmark. */
export interface Line {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** Makes the files. */
  readonly contenders: (service: Service) => readonly Contender[];
  readonly goals: Goals;
}

/** All lines, in the order they run in. */
export const LINES: readonly Line[] = [
  {
    name: 'small',
    title: '100 KB: the cost of a step with a small file',
    unit: 'ms',
    contenders: (service) => {
      const file = makeSbom(service.directory, 100_000);
      return [runOurs(service, file), runFloor(service, file)];
    },
    goals: { [OURS]: { most: 3.5, of: 'floor' } },
  },
  {
    name: 'large',
    title: '1 GiB',
    unit: 'ms',
    contenders: (service) => {
      const file = makeSparse(service.directory, 1024);
      return [runOurs(service, file), runCurl(service, file)];
    },
    goals: { [OURS]: { most: 2, of: 'curl' } },
  },
  {
    name: 'memory',
    title: 'peak memory by file size: parsed whole, and only sent',
    unit: 'MiB',
    contenders: (service) => [
      runOurs(service, makeSbom(service.directory, 10 * 2 ** 20), '10 MiB'),
      runOurs(service, makeSparse(service.directory, 64), '64 MiB'),
      runOurs(service, makeSparse(service.directory, 4096), '4 GiB'),
    ],
    goals: {
      '10 MiB': { most: 130 },
      '64 MiB': { most: 90 },
      '4 GiB': { most: 90 },
    },
  },
  {
    name: 'search',
    title: 'search among 200,000 files',
    unit: 'ms',
    contenders: (service) => {
      const modules = makeModules(service.directory, 2000);
      const command = ['find', modules, '-name', 'bom.cdx.json'];
      return [findOnly(service, `${modules}/**/bom.cdx.json`), { name: 'find', command }];
    },
    goals: { [OURS]: { most: 3.5, of: 'find' } },
  },
];
