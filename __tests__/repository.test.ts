import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';

const ACTION = load(readText('action.yml'));
const README = readText('README.md');

function readText(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
}

/** The names in the first column of the table below a heading. */
function readTable(heading: string): readonly string[] {
  const section = README.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([a-z-]+)`/gm)].map(([, name = '']) => name);
}

function readSection(member: 'inputs' | 'outputs'): ReadonlyMap<string, unknown> {
  const isMap = typeof ACTION === 'object' && ACTION !== null;
  const section: unknown = isMap ? Reflect.get(ACTION, member) : undefined;
  return new Map(typeof section === 'object' && section !== null ? Object.entries(section) : []);
}

describe('the README', () => {
  test.each([
    ['inputs', 'Inputs'],
    ['outputs', 'Outputs'],
  ] as const)("lists action.yml's %s, all and in order", (member, heading) => {
    const names = [...readSection(member).keys()];
    expect(names.length).toBeGreaterThan(5);
    expect(readTable(heading)).toEqual(names);
  });

  test('explains every result', () => {
    expect(readTable('What each result means')).toEqual([
      'accepted',
      'rejected',
      'not-sent',
      'unconfirmed',
      'dry-run',
      'skipped',
    ]);
  });
});

describe('action.yml', () => {
  test('runs the committed bundle on Node 24 and has a face', () => {
    expect(ACTION).toMatchObject({
      runs: { using: 'node24', main: 'dist/index.js' },
      branding: { icon: expect.any(String), color: expect.any(String) },
    });
  });

  test('describes every input and output', () => {
    const described = { description: expect.stringMatching(/\S.{10,}/) };
    const entries = [...readSection('inputs').values(), ...readSection('outputs').values()];
    for (const entry of entries) expect(entry).toMatchObject(described);
  });
});
