import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { describeWith } from '../peers/programs.ts';
import { makeFolder } from '../support/directories.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { REPORT, SBOM, makeKey } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { listMembers, readText } from '../support/workflows.ts';

type Texts = Readonly<Record<string, string>>;

/** What the step of an example that reads the results file prints and writes, and its exit code. */
async function runReader(
  example: string,
  variables: Texts,
): Promise<{ readonly exitCode: number | null; readonly text: string; readonly temp: string }> {
  const jobs = listMembers(load(readText('examples', example)), 'jobs');
  const steps = jobs.flatMap((job) => listMembers(job, 'steps'));
  const script = steps.map(({ run }) => String(run)).find((run) => run.includes('"$RESULTS"'));
  const temp = await makeFolder();
  const own = { PATH: process.env.PATH, RUNNER_TEMP: temp, GITHUB_OUTPUT: join(temp, 'output') };
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-ec', script ?? 'exit 99'], {
    env: { ...own, ...variables },
    encoding: 'utf8',
  });
  return { exitCode: status, text: stdout + stderr, temp };
}

const CRITICAL = JSON.stringify({
  SchemaVersion: 2,
  Results: [{ Target: 'a', Vulnerabilities: [{ VulnerabilityID: 'A', Severity: 'CRITICAL' }] }],
});

describeWith('jq')('the scripts of the examples that read the results file', () => {
  test('receipt.yml makes lines for sha256sum and a predicate of the accepted scans alone', async () => {
    const files = { 'a b/report.json': REPORT, 'bom.json': SBOM, 'é.json': CRITICAL };
    const workspace = await makeWorkspace({ ...files, 'no.json': REPORT });
    const service = await openService({ scanKeys: [makeKey(0), makeKey(1)] });
    const scans = [
      { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'a b/*.json' },
      { 'scan-file': 'é.json' },
      { 'scan-file': 'no.json' },
    ].map((entry, index) => ({ ...entry, 'scan-key': makeKey(index) }));
    const inputs = { 'base-url': service.url, scans: JSON.stringify(scans), 'scan-key': '' };
    const before = new Date().toISOString();
    const run = await runAction(workspace, { files: '', ...inputs });
    const after = new Date().toISOString();
    const RESULTS = run.outputs['results-path'] ?? '';
    const { exitCode, text, temp } = await runReader('receipt.yml', { RESULTS });
    expect({ exitCode, text }).toEqual({ exitCode: 0, text: '' });
    expect(readFileSync(join(temp, 'output'), 'utf8')).toBe('files=3\n');
    const check = spawnSync('sha256sum', ['--check', '--strict', join(temp, 'SHA256SUMS')], {
      cwd: workspace,
      encoding: 'utf8',
    });
    const names = check.stdout.trim().split('\n').toSorted();
    expect(names).toEqual(['a b/report.json: OK', 'bom.json: OK', 'é.json: OK']);
    expect(check).toMatchObject({ status: 0, stderr: '' });
    const predicate: unknown = JSON.parse(readFileSync(join(temp, 'predicate.json'), 'utf8'));
    const scan = {
      service: service.url,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      startedAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
      statusCode: 200,
    };
    expect(predicate).toMatchObject({
      scans: [
        {
          ...scan,
          scanKey: makeKey(0),
          files: [{ path: 'bom.json' }, { path: 'a b/report.json' }],
        },
        { ...scan, scanKey: makeKey(1), files: [{ path: 'é.json', bytes: CRITICAL.length }] },
      ],
    });
    const times = JSON.stringify(predicate).match(/\d{4}-[\d-]+T[^"]+Z/g) ?? [];
    expect(times).toHaveLength(4);
    for (const time of times) expect([before, time, after].toSorted()[1]).toBe(time);
  });

  test.each([
    ['no critical finding', REPORT, 0, /^Critical findings: 0\n$/],
    ['a critical finding', CRITICAL, 1, /^Critical findings: 1\n$/],
    ['an uncounted report', '{"anything":1}', 5, /^jq: error .* a report was not counted\n$/],
  ])('two-jobs.yml ends with %s as it should', async (_, report, exitCode, text) => {
    const workspace = await makeWorkspace({ 'scan.json': report });
    const run = await runAction(workspace, { 'dry-run': 'true' });
    const RESULTS = run.outputs['results-path'] ?? '';
    const ended = await runReader('two-jobs.yml', { RESULTS });
    expect(ended).toMatchObject({ exitCode, text: expect.stringMatching(text) });
  });
});
