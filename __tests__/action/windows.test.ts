import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SPELLINGS, describeWindows } from '../support/files.ts';
import { TOKEN, makeWorkspace, runAction } from '../support/run-action.ts';
import { openService } from '../support/servers.ts';
import { REPORT, SCAN_KEY, cleanUp } from '../support/workspace.ts';

describeWindows('a workspace on Windows', () => {
  test.each(SPELLINGS)('can be written %s', async (_, spell) => {
    const service = await openService({ token: TOKEN });
    const entry = { 'scan-key': SCAN_KEY, 'scan-file': String.raw`in\scan.json` };
    const root = await makeWorkspace({
      'My Repository/in/Scan.json': REPORT,
      'My Repository/scans.json': JSON.stringify([entry]),
    });
    const real = join(root, 'My Repository');
    const given = spell(real);
    const scans = { 'scan-key': '', 'scan-file': '' };
    for (const [workspace, inputs] of [
      [given, { 'scan-file': String.raw`in\SCAN.json` }],
      [given, { 'scan-file': `${real}\\in\\*.json` }],
      [real, { 'scan-file': `${given}/in/*.json` }],
      [given, { ...scans, scans: 'SCANS.json' }],
      [real, { ...scans, scans: `${given}/scans.json` }],
    ] as const) {
      const run = await runAction(workspace, { 'base-url': service.url, ...inputs });
      expect(run.outputs).toMatchObject({ error: '', uploaded: 'true' });
    }
  });
});

/** libuv's UV_FS_O_EXLOCK: on Windows no other process may open the file. */
const EXCLUSIVE = 0x10000000;

/** Has another process lock a file until the test ends. */
async function lockFile(path: string): Promise<void> {
  const script = `
    const { constants, openSync } = require('node:fs');
    openSync(process.argv[1], constants.O_RDWR | ${EXCLUSIVE});
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--eval', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp(async () => {
    const exit = once(child, 'exit');
    child.kill();
    await exit;
  });
  await once(child.stdout, 'data');
}

describeWindows('a file that another process has locked', () => {
  test('is reported with the error code of the system', async () => {
    const service = await openService({ token: TOKEN });
    const workspace = await makeWorkspace();
    await lockFile(join(workspace, 'scan.json'));
    const base = { 'base-url': service.url };
    const { outputs } = await runAction(workspace, base);
    expect(outputs).toMatchObject({ result: 'not-sent', reason: 'files' });
    expect(outputs.error).toContain(`'${join(workspace, 'scan.json')}'`);
    expect(outputs.error).toContain('EBUSY');
    const scans = { scans: 'scan.json', 'scan-key': '', 'scan-file': '' };
    const { outputs: others } = await runAction(workspace, { ...base, ...scans });
    expect(others.error).toBe("`scans`: the file 'scan.json' cannot be read (EBUSY).");
  });
});
