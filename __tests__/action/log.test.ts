import { describe, expect, test } from '@jest/globals';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { findLines } from '../support/report.ts';
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

describe('debug logging', () => {
  const NAMES =
    'Accept, Accept-Encoding, User-Agent, traceparent, X-Project, Authorization, Content-Type, Content-Length, Expect, Host';
  const PHASES =
    /^##\[debug\]Attempt 1 phases: credential \d+ ms, connecting \d+ ms, asking \d+ ms, sending \d+ ms, flushing \d+ ms, (?:waiting \d+ ms, )?reading \d+ ms, ended$/;

  test.each([
    ['1', [`##[debug]Request headers: ${NAMES}`, expect.stringMatching(PHASES)]],
    ['', []],
  ])('shows names of headers, and phases: RUNNER_DEBUG=%s', async (RUNNER_DEBUG, lines) => {
    const service = await openService({ token: TOKEN });
    const inputs = { 'base-url': service.url, headers: 'X-Project: payments-api' };
    const { log } = await runAction(await makeWorkspace(), inputs, { env: { RUNNER_DEBUG } });
    expect(findLines(log, /Request headers|phases/)).toEqual(lines);
    expect(findLines(log, /payments-api|Bearer/)).toEqual([]);
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
