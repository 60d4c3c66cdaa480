import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { ManifestEntry, StepResult } from '../../src/report/result.ts';
import { makeSummary } from '../../src/report/summary.ts';
import { anyText, longText, secret, characterOf } from './arbitraries.ts';
import type { Block } from './github-markdown.ts';
import { decodeReferences, readBlocks } from './github-markdown.ts';
import { makeLog } from './written.ts';

/** GitHub refuses a larger summary of one step. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
const TEXT = fc.oneof({ arbitrary: anyText(), weight: 9 }, { arbitrary: longText(), weight: 1 });

const ENTRY: fc.Arbitrary<ManifestEntry> = fc.record(
  {
    part: fc.constantFrom('ScanJsonFile', 'DependenciesCDX', 'VulnerabilitiesTool'),
    path: TEXT,
    bytes: fc.nat(),
    sha256: fc.string({
      unit: characterOf('0123456789abcdef'),
      minLength: 64,
      maxLength: 64,
    }),
    format: fc.constantFrom('cyclonedx', 'json', 'xml', 'empty', 'unknown'),
  },
  { requiredKeys: ['part', 'path', 'bytes', 'format'] },
);

const FAILURE = fc.record({
  title: TEXT,
  headline: TEXT,
  details: fc.array(TEXT, { maxLength: 12 }),
  // The advice is the action's own, as its first words are.
  advice: fc.array(
    TEXT.map((text) => `Check ${text}`),
    { maxLength: 6 },
  ),
});

const STEP: fc.Arbitrary<StepResult> = fc.record({
  result: fc.constantFrom('accepted', 'rejected', 'not-sent', 'unconfirmed', 'dry-run', 'skipped'),
  operation: fc.option(fc.constantFrom('upload-file', 'upload-multiple-files'), { nil: undefined }),
  statusCode: fc.option(fc.integer({ min: 100, max: 999 }), { nil: undefined }),
  attempts: fc.nat({ max: 101 }),
  origin: fc.option(TEXT, { nil: undefined }),
  durationMs: fc.nat(),
  manifest: fc.array(ENTRY, { maxLength: 2 }),
  problem: fc.constant(undefined),
  failure: fc.option(FAILURE, { nil: undefined }),
});

function listKinds(blocks: readonly Block[]): readonly string[] {
  return blocks.map(({ kind }) => kind);
}

/** The blocks that a summary of this step has to have, and no other. */
function expectedKinds({ manifest, failure }: StepResult): readonly string[] {
  const files = manifest.length > 0 ? ['table'] : [];
  const advice = failure !== undefined && failure.advice.length > 0 ? ['paragraph', 'list'] : [];
  return ['heading', 'paragraph', ...files, ...(failure === undefined ? [] : ['code', ...advice])];
}

describe('the summary of any step', () => {
  test('has the structure it was meant to have, and fits', () => {
    fc.assert(
      fc.property(STEP, (step) => {
        const log = makeLog();
        const summary = makeSummary(step, (text) => log.clean(text));
        expect(Buffer.byteLength(summary)).toBeLessThan(MAX_SUMMARY_BYTES);
        expect(listKinds(readBlocks(summary))).toEqual(expectedKinds(step));
      }),
      { numRuns: 300 },
    );
  });

  test('has a row of five cells for each file, with its path as shown', () => {
    const withFiles = fc.tuple(STEP, fc.array(ENTRY, { minLength: 1, maxLength: 2 }));
    fc.assert(
      fc.property(withFiles, ([step, manifest]) => {
        const log = makeLog();
        const summary = makeSummary({ ...step, manifest }, (text) => log.clean(text));
        const table = readBlocks(summary).find((block) => block.kind === 'table');
        const [, ...rows] = table?.rows ?? [];
        expect(rows.map((row) => row.length)).toEqual(manifest.map(() => 5));
        const paths = rows.map((row) => decodeReferences(row[1] ?? ''));
        const shown = manifest.map(({ path }) => log.clean(path).replace(/\s+/g, ' ').trim());
        expect(paths).toEqual(shown.map((path) => `<code>${path}</code>`));
      }),
      { numRuns: 200 },
    );
  });

  test('has the whole of what may be shown of the failure in its fence', () => {
    fc.assert(
      fc.property(STEP, FAILURE, (step, failure) => {
        const log = makeLog();
        const summary = makeSummary({ ...step, failure }, (text) => log.clean(text));
        const block = readBlocks(summary).find(({ kind }) => kind === 'code');
        const text = log.clean([failure.headline, ...failure.details].join('\n'));
        expect(block).toEqual({ kind: 'code', text });
      }),
      { numRuns: 200 },
    );
  });

  test('never shows a secret, in whatever text it stood', () => {
    const word = secret(6).filter((text) => /^[\w.+/-]+$/.test(text));
    fc.assert(
      fc.property(word, STEP, FAILURE, ENTRY, (known, step, failure, entry) => {
        const log = makeLog(known);
        const told = {
          ...step,
          origin: `https://${known}`,
          manifest: [{ ...entry, path: `${entry.path}${known}` }],
          failure: { ...failure, headline: known, advice: [`${known}!`] },
        };
        const summary = decodeReferences(makeSummary(told, (text) => log.clean(text)));
        expect(summary).not.toContain(known);
      }),
      { numRuns: 150 },
    );
  });
});
