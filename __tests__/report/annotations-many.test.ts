import { describe, expect, test } from '@jest/globals';
import { annotateFailures } from '../../src/report/annotations.ts';
import { Log } from '../../src/report/log.ts';
import type { Failure, ScanResult } from '../../src/report/result.ts';
import { FAILURE, captureOutput, findCommands, makeBatch, makeScan } from '../support/report.ts';

/** How many errors of one step the runner shows. */
const SHOWN_BY_RUNNER = 10;

function makeFailure(headline: string, failure: Partial<Failure> = {}): Failure {
  return { title: 'Scan upload rejected (400)', headline, details: [], advice: [], ...failure };
}

function makeFailed(label: string, failure = makeFailure(`${label} is wrong.`)): ScanResult {
  return makeScan({ label, name: label, result: 'rejected', failure });
}

function makeFailedScans(count: number): readonly ScanResult[] {
  return Array.from({ length: count }, (_, index) => makeFailed(`s${index}`));
}

/** The annotations of a step, as the runner reads them. */
function annotate(scans: readonly ScanResult[], failure?: Failure): readonly string[] {
  const output = captureOutput();
  annotateFailures(makeBatch(scans, { failure }), new Log());
  return output.lines;
}

describe('annotateFailures of many scans', () => {
  test('says in the title which scan failed', () => {
    expect(annotate([makeScan({ label: 'fine' }), makeFailed('shop', FAILURE)])).toEqual([
      '::error title=Scan upload rejected (400)%3A shop::[shop] The scan key is not known.' +
        '%0AScanKey: is not known%0ATrace id of the requests: 1%0ACheck scan-key.',
    ]);
  });

  test('has nothing to say where nothing failed', () => {
    expect(annotate([makeScan({ label: 'a' }), makeScan({ label: 'b' })])).toEqual([]);
    expect(annotate([])).toEqual([]);
  });

  test('names in one annotation the scans that share a failure', () => {
    const shared = makeFailure('No.', { details: ['one'], advice: ['two'] });
    const scans = [makeFailed('a', shared), makeFailed('b'), makeFailed('c', shared)];
    expect(annotate(scans)).toEqual([
      '::error title=Scan upload rejected (400)::No.%0Aone%0Atwo%0A2 scans: a, c.',
      '::error title=Scan upload rejected (400)%3A b::[b] b is wrong.',
    ]);
  });

  test('tells of those last that follow from others', () => {
    const following = makeFailure('Not begun.', { title: 'Not sent', isFollowing: true });
    const scans = [makeFailed('a', following), makeFailed('b'), makeFailed('c', following)];
    expect(annotate(scans)).toEqual([
      '::error title=Scan upload rejected (400)%3A b::[b] b is wrong.',
      '::error title=Not sent::Not begun.%0A2 scans: a, c.',
    ]);
  });

  test('tells of a failure of the step itself, without a scan', () => {
    const failure = makeFailure('Broken.', { title: 'Scan upload failed unexpectedly' });
    expect(annotate([], failure)).toEqual([
      '::error title=Scan upload failed unexpectedly::Broken.',
    ]);
    expect(annotate([makeScan({ label: 'a' }), makeFailed('b')], failure)).toEqual([
      '::error title=Scan upload failed unexpectedly::Broken.',
      '::error title=Scan upload rejected (400)%3A b::[b] b is wrong.',
    ]);
  });

  test('tells of ten failures one by one', () => {
    const lines = annotate(makeFailedScans(SHOWN_BY_RUNNER));
    expect(lines).toHaveLength(SHOWN_BY_RUNNER);
    expect(lines[9]).toBe('::error title=Scan upload rejected (400)%3A s9::[s9] s9 is wrong.');
  });

  test.each([
    [11, /^2 more scans failed: s9, s10\.$/],
    [30, /^21 more scans failed: s9, s10, .*, s28 and 1 more\.$/],
    [1000, /^991 more scans failed: s9, .*, s28 and 971 more\.$/],
  ])('of %i failures tells of nine, and names or counts the others', (count, text) => {
    const lines = annotate(makeFailedScans(count));
    expect(lines).toHaveLength(SHOWN_BY_RUNNER);
    expect(lines[8]).toContain('s8 is wrong.');
    const [, title, message] = /^::error title=(.*?)::(.*)$/.exec(lines[9] ?? '') ?? [];
    expect(title).toBe('Scan upload: more failures'.replace(':', '%3A'));
    expect(message).toMatch(text);
  });

  test('counts scans, not failures, where several share one that is not told', () => {
    const shared = makeFailure('Shared.', { isFollowing: true });
    const scans = [...makeFailedScans(10), makeFailed('x', shared), makeFailed('y', shared)];
    expect(annotate(scans).at(-1)).toContain('::3 more scans failed: s9, x, y.');
  });

  test('always tells why the step itself failed', () => {
    const failure = makeFailure('Broken.', { title: 'Scan upload failed unexpectedly' });
    const lines = annotate(makeFailedScans(SHOWN_BY_RUNNER), failure);
    expect(lines.length).toBeLessThanOrEqual(SHOWN_BY_RUNNER);
    expect(lines.join('\n')).toContain('Broken.');
  });

  test('is harmless, whatever a scan is called', () => {
    const label = 'a\n::set-output name=uploaded::true\r##[error]b,c:d%0A::stop-commands::x';
    const shared = makeFailure('No.');
    const scans = [makeFailed(label), makeFailed(label, shared), makeFailed(label, shared)];
    const lines = annotate([...scans, ...makeFailedScans(20)]);
    expect(lines).toHaveLength(SHOWN_BY_RUNNER);
    expect(findCommands(lines.join('\n'))).toEqual(lines);
    for (const line of lines) {
      expect(line).toMatch(/^::error title=[^:,]*::/);
      expect(line).not.toContain('##[');
      expect(line.replace('::error', '')).not.toMatch(/%0A\s*::/);
    }
  });

  test('stays within what the runner shows, however long names and texts are', () => {
    const long = 'x'.repeat(100_000);
    const shared = makeFailure(long);
    const scans = Array.from({ length: 30 }, (_, index) => makeFailed(`${index}${long}`));
    const lines = annotate([...scans, makeFailed(long, shared), makeFailed('b', shared)]);
    for (const line of lines) {
      const [, message = ''] = /^::error title=[^:]*::(.*)$/.exec(line) ?? [];
      expect(message.length).toBeGreaterThan(0);
      expect(message.length).toBeLessThanOrEqual(4096);
    }
  });
});
