import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { listMembers, readText } from '../support/repository.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';

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
    ['an unrated finding', makeReport('UNKNOWN', 'LOW'), false],
    ['ten critical findings', makeReport(...Array.from({ length: 10 }, () => 'CRITICAL')), false],
    ['an SBOM', BOM, false],
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
});
