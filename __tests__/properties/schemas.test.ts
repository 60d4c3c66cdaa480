import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { spellResults } from '../../src/report/outputs.ts';
import { findViolation } from '../support/schemas.ts';
import { anyStep } from './summary-arbitraries.ts';

test('the results always match their schema', () => {
  fc.assert(
    fc.property(anyStep(0, 4), ({ scans }) => {
      const results: unknown = JSON.parse([...spellResults(scans)].join(''));
      expect(findViolation('results', results)).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});
