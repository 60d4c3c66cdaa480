import { truncateSync, writeFileSync } from 'node:fs';
import { HOST } from '../../support/certificates.ts';
import { NOT_SENT, UNCONFIRMED, afterPart, afterUpload, large } from '../harness/case.ts';
import type { CaseScript, FaultCase } from '../harness/case.ts';
import { runCases } from '../harness/run-case.ts';

// In every phase in which a step can wait forever, a cancellation and the time limit end it.

const CANCELLED = { reason: 'cancelled', exitCode: 130 } as const;
/** More takes long to be parsed, which no signal interrupts. */
const INSPECTED_BYTES = 4 * 1024 ** 2;
const HUGE_BYTES = 16 * 1024 ** 3;

const cancel: CaseScript = (_peer, scene) => scene.cancel();

/** A step that is cancelled once it writes this line, unless one of its servers cancels it. */
function cancelled(name: string, rest: Partial<FaultCase>, line = /^held$/): FaultCase {
  return {
    name: `cancelled while ${name}`,
    posixOnly: true,
    onLine: (text, scene) => {
      if (line.test(text)) scene.cancel();
    },
    expected: { ...NOT_SENT, ...CANCELLED, attempts: name.includes('file') ? 0 : 1 },
    ...rest,
  };
}

/** A preloaded module holds the step in a phase, and writes `held`. */
function hold(what: string): { readonly env: NonNullable<FaultCase['env']> } {
  const preload = new URL('holding.preload.mjs', import.meta.url);
  return { env: () => ({ NODE_OPTIONS: `--import=${preload.href}`, HOLD: what }) };
}

runCases([
  cancelled('searching files', hold('search')),
  cancelled('searching files that may be meant', {
    ...hold('list'),
    inputs: () => ({ 'scan-file': 'missing.json' }),
  }),
  cancelled('opening a file', hold('open')),
  cancelled('inspecting a file', {
    ...hold('read'),
    prepare: ({ path }) => writeFileSync(path('scan.json'), `[${' '.repeat(INSPECTED_BYTES - 2)}]`),
  }),
  cancelled(
    'digesting a file in a dry run',
    {
      inputs: () => ({ 'dry-run': 'true', 'content-check': 'off' }),
      // It takes up no room.
      prepare: ({ path }) => truncateSync(path('scan.json'), HUGE_BYTES),
    },
    /^Operation: /,
  ),
  cancelled('resolving a name', {
    ...hold('name'),
    inputs: () => ({ 'base-url': `https://${HOST}` }),
  }),
  cancelled('sending', {
    files: large,
    serve: afterPart((peer, scene) => {
      peer.socket.pause();
      scene.cancel();
    }),
  }),
  cancelled('waiting for the response', {
    serve: afterUpload(cancel),
    expected: { ...UNCONFIRMED, ...CANCELLED },
  }),
  cancelled('reading the response', {
    ...hold('response'),
    serve: afterUpload((peer) => peer.send('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    expected: { ...UNCONFIRMED, ...CANCELLED, status: '200' },
  }),
]);

/** A file system that does not respond, until the time limit. */
runCases(
  (
    [
      ['the workspace', 'workspace', {}],
      ['the files of the client certificate', 'open', { 'client-cert': 'a', 'client-key': 'b' }],
    ] as const
  ).map(([name, what, inputs]) => ({
    ...hold(what),
    name: `the time limit ends a step that waits for ${name}`,
    inputs: () => ({ ...inputs, 'timeout-seconds': '1' }),
    expected: { ...NOT_SENT, reason: 'time-limit', attempts: 0 },
  })),
);
