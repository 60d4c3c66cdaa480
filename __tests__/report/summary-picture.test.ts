import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { makeFolder } from '../support/directories.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SCRIPT = join(ROOT, 'scripts', 'summary-picture.ts');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const run = promisify(execFile);

/** The first bytes of a PNG that is 1,560 pixels wide. */
const PNG = /^89504e470d0a1a0a0000000d4948445200000618([\da-f]{8})/;

const describeWithChromium = existsSync(CHROMIUM) ? describe : describe.skip;

async function expectPicture(path: string): Promise<void> {
  const picture = await readFile(path);
  const height = PNG.exec(picture.toString('hex', 0, 32))?.[1];
  expect(Number.parseInt(height ?? '', 16)).toBeGreaterThan(1000);
  expect(picture.length).toBeGreaterThan(30_000);
  expect(picture.length).toBeLessThan(400_000);
}

describeWithChromium('npm run picture, with Chromium', () => {
  test('draws the summaries', async () => {
    const picture = join(await makeFolder(), 'summary.png');
    const { stdout } = await run(process.execPath, [SCRIPT, picture]);
    expect(stdout).toBe(`Drawn: ${picture}\n`);
    await expectPicture(picture);
  });
});

describe('npm run picture', () => {
  test('has drawn the picture in the README', async () => {
    expect(await readFile(join(ROOT, 'README.md'), 'utf8')).toContain('](docs/summary.png)');
    await expectPicture(join(ROOT, 'docs', 'summary.png'));
  });
});
