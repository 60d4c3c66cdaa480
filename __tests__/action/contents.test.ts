import { describe, expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { openServer } from '../support/raw-server.ts';
import { makeWorkspace, readResultsText, runAction, TOKEN } from '../support/run-action.ts';
import { SBOM } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { findLines } from '../support/report.ts';

// The problems of contents, and their words, are tested in __tests__/formats and __tests__/plan.

const PAGE = '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>\n';

/** Runs the action, and expects that it refuses the files before it connects. */
async function expectRefusal(
  files: Readonly<Record<string, string | Uint8Array>>,
  inputs: Readonly<Record<string, string>> = {},
): Promise<StepRun> {
  const server = await openServer(({ socket }) => socket.destroy());
  const run = await runAction(await makeWorkspace(files), { 'base-url': server.origin, ...inputs });
  expect(run.exitCode).toBe(1);
  const ended = { uploaded: 'false', result: 'not-sent', reason: 'contents' };
  expect(run.outputs).toMatchObject(ended);
  expect(run.annotations.map(({ title }) => title)).toEqual(['Scan upload not sent (contents)']);
  expect(server.connections()).toBe(0);
  return run;
}

describe('file inspection', () => {
  test('logs what every file was recognised as, before the problems', async () => {
    const pair = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report.json' };
    const run = await expectRefusal({ 'bom.json': SBOM, 'report.json': PAGE }, pair);
    expect(findLines(run.log, /^DependenciesCDX|^VulnerabilitiesTool|^Operation: /)).toEqual([
      "DependenciesCDX 'bom.json': 111 bytes, CycloneDX 1.6, 1 component, no list of vulnerabilities",
      expect.stringMatching(/^VulnerabilitiesTool 'report.json': /),
    ]);
  });

  test('shows no secret and no runner command from the tool that a file names', async () => {
    const service = await openService({ token: TOKEN });
    const tool = `::error::x\n##[group]${TOKEN}\u001b[31m`;
    const bom = JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: `1.6${TOKEN}`,
      metadata: { tools: [{ name: tool }] },
      components: [{}],
    });
    const run = await runAction(await makeWorkspace({ 'scan.json': bom }), {
      'base-url': service.url,
    });
    expect(run.outputs.uploaded).toBe('true');
    expect(run.annotations).toEqual([]);
    for (const text of [run.stdout, readResultsText(run), run.summary]) {
      expect(findLines(text.replace(`::add-mask::${TOKEN}`, ''), TOKEN)).toEqual([]);
    }
    expect(findLines(run.log, '\u001b[31m')).toEqual([]);
  });
});

describe('content-check', () => {
  const pair = { 'dependencies-file': 'bom.json', 'vulnerabilities-file': 'report.json' };
  const files = { 'bom.json': SBOM.slice(0, -2), 'report.json': '' };

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['a truncated and an empty file', files, pair],
    [
      'text as an SBOM',
      { 'bom.txt': 'a', 'report.json': '{}' },
      { ...pair, 'dependencies-file': '*.txt' },
    ],
  ])('error refuses %s', async (_, contents, inputs) => {
    await expectRefusal(contents, inputs);
  });

  test('error uploads `null`, with a line in the log and a mark in the summary', async () => {
    const service = await openService({ token: TOKEN });
    const inputs = { 'base-url': service.url };
    const run = await runAction(await makeWorkspace({ 'scan.json': 'null' }), inputs);
    expect(run.outputs.uploaded).toBe('true');
    expect(run.annotations).toEqual([]);
    expect(findLines(run.log, /^ScanJsonFile 'scan.json': 4 bytes, only `null`, /)).toHaveLength(1);
    expect(findLines(run.summary, /⚠️ `scan.json` \| null /)).toHaveLength(1);
  });

  test.each([
    ['warn', 2],
    ['off', 0],
  ])('%s uploads a truncated and an empty file with %i warnings', async (strictness, count) => {
    const service = await openService({ token: TOKEN });
    const inputs = { 'base-url': service.url, 'content-check': strictness, ...pair };
    const run = await runAction(await makeWorkspace(files), inputs);
    expect(run.outputs.uploaded).toBe('true');
    expect(service.uploads).toHaveLength(1);
    expect(run.annotations.map(({ level }) => level)).toEqual(Array(count).fill('warning'));
  });
});
