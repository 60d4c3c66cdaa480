import { describe, expect, test } from '@jest/globals';
import { CancelledError, FileError } from '../src/errors.ts';
import { describeLinux, listOpenFiles } from './scan/fixtures.ts';
import { makeEntries, makeKey, makeStages } from './step-fixtures.ts';
import type { Stages } from './step-fixtures.ts';

const FOLLOWING = 'Nothing was sent, since other scans of this step cannot be.';

function listHeadlines({ scans }: Stages): readonly (string | undefined)[] {
  return scans.map(({ failure }) => failure?.headline);
}

describe('prepareScans', () => {
  test('plans every scan, in their order', async () => {
    const stages = await makeStages(makeEntries('abc'));
    await stages.prepare();
    expect(listHeadlines(stages)).toEqual([undefined, undefined, undefined]);
    expect(stages.scans.map(({ manifest }) => manifest.map(({ path }) => path))).toEqual([
      ['a.json'],
      ['b.json'],
      ['c.json'],
    ]);
    expect(stages.draft.scans.every(({ isOpen }) => isOpen)).toBe(true);
    expect(stages.output.lines.map((line) => line.slice(0, 4))).toEqual(['[a] ', '[b] ', '[c] ']);
  });

  test('fails all if something is wrong with some, each told at its place', async () => {
    const entries = [...makeEntries('abcd'), { name: 'bad' }, 1];
    const stages = await makeStages(entries, {}, { 'b.json': '{', 'd.json': '' });
    await stages.prepare();
    expect(listHeadlines(stages)).toEqual([
      FOLLOWING,
      expect.stringMatching(/'b\.json'.*(?:cut|ends|malformed)/i),
      FOLLOWING,
      expect.stringMatching(/'d\.json'.*empty/i),
      'scan-key is required: the UUID of the scan.',
      'This is not a JSON object.',
    ]);
    const [first, second, third] = stages.scans;
    expect(first?.failure).toBe(third?.failure);
    expect(first?.failure?.isFollowing).toBe(true);
    expect(second?.failure?.isFollowing).toBeUndefined();
    expect(stages.draft.scans.some(({ isOpen }) => isOpen)).toBe(false);
  });

  test('fails all if a file is missing', async () => {
    const entries = [...makeEntries('a'), { 'scan-key': makeKey(9), 'scan-file': 'missing.json' }];
    const stages = await makeStages(entries);
    await stages.prepare();
    expect(listHeadlines(stages)).toEqual([FOLLOWING, expect.stringContaining('missing.json')]);
  });

  test('fails all if the files of one cannot be told, or cannot be used', async () => {
    const many = { name: 'many', 'scan-key': makeKey(8), 'scan-file': '*.json' };
    const bad = { name: 'bad', 'scan-key': makeKey(9), 'scan-file': '..' };
    const stages = await makeStages([many, ...makeEntries('a'), bad]);
    await stages.prepare();
    expect(listHeadlines(stages)).toEqual([
      expect.stringMatching(/must match exactly one file and matches 8/),
      FOLLOWING,
      expect.stringMatching(/'\.\.' is not a valid pattern/),
    ]);
  });

  test('skips a scan without files where that is asked for, and no other', async () => {
    const entries = [{ name: 'none', 'scan-key': makeKey(9), 'scan-file': 'no.json' }];
    const stages = await makeStages([...entries, ...makeEntries('a')], {
      'if-no-files-found': 'warn',
    });
    await stages.prepare();
    expect(stages.scans.map(({ result, failure }) => [result, failure])).toEqual([
      ['skipped', undefined],
      ['not-sent', undefined],
    ]);
    expect(stages.output.text).toContain('::warning title=Scan upload skipped%3A none::');
  });

  test.each([
    ['warn', '::warning title=Scan upload skipped::scans lists no scan.'],
    ['ignore', 'Skipped: scans lists no scan.'],
  ])('skips the step where no scan is listed (%s)', async (policy, line) => {
    const stages = await makeStages([], { 'if-no-files-found': policy });
    await stages.prepare();
    expect(stages.draft.finish()).toMatchObject({ result: 'skipped', scans: [] });
    expect(stages.output.lines).toEqual([line]);
  });

  test('fails the step where no scan is listed', async () => {
    const stages = await makeStages([]);
    await expect(stages.prepare()).rejects.toEqual(new FileError('scans lists no scan.'));
    expect(stages.draft.finish().result).toBe('not-sent');
  });

  test('warns once of keys and files that scans share, and plans them all the same', async () => {
    const [one] = makeEntries('a');
    const stages = await makeStages([one, { ...one, name: 'b' }]);
    await stages.prepare();
    const warnings = stages.output.lines.filter((line) => line.startsWith('::warning'));
    expect(warnings).toEqual([
      `::warning title=Scan upload%3A scans::The scan key ${makeKey(1)} is that of a, b.` +
        "%0A'a.json' is a file of a, b.",
    ]);
    expect(stages.draft.scans.every(({ isOpen }) => isOpen)).toBe(true);
  });

  test('ends with the reason of its signal', async () => {
    const reason = new CancelledError('SIGINT');
    const stages = await makeStages(makeEntries('ab'), {}, {}, AbortSignal.abort(reason));
    await expect(stages.prepare()).rejects.toBe(reason);
  });
});

describeLinux('prepareScans', () => {
  test('leaves no file open', async () => {
    const stages = await makeStages(makeEntries('abcdefgh'), {}, { 'b.json': '{' });
    await stages.prepare();
    expect(await listOpenFiles(stages.scope.workspace)).toEqual([]);
  });
});
