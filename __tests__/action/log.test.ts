import { describe, expect, test } from '@jest/globals';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { SBOM, SCAN_KEY } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { makeEntries, readResults, runBatch } from './batch.ts';

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
  const afterOne = `after 1 attempt, [\\d.]+ m?s, scan key ${SCAN_KEY}`;
  test.each<[string, Inputs, string]>([
    ['an accepted scan', {}, `accepted \\(200\\) ${afterOne}`],
    ['a refused scan', { 'scan-key': SCAN_KEY.toUpperCase() }, `rejected \\(400\\) ${afterOne}`],
    [
      'a scan without files',
      { 'scan-file': 'none.json' },
      `not sent \\(files\\), scan key ${SCAN_KEY}`,
    ],
    [
      'a skipped scan',
      { files: 'none/*', 'if-no-files-found': 'warn' },
      `skipped, scan key ${SCAN_KEY}`,
    ],
    ['a dry run', { 'dry-run': 'true' }, `dry run, scan key ${SCAN_KEY}`],
    ['a step without a scan', { 'base-url': 'ftp://scan.example' }, 'not sent \\(inputs\\)'],
  ])('appears once for %s, before the error annotation', async (name, inputs, result) => {
    const isRefused = name === 'a refused scan';
    const service = await openService({ token: TOKEN, ...(isRefused && { scanKeys: [] }) });
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url, ...inputs });
    const lines = run.stdout.split(/\r?\n/);
    const results = lines.filter((line) => line.startsWith('Result: '));
    expect(results).toEqual([expect.stringMatching(new RegExp(`^Result: ${result}$`, 'i'))]);
    const errors = lines.filter((line) => line.startsWith('::error '));
    expect(errors).toHaveLength(run.exitCode ?? -1);
    const [error = lines.at(-1)] = errors;
    expect(lines.indexOf(results[0] ?? '')).toBeLessThan(lines.indexOf(error ?? ''));
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
    const warnings = run.annotations.map(({ message }) => message);
    expect(warnings).toHaveLength(10);
    for (const text of warnings.slice(0, 9)) expect(text).toContain('is truncated');
    expect(warnings[9]).toMatch(/^16 more warnings: see the log\.$/);
    for (const name of names) expect(run.log).toMatch(new RegExp(`'${name}' is truncated`));
    const entries = readResults(run).flatMap(({ manifest }) => manifest);
    expect(entries).toEqual(
      names.map((path) =>
        expect.objectContaining({ path, warnings: [expect.stringContaining('is truncated')] }),
      ),
    );
    expect(run.summary.match(/⚠️ accepted/g)).toHaveLength(25);
  });
});

describe('the error annotation', () => {
  test('is also text in the log of an engine that does not decode commands', async () => {
    const problem = { detail: 'No.', errors: { '': ['::error::PWNED', '##[error]PWNED'] } };
    const service = await openService({
      token: TOKEN,
      responses: [{ status: 400, body: JSON.stringify(problem) }],
    });
    const env = { GITEA_ACTIONS: 'true' };
    const run = await runAction(await makeWorkspace(), { 'base-url': service.url }, { env });
    expect(run.commands.map(({ command }) => command)).toEqual(['add-mask', 'error']);
    const [{ title, message } = { title: '', message: '' }] = run.annotations;
    const text = [title, ...message.split('\n')];
    const lines = run.stdout.split(/\r?\n/);
    const end = lines.findIndex((line) => line.startsWith('::error '));
    expect(lines.slice(0, end).slice(-text.length)).toEqual(text);
    expect(message).toContain('PWNED');
  });
});

describe('a runner command in a file name or in problem details', () => {
  const problem = {
    detail: 'No. ##[error]PWNED',
    '##[error]PWNED': ['##[error]PWNED'],
    errors: { '##[error]PWNED': ['##[error]PWNED'] },
  };

  test('is in no output, although the parsed outputs have the original text', async () => {
    const responses = [{ status: 400, body: JSON.stringify(problem) }];
    const service = await openService({ token: TOKEN, responses });
    const path = 'scans/##[error]PWNED.json';
    const run = await runAction(await makeWorkspace({ [path]: SBOM.slice(0, -2) }), {
      'base-url': service.url,
      'scan-file': 'scans',
      'content-check': 'warn',
    });
    expect(Object.values(run.outputs).join('\n')).not.toContain('##[');
    expect(JSON.parse(run.outputs['problem-details'] ?? '')).toEqual(problem);
    expect(JSON.parse(run.outputs.manifest ?? '')).toMatchObject([{ path }]);
    expect(readResults(run)).toMatchObject([{ problemDetails: problem, manifest: [{ path }] }]);
    expect(run.commands.map(({ command }) => command)).toEqual(['add-mask', 'warning', 'error']);
  });
});
