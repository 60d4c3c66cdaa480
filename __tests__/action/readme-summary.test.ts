import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ACTION, TOKEN, runAction } from '../support/run-action.ts';
import { openService } from '../support/service.ts';

/** The heading and the rows of a table, without the spaces that align its columns, and with ordinary spaces. */
function normalise(markdown: string): readonly string[] {
  const lines = markdown.split('\n').filter((line) => /^[#|]/.test(line));
  return lines.map((line) =>
    line
      .replaceAll('\u00a0', ' ')
      .replaceAll(/ *\| */g, '|')
      .replaceAll(/-+/g, '-'),
  );
}

test('the summary in the README is that of an accepted upload of local/scans', async () => {
  const service = await openService({ token: TOKEN });
  const { summary } = await runAction(join(ACTION, 'local', 'scans'), {
    'base-url': service.url,
    'dependencies-file': 'bom.cdx.json',
    'vulnerabilities-file': 'vulnerabilities.json',
  });
  const readme = readFileSync(join(ACTION, 'README.md'), 'utf8');
  const [, shown = ''] = readme.split(/<!-- summary:(?:begin|end) -->/);
  expect(normalise(shown)).toEqual(normalise(summary));
  expect(normalise(shown)).toHaveLength(5);
});
