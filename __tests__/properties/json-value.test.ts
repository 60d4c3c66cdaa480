import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { tellValue } from '../../src/scan/content/json-value.ts';
import { scanJson } from '../scan/content/scanning.ts';
import { Recorder } from '../scan/content/telling.ts';

const NAME = fc.oneof(
  fc.constantFrom('a', 'b', '', '1', '0', '__proto__', 'toString', 'é😀', '"\\\n'),
  fc.string(),
);
const { value: VALUE } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.string(),
    fc.double(),
    fc.integer(),
    fc.constantFrom(null, true, false, 'x'.repeat(512), 'x'.repeat(513), '€'.repeat(512)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(NAME, tie('value'), { maxKeys: 4 }),
  ),
}));

describe('tellValue', () => {
  test('tells of a value what the scanner tells of its text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(VALUE), fc.dictionary(NAME, VALUE)),
        fc.boolean(),
        (value, isMuting) => {
          const makeRecorder = (): Recorder => new Recorder((name) => isMuting && name === 'a');
          const [told, scanned] = [makeRecorder(), makeRecorder()];
          const text = JSON.stringify(value);
          tellValue(JSON.parse(text), told);
          scanJson(Buffer.from(text), scanned);
          expect(told.told).toEqual(scanned.told);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
