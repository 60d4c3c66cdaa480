import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { findElements, renderMarkdown } from '../../support/github-markdown.ts';
import { makeFolder, MIB, REPORT } from '../../support/workspace.ts';
import { ACCEPTED, NOT_SENT, UNUSABLE, afterPart, makeLarge } from '../harness/case.ts';
import type { FaultCase } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';
import { MARKER } from '../harness/secrets.ts';

/** A time of whole seconds, which can be put back exactly. */
const TIME = 1_000_000_000;

/** A file that changes while it is being sent; `__tests__/service/body.test.ts` has more changes. */
runCases([
  {
    name: 'the file is overwritten while it is being sent, with its modification time put back',
    transport: 'https',
    // Inspected whole, and still larger than the buffers of a connection.
    files: makeLarge(16),
    prepare: ({ path }) => utimesSync(path('scan.json'), TIME, TIME),
    serve: afterPart(async (peer, { path }) => {
      peer.socket.pause();
      // In place, as `rsync --inplace -t` does, and bytes that are not sent yet.
      const file = openSync(path('scan.json'), 'r+');
      writeSync(file, 'y', 15 * MIB);
      closeSync(file);
      utimesSync(path('scan.json'), TIME, TIME);
      peer.socket.resume();
      await peer.readUpload();
      peer.reply(200);
    }),
    expected: { ...NOT_SENT, reason: 'files' },
  },
]);

/** A path that cannot be sent: it ends the step before anything is connected. */
function unusable(
  name: string,
  prepare: NonNullable<FaultCase['prepare']>,
  input: Readonly<Record<string, string>> = { 'scan-file': 'bad.json' },
): FaultCase {
  return { name, posixOnly: true, prepare, inputs: () => input, expected: UNUSABLE };
}

/** Paths that are not readable files, and hostile files in a pull request. */
runCases([
  // The administrator of a machine can read every file.
  ...[
    unusable('a file that may not be read', ({ path }) =>
      writeFileSync(path('bad.json'), REPORT, { mode: 0 }),
    ),
  ].filter(() => process.getuid?.() !== 0),
  unusable(
    'a directory with the name of the token, which has no files',
    ({ path, secrets }) => mkdirSync(path(`${secrets.token.cores.join('')}.json`)),
    { 'scan-file': '*.json/*' },
  ),
  unusable('a FIFO that nobody writes to', (scene) => {
    execFileSync('mkfifo', [scene.path('bad.json')]);
  }),
  unusable(
    'a linked directory outside the workspace, found by a pattern',
    async (scene) => {
      const outside = await makeFolder({ 'secret.json': REPORT }, scene.scope);
      symlinkSync(outside, scene.path('linked'));
    },
    { files: 'linked/**/*.json' },
  ),
]);

/** They stand for themselves below a directory that is named, so that no pattern has to spell them. */
const REFUSED = `scan\r\nContent-Type: ${MARKER}\n::error::${MARKER}:\u200b:error::\u2028##[error]\u001b[31m\u202enosj`;
const SENT = [
  `x"; filename="${MARKER} %0d%0a;name=ScanKey.json`,
  `::set-output name=${MARKER}::größe-扫描-🔍 ##[error]|<img src=x>![${MARKER}](x)|${'n'.repeat(120)}`,
];

/** Names that could end a header or start a command. */
runCases(
  [REFUSED, ...SENT].map((name) => ({
    name: `a file with the name ${JSON.stringify(name).slice(0, 70)}`,
    posixOnly: true,
    files: () => ({ [`scans/${name}`]: REPORT }),
    inputs: () => ({ 'scan-file': 'scans' }),
    expected: SENT.includes(name) ? ACCEPTED : UNUSABLE,
    check: (_scene, { summary }) =>
      findElements(renderMarkdown(summary), 'img', 'a', '<').map(
        (element) => `markup of the name in the summary: ${element.name}`,
      ),
  })),
);
