import { spawn, spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { formatHelp, formatUsage, readFlags } from '../../bench/speed/flags.ts';
import { LINES } from '../../bench/speed/lines/index.ts';
import { findMissing } from '../../bench/speed/programs.ts';
import { findShortage } from '../../bench/speed/scratch.ts';
import { makeFolder } from '../support/directories.ts';
import { describePosix } from '../support/files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SCRIPT = join(ROOT, 'bench', 'speed.ts');
const GUARD_MS = 60_000;
const KNOWN = ['one', 'two', 'three'];

function runSpeed(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> {
  const options = { encoding: 'utf8', timeout: GUARD_MS, env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, [SCRIPT, ...args], options);
}

describe('readFlags', () => {
  test.each([
    [[], { names: KNOWN, isCheck: false, isHelp: false }],
    [['two'], { names: ['two'], isCheck: false, isHelp: false }],
    [['three', '--check', 'one', 'one'], { names: ['one', 'three'], isCheck: true, isHelp: false }],
    [['--help'], { names: KNOWN, isCheck: false, isHelp: true }],
  ])('%j', (args, flags) => {
    expect(readFlags(args, KNOWN)).toEqual(flags);
  });

  test.each([
    [['four'], 'There is no line "four".'],
    [['one', ''], 'There is no line "".'],
    [['--seeds'], "Unknown option '--seeds'"],
    [['--check=yes'], "Option '--check' does not take an argument"],
  ])('refuses %j', (args, message) => {
    expect(() => readFlags(args, KNOWN)).toThrow(message);
  });

  test('help and usage name every line', () => {
    expect(formatUsage(KNOWN)).toContain('[one|two|three]...');
    expect(formatHelp(KNOWN)).toContain(formatUsage(KNOWN));
  });
});

describe('findMissing', () => {
  test('names the programs that no folder of the path has', async () => {
    const folder = await makeFolder();
    mkdirSync(join(folder, 'empty'));
    expect(findMissing(['curl', 'find'], join(folder, 'empty'))).toEqual(['curl', 'find']);
    expect(findMissing([], '')).toEqual([]);
  });
});

describe('findShortage', () => {
  test('compares with what is free', async () => {
    const folder = await makeFolder();
    expect(findShortage(folder, { bytes: 1, files: 1 })).toBeUndefined();
    expect(findShortage(folder, { bytes: 2 ** 60, files: 1 })).toContain(
      '1073741824.0 GiB are needed',
    );
  });
});

describe('node bench/speed.ts', () => {
  test('ends with 2 and a usage line when the command line is wrong', () => {
    const { status, stdout, stderr } = runSpeed(['tiny']);
    const usage = formatUsage(LINES.map(({ name }) => name));
    expect([status, stdout, stderr]).toEqual([2, '', `There is no line "tiny".\n${usage}\n`]);
  });

  test('prints help', () => {
    const { status, stdout } = runSpeed(['--help']);
    expect([status, stdout]).toEqual([0, `${formatHelp(LINES.map(({ name }) => name))}\n`]);
  });
});

describePosix('node bench/speed.ts <lines>', () => {
  const children: { kill: (signal: 'SIGKILL') => boolean }[] = [];
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

  test('runs a line alone, and leaves nothing behind', async () => {
    const folder = await makeFolder();
    const { status, stdout } = runSpeed(['bundle'], { TMPDIR: folder });
    const size = statSync(join(ROOT, 'dist', 'index.js')).size.toLocaleString('en-US');
    expect(status).toBe(0);
    expect(stdout).toContain(`bundle: code in dist\n  ours  ${size} bytes  1 run\n`);
    expect(stdout).not.toContain('small');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('skips a line, visibly, whose program is missing', async () => {
    const { status, stdout } = runSpeed(['tls'], { PATH: await makeFolder() });
    expect([status, stdout]).toEqual([
      0,
      'tls: 1 GiB over https\n  skipped: not on the path: curl, openssl, sha256sum\n',
    ]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('removes its files and ends its processes on %s', async (signal, code) => {
    const folder = await makeFolder();
    const env = { ...process.env, TMPDIR: folder };
    // Its service has its stderr, which so closes once both have ended.
    const child = spawn(process.execPath, [SCRIPT, 'small'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    child.stdout.resume();
    await once(child.stderr, 'data');
    while (
      !readdirSync(folder).some((name) => readdirSync(join(folder, name)).includes('runner'))
    ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill(signal);
    await once(child, 'close');
    expect(child.exitCode).toBe(code);
    expect(readdirSync(folder)).toEqual([]);
  });
});
