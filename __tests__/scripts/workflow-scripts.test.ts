import { createServer } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import type { ServiceOptions } from '../../local/service/index.ts';
import { describeWith } from '../peers/programs.ts';
import { makeCertificate } from '../support/certificates.ts';
import { listen } from '../support/raw-server.ts';
import { ACTION, TOKEN } from '../support/run-action.ts';
import { makeKey } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { OWN, runJobs, toText } from '../support/workflow-runner.ts';
import type { JobRun, Setting, WorkflowRun } from '../support/workflow-runner.ts';
import { listMembers, readMembers, readText } from '../support/workflows.ts';

const EXAMPLES = readdirSync(join(ACTION, 'examples')).filter((name) => name.endsWith('.yml'));
const DOCUMENTS = ['README.md', 'examples/README.md', ...listDocuments()];

/** Trivy's report with one critical finding, and a document of an unknown format. */
const CRITICAL = JSON.stringify({
  SchemaVersion: 2,
  Results: [{ Target: 'a', Vulnerabilities: [{ VulnerabilityID: 'A', Severity: 'CRITICAL' }] }],
});
const NOTHING = '{"SchemaVersion":2,"Results":[]}';
const UNKNOWN = '{"anything":1}';

/** The services that do not take the token as the others do. */
const SERVICES: Readonly<Record<string, Partial<ServiceOptions>>> = {
  'api-key.yml': { tokenHeader: 'X-Api-Key' },
};

function listDocuments(): readonly string[] {
  const names = readdirSync(join(ACTION, 'docs')).filter((name) => name.endsWith('.md'));
  return names.map((name) => `docs/${name}`);
}

/** What this machine has in place of the company's CA and of GitHub's issuer of OIDC tokens. */
async function makeMachine(name: string): Promise<Partial<Setting>> {
  if (name === 'private-ca-proxy.yml') return { inputs: { 'ca-cert': makeCertificate().certPath } };
  if (name !== 'oidc.yml') return {};
  const issuer = createServer((_request, response) => {
    response.end(JSON.stringify({ value: TOKEN }));
  });
  const url = `http://127.0.0.1:${await listen(issuer)}/`;
  return {
    env: { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token' },
  };
}

type Run = WorkflowRun & { readonly received: number };

/** Runs an example, by default against a service that accepts the upload. */
async function runExample(
  name: string,
  setting: Partial<Setting> = {},
  options: Partial<ServiceOptions> = {},
): Promise<Run> {
  const machine = await makeMachine(name);
  const source = readText('examples', name);
  return runWorkflow(source, { ...machine, ...setting }, { ...SERVICES[name], ...options });
}

async function runWorkflow(
  source: string,
  setting: Partial<Setting> = {},
  options: Partial<ServiceOptions> = {},
): Promise<Run> {
  const service = await openService({ token: TOKEN, ...options });
  const run = await runJobs(load(source), { url: service.url, ...setting });
  return { ...run, received: service.uploads.length };
}

/** The workflow of the README. */
const [, README_WORKFLOW = ''] = /^```yaml\n(name: [^]*?)^```$/m.exec(readText('README.md')) ?? [];

/** The workflow of the README, changed as it says for a scanner that fails if it finds something. */
function uploadFindings(): string {
  const [condition, removal] = ['if: ${{ !cancelled() }}', '- run: rm -f report.json'];
  for (const text of [condition, removal]) expect(readText('README.md')).toContain(`\`${text}\``);
  return README_WORKFLOW.replace(/^( *)(?=- uses: aquasecurity)/m, `$1${removal}\n$1`)
    .replace(/^( *- )(?=uses: actions\/upload-artifact)/m, `$1${condition}\n        `)
    .replace(/^( *)(?=needs: scan$)/m, `$1${condition}\n$1`);
}

function listResults({ jobs }: WorkflowRun): Readonly<Record<string, JobRun['result']>> {
  return Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));
}

/** The workflows of a document's blocks that have scripts. */
function listBlocks(path: string): readonly (readonly [string, string])[] {
  const blocks = readText(path).matchAll(/^( *)```yaml\n([^]*?)^ *```$/gm);
  return Array.from(blocks, ([, indent = '', text = '']) => text.replaceAll(`\n${indent}`, '\n'))
    .filter((text) => /^ *(?:- )?run: /m.test(text))
    .map((text) => [path, text] as const);
}

/** What ends an attempt without a wait before another one. */
const ONCE = { retries: '0' };

