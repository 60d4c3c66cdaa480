import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const BUNDLE = fileURLToPath(new URL('../dist/index.js', import.meta.url));
/** Ends the process, without naming an exit code, as soon as the action listens to its end. */
const EXIT_EARLY =
  'data:text/javascript,process.on("newListener",(name)=>{if(name==="beforeExit")process.exit()})';

test('a process that ends before the step has a result fails', () => {
  const { status } = spawnSync(process.execPath, ['--import', EXIT_EARLY, BUNDLE], {
    env: { PATH: process.env.PATH },
  });
  expect(status).toBe(1);
});
