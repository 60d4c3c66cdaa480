import { describe, expect, test } from '@jest/globals';
import { InputError } from '../src/errors.ts';
import type { Failure, ResultName } from '../src/report/result.ts';
import { ScanDraft, StepDraft } from '../src/drafts.ts';
import { FAILURE, SCAN_KEY } from './report/fixtures.ts';
import { makeScanFile } from './scan/fixtures.ts';
import { makePlan } from './support/plans.ts';

const OTHER: Failure = { ...FAILURE, headline: 'Something else.' };

function makeDraft(label?: string, result: ResultName = 'not-sent'): ScanDraft {
  const selection = [{ input: 'files', text: '*' }] as const;
  const draft = new ScanDraft({ label, name: label, scanKey: SCAN_KEY, selection });
  draft.result = result;
  return draft;
}

function makeStepDraft(...scans: readonly ScanDraft[]): StepDraft {
  const draft = new StepDraft();
  draft.scans = scans;
  return draft;
}

describe('ScanDraft', () => {
  test('has not been sent until something says otherwise', () => {
    expect(makeDraft('a').finish()).toEqual({
      label: 'a',
      name: 'a',
      scanKey: SCAN_KEY,
      result: 'not-sent',
      operation: undefined,
      statusCode: undefined,
      attempts: 0,
      manifest: [],
      problem: undefined,
      failure: undefined,
    });
  });

  test('has no key where its entry cannot be used', () => {
    const draft = new ScanDraft({ label: 'a', name: undefined, error: new InputError('No.') });
    expect(draft.finish()).toMatchObject({ label: 'a', name: undefined, scanKey: undefined });
  });

  test('is open until it has a result or a failure', () => {
    expect(makeDraft().isOpen).toBe(true);
    const results = ['accepted', 'rejected', 'unconfirmed', 'dry-run', 'skipped'] as const;
    for (const result of results) expect(makeDraft('a', result).isOpen).toBe(false);
    const failed = makeDraft();
    failed.failure = FAILURE;
    expect(failed.isOpen).toBe(false);
  });

  test('tells what is known of its files, with a digest once they were read whole', async () => {
    const draft = makeDraft('a', 'accepted');
    const content = {
      format: 'grype',
      syntax: 'json',
      inspected: 'full',
      kind: 'a report',
      fault: 'is bad',
      tool: 'grype 1',
      findings: 2,
    } as const;
    draft.plan = makePlan(
      'upload-multiple-files',
      await makeScanFile({ displayPath: 'in/bom.json', size: 7 }),
      await makeScanFile({ name: 'r.json', content }),
    );
    draft.attempts = 3;
    draft.statusCode = 200;
    const bom = { part: 'DependenciesCDX', path: 'in/bom.json', bytes: 7, format: 'json' } as const;
    const report = { part: 'VulnerabilitiesTool', path: 'r.json', bytes: 2, format: 'grype' };
    const found = { tool: 'grype 1', findings: 2, inspected: 'full' };
    const known = { operation: 'upload-multiple-files', attempts: 3, statusCode: 200 };
    expect(draft.finish()).toMatchObject(known);
    expect(draft.finish().manifest).toEqual([
      { ...bom, inspected: 'full' },
      { ...report, ...found },
    ]);
    draft.digests = ['abc', 'def'];
    expect(draft.finish().manifest).toEqual([
      { ...bom, inspected: 'full', sha256: 'abc' },
      { ...report, ...found, sha256: 'def' },
    ]);
  });
});

describe('StepDraft', () => {
  test('without a scan has not been sent, or what it is told', () => {
    const draft = makeStepDraft();
    expect(draft.finish()).toMatchObject({ scans: [], result: 'not-sent', failure: undefined });
    draft.resultOfNone = 'skipped';
    draft.origin = 'https://host.example';
    const { durationMs, ...told } = draft.finish();
    expect(told).toEqual({
      scans: [],
      result: 'skipped',
      origin: 'https://host.example',
      failure: undefined,
    });
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  test('has the worst result of its scans, whatever it is without them', () => {
    const draft = makeStepDraft(makeDraft('a', 'accepted'), makeDraft('b', 'rejected'));
    draft.resultOfNone = 'skipped';
    expect(draft.finish().result).toBe('rejected');
    expect(draft.finish().scans.map(({ label }) => label)).toEqual(['a', 'b']);
  });

  test('fails with all scans that are open, and with no other', () => {
    const failed = makeDraft('failed');
    failed.failure = OTHER;
    const rejected = makeDraft('rejected', 'rejected');
    rejected.failure = OTHER;
    const drafts = [makeDraft('open'), failed, rejected, makeDraft('sent', 'accepted')];
    const draft = makeStepDraft(...drafts, makeDraft('too'), makeDraft('skipped', 'skipped'));
    draft.fail(FAILURE);
    const step = draft.finish();
    expect(step.failure).toBeUndefined();
    expect(step.scans.map(({ failure }) => failure)).toEqual([
      FAILURE,
      OTHER,
      OTHER,
      undefined,
      FAILURE,
      undefined,
    ]);
    expect(step.scans[0]?.failure).toBe(step.scans[4]?.failure);
  });

  test.each([
    ['there is no scan', []],
    ['each has its result', [makeDraft('a', 'accepted'), makeDraft('b', 'skipped')]],
  ])('fails itself where %s', (_, scans) => {
    const draft = makeStepDraft(...scans);
    draft.fail(FAILURE);
    const step = draft.finish();
    expect(step.failure).toBe(FAILURE);
    expect(step.scans.map(({ failure }) => failure)).toEqual(scans.map(() => undefined));
  });

  test('counts the scans that fail with others, and never fails itself', () => {
    const draft = makeStepDraft(makeDraft('a'), makeDraft('b', 'accepted'), makeDraft('c'));
    expect(draft.failOpen(FAILURE)).toBe(2);
    expect(draft.failOpen(OTHER)).toBe(0);
    const step = draft.finish();
    expect(step.failure).toBeUndefined();
    expect(step.scans.map(({ failure }) => failure)).toEqual([FAILURE, undefined, FAILURE]);
  });
});
