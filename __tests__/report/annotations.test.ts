import { describe, expect, test } from '@jest/globals';
import { annotateFailures } from '../../src/report/annotations.ts';
import { Log } from '../../src/report/log.ts';
import type { Failure } from '../../src/report/result.ts';
import { FAILURE, captureOutput, makeStep } from '../support/report.ts';

function annotateFailure(failure: Failure, log: Log): void {
  annotateFailures(makeStep({ result: 'rejected', failure }), log);
}

describe('annotateFailures', () => {
  test('is one annotation: what happened, then details, then what to do', () => {
    const output = captureOutput();
    annotateFailure(FAILURE, new Log());
    expect(output.lines).toEqual([
      '::error title=Scan upload rejected (400)::The scan key is not known.' +
        '%0AScanKey: is not known%0ATrace id of the requests: 1%0ACheck scan-key.',
    ]);
  });

  test('gives each detail and each piece of advice one line', () => {
    const output = captureOutput();
    const failure = { ...FAILURE, details: ['one\n two'], advice: ['three\r\nfour'] };
    annotateFailure(failure, new Log());
    expect(output.text).toContain('not known.%0Aone two%0Athree four');
  });

  test('is one annotation of harmless text, whatever it tells of', () => {
    const output = captureOutput();
    const headline = 'no\n::set-output name=uploaded::true\r##[error]x';
    annotateFailure({ title: 'T\u200b', headline, details: [], advice: [] }, new Log());
    expect(output.lines).toEqual([
      '::error title=T::no%0A: :set-output name=uploaded::true%0A## [error]x',
    ]);
  });

  test('stays within what the runner shows', () => {
    const output = captureOutput();
    annotateFailure({ ...FAILURE, headline: 'x'.repeat(100_000) }, new Log());
    expect(output.text.length).toBeLessThan(4096);
  });
});
