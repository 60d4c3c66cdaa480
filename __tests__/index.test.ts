import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { makeFolder } from './support/directories.ts';

const BUNDLE = fileURLToPath(new URL('../dist/index.js', import.meta.url));
/** Ends the process without an exit code as soon as the action listens for its end. */
const EXIT_EARLY =
  'data:text/javascript,process.on("newListener",(name)=>{if(name==="beforeExit")process.exit()})';
/** Throws an uncaught error once the files have been read. */
const THROW_LATE = `data:text/javascript,const write=process.stdout.write.bind(process.stdout);
process.stdout.write=(text,...rest)=>{
  if(String(text).startsWith("Dry run:"))queueMicrotask(()=>{throw new Error("late")});
  return write(text,...rest);
}`;

test('the action fails if the process ends before the step has a result', () => {
  const { status } = spawnSync(process.execPath, ['--import', EXIT_EARLY, BUNDLE], {
    env: { PATH: process.env.PATH },
  });
  expect(status).toBe(1);
});

test('the action fails after an uncaught error even if the step has succeeded', async () => {
  const workspace = await makeFolder();
  writeFileSync(join(workspace, 'report.json'), '{"SchemaVersion":2,"Results":[]}');
  const { status, stdout } = spawnSync(process.execPath, ['--import', THROW_LATE, BUNDLE], {
    env: {
      PATH: process.env.PATH,
      GITHUB_WORKSPACE: workspace,
      'INPUT_BASE-URL': 'http://127.0.0.1:9',
      'INPUT_SCAN-KEY': '3fa85f64-5717-4562-b3fc-2c963f66afa6',
      'INPUT_SCAN-FILE': 'report.json',
      INPUT_TOKEN: 'a-token-of-a-test',
      'INPUT_DRY-RUN': 'true',
    },
    encoding: 'utf8',
  });
  expect(stdout).toContain('::error title=Scan upload failed unexpectedly::late');
  expect(status).toBe(1);
});
