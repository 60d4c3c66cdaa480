import { describe, expect, test } from '@jest/globals';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { SBOM, SCAN_KEY } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { readResults } from '../support/results.ts';
import { makeEntries, runBatch } from './batch.ts';

type Inputs = Readonly<Record<string, string>>;

/** The lines of each group, and the lines outside all groups. */
function splitGroups(stdout: string): {
  readonly groups: readonly (readonly string[])[];
  readonly outside: readonly string[];
} {
  const groups: string[][] = [];
  const outside: string[] = [];
  let group: string[] | undefined;
  for (const line of stdout.split(/\r?\n/).filter((text) => text !== '')) {
    if (line.startsWith('::group::')) {
      group = [line];
      groups.push(group);
    } else if (line === '::endgroup::') {
      group = undefined;
    } else {
      (group ?? outside).push(line);
    }
  }
  return { groups, outside };
}

describe('the result line', () => {
  test.each<[string, Inputs, string]>([
    ['an accepted scan', {}, 'accepted (200) '],
    ['a refused scan', { 'scan-key': SCAN_KEY.toUpperCase() }, 'rejected (400) '],
    ['a step without a scan', { 'base-url': 'ftp://scan.example' }, 'not sent (inputs)'],
  ])('appears once for %s, before the error annotation', async (name, inputs, result) => {
    const isRefused = name === 'a refused scan';
    const service = await openService({ token: TOKEN, ...(isRefused && { scanKeys: [] }) });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url, ...inputs });
    const lines = run.stdout.split(/\r?\n/);
    const ends = lines.filter((line) => /^Result: |^::error /.test(line));
    expect(ends[0]?.startsWith(`Result: ${result}`)).toBe(true);
    expect(ends.slice(1)).toEqual(
      Array.from({ length: run.exitCode ?? -1 }, () => expect.stringMatching(/^::error /)),
    );
  });
});

describe('the log of several scans', () => {
  test('has a group for each phase, and the result of each scan after them', async () => {
    const entries = makeEntries(3, 'scan.json');
    const [first] = entries;
    const service = await openService({ token: TOKEN, scanKeys: [first?.['scan-key'] ?? ''] });
    const { stdout } = await runBatch(await makeWorkspace(), service.url, entries);
    const { groups, outside } = splitGroups(stdout);
    expect(groups.map(([title]) => title)).toEqual([
      '::group::Inspecting 3 scans',
      `::group::Sending 3 scans to ${service.url}, up to 3 in parallel`,
    ]);
    expect(groups[0]).toHaveLength(1 + entries.length);
    expect(groups.flat().filter((line) => /Result: |::error /.test(line))).toEqual([]);
    const shown = outside.filter((line) => /Result: |::error /.test(line));
    expect(shown).toEqual([
      expect.stringMatching(/^\[scan 1\] Result: rejected \(400\) after 1 attempt/),
      expect.stringMatching(/^\[scan 2\] Result: rejected \(400\) after 1 attempt/),
      expect.stringMatching(/^\[scan 0\] Result: accepted \(200\) after 1 attempt/),
      expect.stringMatching(/^::error title=Scan upload rejected \(400\) \[scan 1\]::\[scan 1\] /),
      expect.stringMatching(/^::error title=Scan upload rejected \(400\) \[scan 2\]::\[scan 2\] /),
    ]);
  });
});

describe('equal failures of several scans', () => {
  test('become one annotation, and the log has the trace ids of each scan', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `trace-${index}.`);
    const responses = ids.map((traceId) => ({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ detail: 'No access.', traceId }),
    }));
    const service = await openService({ token: TOKEN, responses });
    const entries = makeEntries(30, 'scan.json');
    const run = await runBatch(await makeWorkspace(), service.url, entries);
    const errors = run.annotations.filter(({ level }) => level === 'error');
    expect(errors.map(({ title }) => title)).toEqual([
      'Scan upload rejected (403) [scan 0, scan 1, scan 2 and 27 more]',
    ]);
    const message = errors[0]?.message ?? '';
    expect(message).toMatch(/^\[scan 0, scan 1, scan 2 and 27 more\] No access\.\n/);
    for (const id of ids) {
      expect(message).not.toContain(id);
      expect(run.log.match(new RegExp(`^\\[scan \\d+\\] .*${id} · .*$`, 'gm'))).toHaveLength(1);
    }
    expect(run.summary.match(/^```text$/gm)).toHaveLength(1);
  });
});

describe('warnings', () => {
  test('about 25 truncated files become nine annotations, and one that counts the others', async () => {
    // Without scripted responses the service would reject truncated files.
    const responses = Array.from({ length: 25 }, () => ({ status: 200 }));
    const service = await openService({ token: TOKEN, responses });
    const scans = makeEntries(25, '').map((scan) => ({
      ...scan,
      'scan-file': `${scan.name}.json`,
    }));
    const names = scans.map((scan) => scan['scan-file']);
    const files = Object.fromEntries(names.map((name) => [name, SBOM.slice(0, -2)]));
    const inputs = { 'content-check': 'warn' };
    const run = await runBatch(await makeWorkspace(files), service.url, scans, inputs);
    expect(run.outputs.uploaded).toBe('true');
    expect(run.annotations.map(({ title }) => title)).toEqual([
      ...Array.from({ length: 9 }, () => expect.stringMatching(/^Scan file/)),
      'Scan upload',
    ]);
    const entries = readResults(run).flatMap(({ manifest }) => manifest);
    for (const name of names) expect(run.log).toContain(`'${name}'`);
    expect(entries).toEqual(
      names.map((path) => expect.objectContaining({ path, warnings: [expect.any(String)] })),
    );
    expect(run.summary.match(/\| ⚠️ `/g)).toHaveLength(25);
  });
});
