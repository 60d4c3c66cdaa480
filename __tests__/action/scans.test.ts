import { describe, expect, test } from '@jest/globals';
import { makeWorkspace, readResults, runAction, TOKEN } from '../support/run-action.ts';
import { openService } from '../support/servers.ts';
import { REPORT, SBOM, makeKey, sha256 } from '../support/workspace.ts';

const KEYS = [makeKey(1), makeKey(2), makeKey(3)];
const [FIRST = '', SECOND = '', THIRD = ''] = KEYS;
const FILES = {
  'billing/report.json': REPORT,
  'shop/bom.json': SBOM,
  'shop/report.json': '{"a":1}',
  'web/one.json': '{"b":2}',
  'broken.json': '{"a":',
};
const SHOP = { 'dependencies-file': 'shop/bom.json', 'vulnerabilities-file': 'shop/report.json' };

/** The inputs of a step with several scans. */
function makeInputs(url: string, scans: readonly object[]): Readonly<Record<string, string>> {
  return { 'base-url': url, 'scan-key': '', 'scan-file': '', scans: JSON.stringify(scans) };
}

describe('several scans', () => {
  test('are all uploaded byte for byte, each under its key, and reported one by one', async () => {
    const service = await openService({ token: TOKEN });
    const inputs = makeInputs(service.url, [
      { name: 'billing', 'scan-key': FIRST, 'scan-file': 'billing/report.json' },
      { name: 'shop', 'scan-key': SECOND, ...SHOP },
      { 'scan-key': THIRD, files: ['web/*.json', '!web/two.json'] },
    ]);
    const run = await runAction(await makeWorkspace(FILES), inputs);
    const message = expect.stringContaining('`files` does not name it');
    expect(run.annotations).toMatchObject([{ level: 'warning', message }]);
    expect(run.exitCode).toBe(0);
    const kept = new Map(service.uploads.map((upload) => [upload.scanKey, upload]));
    const digests = KEYS.map((key) => kept.get(key)?.parts.map((part) => [part.name, part.sha256]));
    expect(digests).toEqual([
      [['ScanJsonFile', sha256(REPORT)]],
      [
        ['DependenciesCDX', sha256(SBOM)],
        ['VulnerabilitiesTool', sha256('{"a":1}')],
      ],
      [['ScanJsonFile', sha256('{"b":2}')]],
    ]);
    expect(readResults(run)).toMatchObject([
      { name: 'billing', scanKey: FIRST, uploaded: true, operation: 'upload-file' },
      { name: 'shop', scanKey: SECOND, operation: 'upload-multiple-files' },
      { name: null, scanKey: THIRD, result: 'accepted', statusCode: 200, attempts: 1 },
    ]);
  });
});