describeWith('jq')('the scripts of', () => {
  test.each(EXAMPLES)('%s succeed, and the scans are uploaded', async (name) => {
    const run = await runExample(name);
    for (const { result, errors, text } of Object.values(run.jobs)) {
      expect({ result, errors, text }).toEqual({ result: 'success', errors: [], text });
      expect(text).not.toMatch(/null|undefined|error/i);
    }
    expect(run.received).toBe({ 'fork-scan.yml': 0, 'monorepo.yml': 2 }[name] ?? 1);
  });

  test.each([
    ['accepts the scan', {}, 'success', /^ScanJsonFile: \d+ bytes, sha256 \w{64}\n$/],
    ['responds 503', { status: 503 }, 'success', /^Not uploaded: rejected 503 \(unavailable\), /],
    ['responds 400', { status: 400 }, 'failure', /^Not uploaded: rejected 400 \(refused\), /],
    ['responds 502', { status: 502 }, 'success', /unconfirmed 502[^]*\nThe service may have the/],
    ['is closed', { url: 'http://127.0.0.1:1' }, 'success', /not-sent +\(connection\), /],
    ['gets no file', { scanner: 'skips' }, 'failure', /not-sent +\(files\), /],
  ] as const)('continue-on-error.yml if the service %s', async (_, how, result, text) => {
    const responses = 'status' in how ? [{ status: how.status }] : [];
    const setting = { inputs: ONCE, ...how };
    const { jobs } = await runExample('continue-on-error.yml', setting, { responses });
    expect(jobs['scan']?.text).toMatch(text);
    expect(jobs['scan']?.result).toBe(result);
  });

  test.each([
    ['no critical finding', NOTHING, 'success', /^Critical findings: 0\n$/],
    ['a critical finding', CRITICAL, 'failure', /^Critical findings: 1\n$/],
    ['an uncounted report', UNKNOWN, 'failure', /^jq: error .* a report was not counted\n$/],
  ])('gate.yml end with %s as they should', async (_, report, result, text) => {
    const { jobs } = await runExample('gate.yml', { report });
    expect(jobs['upload']).toMatchObject({ result, text: expect.stringMatching(text) });
  });

  test.each([
    ['succeeds', undefined, { scan: 'success', upload: 'success' }, 1],
    ['finds something', 'finds', { scan: 'failure', upload: 'success' }, 1],
    ['crashes', 'crashes', { scan: 'failure', upload: 'failure' }, 0],
  ] as const)('the README upload the new report alone if the scanner %s', async (...row) => {
    const [, scanner, results, received] = row;
    const run = await runWorkflow(uploadFindings(), { scanner });
    expect(listResults(run)).toEqual(results);
    expect(run.received).toBe(received);
  });

  test('dry-run.yml check the files of a pull request without secrets', async () => {
    const run = await runExample('dry-run.yml', { isFork: true });
    expect(listResults(run)).toEqual({ scan: 'success', upload: 'success' });
    expect(run.received).toBe(0);
    const truncated = await runExample('dry-run.yml', { isFork: true, report: '{"cut":' });
    expect(listResults(truncated)).toEqual({ scan: 'success', upload: 'failure' });
  });

  test('release.yml release only if the service accepts the scan', async () => {
    const accepted = await runExample('release.yml');
    expect(accepted.calls).toContain('gh release create v1 --verify-tag --generate-notes');
    const rejected = await runExample('release.yml', {}, { scanKeys: [] });
    expect(listResults(rejected)).toMatchObject({ release: 'skipped' });
    expect(rejected.calls.filter((call) => call.startsWith('gh '))).toEqual([]);
  });

  test('monorepo.yml list the scans that failed', async () => {
    const { jobs } = await runExample('monorepo.yml', {}, { scanKeys: [makeKey(0)] });
    const text = `shop: rejected, There is no scan with the key ${makeKey(1)}.\n`;
    expect(jobs['scan']).toMatchObject({ result: 'failure', text });
  });

  const audits = EXAMPLES.filter((name) => readText('examples', name).includes('npm audit'));
  test.each(audits)('%s fail if npm audit got no response of the registry', async (name) => {
    const run = await runExample(name, { report: '{"error":{"code":"ENOTFOUND"}}' });
    expect(listResults(run)).toEqual({ scan: 'failure' });
    expect(run.received).toBe(0);
  });
});

/** Steps that stand before a block of a document: files, and an upload with outputs unless it has its own. */
const BEFORE = [
  { uses: 'actions/checkout@v1' },
  ...['report.json', 'services/billing/report.json', 'services/shop/report.json'].map((output) => ({
    uses: 'any/scanner@v1',
    with: { output },
  })),
];
const UPLOAD = {
  uses: './',
  id: 'upload',
  with: {
    'base-url': 'https://scans.example.com',
    token: TOKEN,
    scans: JSON.stringify([
      { name: 'billing', 'scan-key': makeKey(0), 'scan-file': 'report.json' },
    ]),
  },
};

/** Runs the steps of a block against a service. */
async function runBlock(block: string): Promise<JobRun> {
  const service = await openService({ token: TOKEN });
  const parsed = load(block);
  const job = Array.isArray(parsed) ? { steps: parsed } : readMembers(parsed);
  const own = listMembers(job, 'steps');
  const hasUpload = own.some(({ uses }) => OWN.test(toText(uses)));
  const steps = [...BEFORE, ...(hasUpload ? [] : [UPLOAD]), ...own];
  const setting = { url: service.url, inputs: ONCE };
  const { jobs } = await runJobs({ jobs: { scan: { ...job, steps } } }, setting);
  if (jobs['scan'] === undefined) throw new Error('The job did not run.');
  return jobs['scan'];
}

describeWith('jq')('the scripts in', () => {
  const blocks = DOCUMENTS.flatMap(listBlocks);

  test('the documents are found', () => {
    expect(blocks.length).toBeGreaterThan(1);
  });

  test.each(blocks)('%s, block %#, succeed after an upload', async (_, block) => {
    const { result, text } = await runBlock(block);
    expect({ result, text }).toEqual({ result: 'success', text });
    expect(text).not.toMatch(/null|undefined|error|rejected/i);
  });

  test('README.md pass a digest on as an output of the job', async () => {
    const [, block = ''] = blocks.find(([, text]) => text.startsWith('outputs:')) ?? [];
    const { outputs } = await runBlock(block);
    expect(outputs).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
