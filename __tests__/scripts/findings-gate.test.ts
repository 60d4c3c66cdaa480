import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { describeUnless } from '../support/skip.ts';
import { listMembers, readText } from '../support/workflows.ts';

const EXAMPLE: unknown = load(readText('examples', 'two-jobs.yml'));
const STEPS = listMembers(EXAMPLE, 'jobs').flatMap((job) => listMembers(job, 'steps'));
const SCRIPT = String(STEPS.at(-1)?.['run']);

const hasPrograms = ['jq', 'bash'].every((name) => spawnSync(name, ['--version']).status === 0);

/** A Trivy report with one vulnerability of each of these severities. */
function makeReport(...severities: readonly string[]): object {
  const found = severities.map((Severity, index) => ({
    VulnerabilityID: `CVE-${index}`,
    Severity,
  }));
  return { SchemaVersion: 2, Results: [{ Target: 'a', Vulnerabilities: found }] };
}

/** SARIF with one result of level error, and of a rule with this severity. */
function makeSarif(severity?: string): object {
  const rules = [{ id: 'A', properties: { 'security-severity': severity } }];
  const results = [{ ruleId: 'A', level: 'error', message: { text: 'Found' } }];
  return { version: '2.1.0', runs: [{ tool: { driver: { name: 'lint', rules } }, results }] };
}

const FIXED = [{ id: 'CVE-1', fix_versions: [] }];
const BOM = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [] };

describeUnless(hasPrograms ? undefined : 'jq or bash is missing')(
  'the gate of two-jobs.yml',
  () => {
    test.each([
      ['a report without findings', makeReport(), 0, '0'],
      ['a high finding', makeReport('HIGH'), 0, '0'],
      ['critical and unrated findings', makeReport('CRITICAL', 'UNKNOWN', 'LOW'), 1, '2'],
      ['an unrated vulnerability in CycloneDX', { ...BOM, vulnerabilities: [{ id: 'A' }] }, 1, '1'],
      ['a tool without severities', { dependencies: [], fixes: [] }, 0, '0'],
      [
        'a finding of one',
        { dependencies: [{ name: 'a', version: '1', vulns: FIXED }], fixes: [] },
        1,
        '1',
      ],
      ['SARIF with a critical severity', makeSarif('9.8'), 1, '1'],
      ['SARIF with levels alone', makeSarif(), 0, '0'],
      ['an SBOM', BOM, 5, undefined],
      ['a format that is not known', {}, 5, undefined],
    ])('for %s', async (_, report, code, count) => {
      const workspace = await makeWorkspace({ 'report.json': JSON.stringify(report) });
      const { outputs } = await runAction(workspace, { files: 'report.json', 'dry-run': 'true' });
      const env = { ...process.env, RESULTS: outputs['results-path'] };
      const run = spawnSync('bash', ['-e', '-c', SCRIPT], { env, encoding: 'utf8' });
      const said = count === undefined ? '' : `Critical or unrated findings: ${count}\n`;
      expect([run.status, run.stdout]).toEqual([code, said]);
    });

    test('for a step that was skipped', () => {
      const env = { ...process.env, RESULTS: '' };
      expect(spawnSync('bash', ['-e', '-c', SCRIPT], { env }).status).not.toBe(0);
    });
  },
);
