import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { show } from '../../src/redaction/show.ts';
import { findCommands } from '../support/report.ts';
import { anyText } from './arbitraries.ts';

test('no text that is shown has a command, and showing it again changes nothing', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const shown = show(text);
      expect(findCommands(shown)).toEqual([]);
      expect(show(shown)).toBe(shown);
    }),
    { numRuns: 400 },
  );
});
