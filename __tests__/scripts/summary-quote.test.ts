import { expect, test } from '@jest/globals';
import { readText } from '../support/repository.ts';
import { makeWorkspace, runAction } from '../support/run-action.ts';
import { openService } from '../support/servers.ts';
import { SCAN_KEY } from '../support/workspace.ts';

test('README.md quotes a summary in the words of the action', async () => {
  const { url } = await openService();
  const workspace = await makeWorkspace({
    'report.json': readText('local', 'scans', 'trivy.json'),
  });
  const inputs = { 'base-url': url, 'scan-key': SCAN_KEY, files: 'report.json' };
  const { summary } = await runAction(workspace, inputs);
  const [heading = '', run = '', ...lines] = summary.split('\n').filter((line) => line !== '');
  // Of the table its only row.
  const row = lines.find((line) => line.startsWith('| Scan file |')) ?? '';
  const said = run.replace('0000000', '1a2b3c4').replace(url, 'https://scans.example.com');
  const expected = [
    `> **${heading.replace('### ', '')}**`,
    `> ${said}`,
    `> ${row.slice(2, -2).replaceAll(' | ', ' · ')}`,
  ];
  expect(readText('README.md').match(/^>.+$/gm)).toEqual(expected);
});
