import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseScans } from '../../src/inputs/scans.ts';
import { spellResults } from '../../src/report/outputs.ts';
import { findViolation } from '../support/schemas.ts';
import { anyStep } from './summary-arbitraries.ts';

const PIECES = ['a', '/', '*', '!', '#', ' ', '\n', '\r\n', '\u2028', '\t', '.json'];
const TEXT = fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 8 });
const VALUE = fc.oneof(
  { arbitrary: TEXT, weight: 8 },
  { arbitrary: fc.constantFrom('', null, 'a.json'), weight: 4 },
  { arbitrary: fc.jsonValue(), weight: 1 },
);
/** An entry that is valid about half of the time. */
const ENTRY = fc.record(
  {
    'scan-key': fc.oneof({ arbitrary: fc.uuid(), weight: 9 }, VALUE),
    name: VALUE,
    files: fc.oneof(VALUE, fc.array(TEXT, { maxLength: 3 })),
    'scan-file': VALUE,
    'dependencies-file': VALUE,
    'vulnerabilities-file': VALUE,
    other: VALUE,
  },
  { requiredKeys: ['scan-key'] },
);

test('an entry that the schema of scans accepts can be read', async () => {
  await fc.assert(
    fc.asyncProperty(ENTRY, async (entry) => {
      fc.pre(findViolation('scans', [entry]) === undefined);
      const [scan] = await parseScans(JSON.stringify([entry]));
      expect(scan).not.toHaveProperty('error');
    }),
    { numRuns: 150 },
  );
});

test('the results always match their schema', () => {
  fc.assert(
    fc.property(anyStep(0, 4), ({ scans }) => {
      const results: unknown = JSON.parse([...spellResults(scans)].join(''));
      expect(findViolation('results', results)).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});
