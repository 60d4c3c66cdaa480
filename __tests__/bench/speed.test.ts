import { spawn, spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { compare, OURS } from '../../bench/speed/contenders.ts';
import type { Contender } from '../../bench/speed/contenders.ts';
import { makeCertificate, makeSbom } from '../../bench/speed/files.ts';
import { LINES } from '../../bench/speed/lines.ts';
import type { Goal } from '../../bench/speed/lines.ts';
import { measure, runInTurn } from '../../bench/speed/measure.ts';
import { startService } from '../../bench/speed/service.ts';
import type { Service } from '../../bench/speed/service.ts';
import {
  chooseExitCode,
  formatTables,
  judgeGoals,
  replaceFigures,
} from '../../bench/speed/table.ts';
import type { Result } from '../../bench/speed/table.ts';
import { describePosix } from '../support/files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SCRIPT = join(ROOT, 'bench', 'speed.ts');
const ROUND_TRIP_MS = 100;

let directory: string;
const services: Service[] = [];
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'bench-test-')));
});
afterEach(() => {
  for (const service of services.splice(0)) service.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function openService(ca = '', roundTripMs = 0): Promise<Service> {
  const service = await startService(ca, roundTripMs);
  services.push(service);
  return service;
}

function makeResult(goals: readonly Goal[], figures: Readonly<Record<string, number[]>>): Result {
  const line = { name: 'l', unit: 'ms', goals } as const;
  return { line, figures: new Map(Object.entries(figures)) };
}

describe('runInTurn', () => {
  test('runs the contenders in turn, and discards the first round', async () => {
    const ran: string[] = [];
    const contenders = ['a', 'b'].map((name) => ({ name, command: [] }));
    const run = ({ name }: Contender): Promise<number> => Promise.resolve(ran.push(name));
    const figures = await runInTurn(contenders, 2, run);
    expect(ran.join('')).toBe('ababab');
    expect(Object.fromEntries(figures)).toEqual({ a: [3, 5], b: [4, 6] });
  });
});

describe('judgeGoals', () => {
  const figures = { ours: [18, 20, 90], a: [9, 10, 11], b: [1, 16, 100, 15] };
  test.each([
    [{ times: 2, of: ['a'] }, 20, true],
    [{ times: 1.99, of: ['a'] }, 19.9, false],
    [{ times: 1.5, of: ['a', 'b'] }, 23.25, true],
    [{ plus: 10, of: ['a'] }, 20, true],
    [{ plus: 9, of: ['a'] }, 19, false],
    [{ plus: 20 }, 20, true],
    [{ plus: 19 }, 19, false],
  ])('compares medians with the goal %j: limit %d, met: %s', (goal, limit, isMet) => {
    const judged = judgeGoals(makeResult([{ subject: OURS, ...goal }], figures));
    expect(judged).toMatchObject([{ limit, reached: 20, isMet }]);
  });

  test('reports a goal as missed if its program is missing, unless nothing ran', () => {
    const goal = { subject: OURS, of: ['c'] };
    expect(judgeGoals(makeResult([goal], figures))).toMatchObject([{ isMet: false }]);
    expect(judgeGoals(makeResult([goal], {}))).toEqual([]);
    expect(chooseExitCode([makeResult([goal], {}), makeResult([goal], figures)], true)).toBe(1);
    expect(chooseExitCode([makeResult([goal], figures)], false)).toBe(0);
    expect(chooseExitCode([makeResult([goal], {})], true)).toBe(0);
  });
});

describe('the figures of bench/README.md', () => {
  const goals = [{ subject: OURS, times: 0.3, of: ['a', 'b'], plus: 5 }];
  const result = makeResult(goals, { ours: [40, 42], a: [100], b: [1000, 2000, 3000] });
  const problem = 'skipped: curl is not on the path';

  test('show medians, ranges and goals', () => {
    const text = formatTables([result, { ...makeResult([], {}), problem }]);
    expect(text).toContain('| l | ours | 41.0 ms | 40.0 ms | 42.0 ms |  |\n');
    expect(text).toContain('| l | a | 100.0 ms | 100.0 ms | 100.0 ms | 0.41 x |\n');
    expect(text).toContain('| l | b | 2.00 s | 1.00 s | 3.00 s | 0.02 x |\n');
    expect(text).toContain('| l |  | skipped: curl is not on the path |  |  |  |\n');
    const goal = '≤ 0.3 x the slower of a and b + 5.0 ms';
    expect(text).toContain(`| l | ours | ${goal} | 605.0 ms | 41.0 ms | yes |`);
  });

  test('replace the tables in the page, which describes every line', () => {
    const page = readFileSync(join(ROOT, 'bench', 'README.md'), 'utf8');
    const [before = '', after = ''] = replaceFigures(page, 'NEW $&').split('\n\nNEW $&\n\n');
    expect(page.startsWith(before) && page.endsWith(after)).toBe(true);
    expect(before.length + after.length).toBeLessThan(page.length);
    for (const { name } of LINES) {
      expect(before).toContain(`\n- **${name}**`);
      expect(page).toContain(`\n| ${name} `);
    }
  });
});

describe('the service', () => {
  test('refuses a body without Content-Length', async () => {
    const { url, takeSizes } = await openService();
    const post = (body: string | ReadableStream): Promise<Response> =>
      fetch(url, { method: 'POST', body, duplex: 'half' });
    expect((await post('abc')).status).toBe(200);
    expect((await post(new Blob(['abc']).stream())).status).toBe(400);
    expect(takeSizes()).toEqual([3]);
  });

  test('delays connections and responses by the given round trip', async () => {
    const { url } = await openService('', ROUND_TRIP_MS);
    const time = async (): Promise<number> => {
      const started = performance.now();
      await (await fetch(url)).text();
      return performance.now() - started;
    };
    // Timers may fire a millisecond early.
    expect(await time()).toBeGreaterThanOrEqual(2 * ROUND_TRIP_MS - 5);
    expect(await time()).toBeGreaterThanOrEqual(ROUND_TRIP_MS - 5);
  });
});

describe.each([OURS, 'curl', 'floor', 'peer', 'curl; sha256sum'] as const)('%s', (name) => {
  const isForMany = name !== 'peer' && name !== 'curl; sha256sum';

  test('sends every byte, also over https and with multiple files', async () => {
    const service = await openService(name === 'peer' ? '' : makeCertificate(directory));
    const stage = { directory, service };
    const files = Array.from({ length: isForMany ? 40 : 1 }, (_, index) =>
      makeSbom(directory, 20_000, `scan-${index}`),
    );
    for (const contender of compare(stage, files, name)) {
      expect(await measure(contender, 'ms', stage)).toBeGreaterThan(0);
    }
    expect.assertions(1);
  });

  test('reports no figure for an incomplete or failed upload', async () => {
    const service = await openService();
    const stage = { directory, service };
    for (const contender of compare(stage, [makeSbom(directory, 2 ** 21)], name)) {
      for (const change of [(size: number) => [size / 2], (size: number) => [size, size]]) {
        const takeSizes = (): number[] => service.takeSizes().flatMap(change);
        const lossy = { directory, service: { ...service, takeSizes } };
        await expect(measure(contender, 'ms', lossy)).rejects.toThrow('arrived of 1 uploads');
      }
      service.stop();
      await expect(measure(contender, 'ms', stage)).rejects.toThrow('ended with exit code');
    }
    expect.assertions(3);
  });
});

function runSpeed(args: readonly string[], path = process.env.PATH): SpawnSyncReturns<string> {
  const env = { ...process.env, PATH: path, TMPDIR: directory };
  return spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8', env });
}

describePosix('node bench/speed.ts', () => {
  test('runs a line, and leaves no files behind', () => {
    const { status, stdout } = runSpeed(['small', '--rounds', '1']);
    const programs = stdout.match(/(?<=\| small \| )\S+/g);
    expect(programs).toEqual(['ours', 'floor', 'bare', 'peer', 'ours', 'ours']);
    expect(status).toBe(0);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('measures peak memory on Linux', () => {
    const { stdout } = runSpeed(['scans', '--rounds', '1']);
    expect(stdout).toMatch(/\| scans \| +(10 scans +\| \d\d\.\d MiB|.*measured on Linux only)/);
  });

  test('reports a line as skipped if its program is missing', () => {
    const { status, stdout } = runSpeed(['tls', 'bundle'], directory);
    expect(status).toBe(0);
    expect(stdout).toContain('skipped: openssl is not on the path');
    expect(stdout).toMatch(/bundle \| ours .* bytes/);
  });

  test('lists the lines when the given one does not exist', () => {
    const { status, stdout, stderr } = runSpeed(['tiny']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('There is no line "tiny".\nusage: npm run bench');
    expect(stderr).toContain(LINES.map(({ name }) => name).join('|'));
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('removes its files on %s', async (signal, code) => {
    const env = { ...process.env, TMPDIR: directory };
    const child = spawn(process.execPath, [SCRIPT, 'small'], { env, stdio: 'ignore' });
    while (!readdirSync(directory, { recursive: true }).some((name) => name.includes('output'))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill(signal);
    await once(child, 'close');
    expect(child.exitCode).toBe(code);
    expect(readdirSync(directory)).toEqual([]);
  });
});
