import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import type { Content } from '../../src/formats/content.ts';
import type { SeverityCounts } from '../../src/formats/severity.ts';
import { countSeverities, inspect } from '../support/documents.ts';
import { readText } from '../support/repository.ts';

/** What is read from a document: members of its content; null if one is absent. */
type Expected = Omit<Partial<Content>, 'severities'> & {
  readonly severities?: Partial<SeverityCounts>;
};
type Row = readonly [name: string, expected: Expected, document: unknown];
interface Fixtures {
  readonly recognised: Readonly<Record<string, readonly Row[]>>;
  readonly similar: readonly (readonly [name: string, document: unknown])[];
}

function isFixtures(value: unknown): value is Fixtures {
  return typeof value === 'object' && value !== null && 'recognised' in value;
}

const fixtures = load(readText('__tests__', 'formats', 'reports.yml'));
if (!isFixtures(fixtures)) throw new Error('reports.yml has no rows.');
/** What all documents of a format have, unless their rows say otherwise. */
const COMMON: Readonly<Record<string, Expected>> = {
  cyclonedx: { specVersion: '1.5', components: 0 },
  sarif: { specVersion: '2.1.0' },
};

/** Expects that a document is recognised as a format, with these facts and no others. */
function expectRecognised(format: string, { severities, ...facts }: Expected, document: unknown) {
  const findings = Object.values(severities ?? {}).reduce((sum, count) => sum + count, 0);
  const counts = severities && {
    severities: countSeverities(severities),
    ...(facts.vulnerabilities === undefined && { findings }),
  };
  const common = { format, syntax: 'json', inspected: 'full', ...COMMON[format] };
  const all = { ...common, ...counts, ...facts };
  const present = Object.entries(all).filter(([, fact]) => fact !== null);
  // What follows from the facts: content.test.ts.
  const { role: _role, ...content } = inspect(document);
  const read = Object.entries(content).filter(([, fact]) => fact !== undefined && fact !== false);
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(present));
}

describe.each(Object.entries(fixtures.recognised))('%s', (format, rows) => {
  test.each(rows)('is recognised %s', (_, expected, document) => {
    expectRecognised(format, expected, document);
  });
});

test.each(fixtures.similar)('no format is recognised from %s', (_, document) => {
  const content = inspect(document);
  expect(content).toMatchObject({ format: 'json', inspected: 'full' });
  expect(content).not.toHaveProperty('findings');
});
