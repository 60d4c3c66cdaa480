import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { makeFolder } from '../support/directories.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { listMembers, readText } from '../support/workflows.ts';

const EXAMPLE: unknown = load(readText('examples', 'two-jobs.yml'));
const STEPS = listMembers(EXAMPLE, 'jobs').flatMap((job) => listMembers(job, 'steps'));
const CONDITION = String(STEPS.at(-1)?.['if']);
const TERM = /contains\(steps\.upload\.outputs\.findings, '([^']*)'\)/g;
const TEXTS = Array.from(CONDITION.matchAll(TERM), ([, text = '']) => text);

/** Whether the gate lets a job go on: every text is in the output. */
function isOpen(findings = ''): boolean {
  return TEXTS.every((text) => findings.includes(text));
}

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

/** pip-audit's report of one package. */
function makeAudit(vulns: readonly object[]): object {
  return { dependencies: [{ name: 'a', version: '1', vulns }], fixes: [] };
}

const BOM = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [] };
const IN_PART = { version: '1.0.0', results: [], paths: { scanned: ['a.py', 'b.py'] } };

describe('the gate of two-jobs.yml', () => {
  test('fails the job unless each number is 0', () => {
    expect(CONDITION.replaceAll(TERM, 'T')).toBe('${{ !(T && T && T) }}');
    expect(TEXTS).toEqual(['"critical":0,', '"unrated":0,', '"marked":0,']);
    expect(String(STEPS.at(-1)?.['run'])).toMatch(/\nexit 1\n$/);
  });

  test.each<[string, object, boolean]>([
    ['a report without findings', makeReport(), true],
    ['a high finding', makeReport('HIGH'), true],
    ['critical and unrated findings', makeReport('CRITICAL', 'UNKNOWN', 'LOW'), false],
    ['ten critical findings', makeReport(...Array.from({ length: 10 }, () => 'CRITICAL')), false],
    ['an unrated vulnerability in CycloneDX', { ...BOM, vulnerabilities: [{ id: 'A' }] }, false],
    ['a tool without severities', makeAudit([]), true],
    ['a finding of one', makeAudit([{ id: 'CVE-1', fix_versions: [] }]), false],
    ['a report of nothing', { dependencies: [], fixes: [] }, false],
    ['SARIF with a critical severity', makeSarif('9.8'), false],
    ['SARIF with levels alone', makeSarif(), true],
    ['an SBOM', BOM, false],
    ['a format that is not known', {}, false],
    [
      'a report of a part',
      { ...IN_PART, errors: [{ level: 'warn', path: 'a.py', message: 'Timeout' }] },
      false,
    ],
  ])('for %s', async (_, report, expected) => {
    const workspace = await makeWorkspace({ 'report.json': JSON.stringify(report) });
    const { outputs } = await runAction(workspace, { files: 'report.json', 'dry-run': 'true' });
    expect(isOpen(outputs['findings'])).toBe(expected);
  });

  test('for an old report', async () => {
    const workspace = await makeWorkspace({ 'report.json': JSON.stringify(makeReport()) });
    await utimes(join(workspace, 'report.json'), 1, 1);
    // The runner writes the payload of the event when the job begins.
    const env = { GITHUB_EVENT_PATH: join(await makeFolder({ 'event.json': '{}' }), 'event.json') };
    const inputs = { files: 'report.json', 'dry-run': 'true' };
    const { outputs } = await runAction(workspace, inputs, { env });
    expect(isOpen(outputs['findings'])).toBe(false);
  });

  test.each([
    ['skipped', 'not-there.json'],
    ['not-sent', 'bad.json'],
  ])('for a scan that is %s', async (result, files) => {
    const workspace = await makeWorkspace({ 'bad.json': '{' });
    const inputs = { files, 'dry-run': 'true', 'if-no-files-found': 'ignore' };
    const { outputs } = await runAction(workspace, inputs);
    expect(outputs).toMatchObject({ result, findings: '' });
    expect(isOpen(outputs['findings'])).toBe(false);
  });
});
