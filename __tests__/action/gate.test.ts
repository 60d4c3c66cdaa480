import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { StepRun } from '../../local/step/index.ts';
import { HOST, makeCertificate } from '../support/certificates.ts';
import { openServer } from '../support/raw-server.ts';
import { listOutputTexts, makeWorkspace, runAction } from '../support/run-action.ts';

// Every foreign text holds the token in pieces of 8 characters, whole and encoded. Nothing that is written does.

const TOKEN = 'k7Xq2Wm9Rt4Yb8Nc3Vz6Hd1Js5Pf0LgU6e2Q';
const PIECES = TOKEN.match(/.{8}/g) ?? [];
const BASE64 = Buffer.from(`Bearer ${TOKEN}`).toString('base64');
const QUOTED = `"${PIECES.join('""')}"`;
/** As services, gateways and logs shorten, divide and encode a text. */
const FORMS: readonly string[] = [
  ...PIECES,
  `${TOKEN.slice(0, 13)}...${TOKEN.slice(-12)}`,
  PIECES.join('\n'),
  PIECES.join('<wbr>'),
  PIECES.join('\\n'),
  PIECES.join('=\n'),
  QUOTED,
  JSON.stringify(JSON.stringify(QUOTED)),
  TOKEN.replaceAll(/./g, (unit) => `&#${unit.codePointAt(0)};`),
  TOKEN.replaceAll(/./g, (unit) => `\\u00${unit.codePointAt(0)?.toString(16)}`),
  TOKEN.replaceAll(/./g, (unit) => `%${unit.codePointAt(0)?.toString(16)}`),
  TOKEN.toLowerCase(),
  BASE64,
  BASE64.replaceAll(/.{19}/g, '$&\r\n'),
  TOKEN,
];
const TEXT = FORMS.join(' , ');
const LINE = TEXT.replaceAll(/[\r\n]+/g, ' ');

/** The parts of the token that a run shows, in any of the forms that need no decoding. */
function findPieces(run: StepRun): readonly string[] {
  const written = run.stdout.replaceAll(/^::add-mask::.*$/gm, '');
  const shown = [written, run.log, run.summary, ...listOutputTexts(run)].join('\n');
  const spelled = [TOKEN, TOKEN.toLowerCase(), BASE64.slice(10, -4)];
  return spelled.flatMap((text) =>
    Array.from(text.slice(7), (_, start) => text.slice(start, start + 8)).filter((piece) =>
      shown.includes(piece),
    ),
  );
}

const BOM = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: PIECES[0],
  metadata: { tools: [{ name: TEXT, version: PIECES[1] }] },
  components: [],
});

const PROBLEM = {
  title: TEXT,
  detail: TEXT,
  traceId: PIECES[2],
  errors: { [LINE]: [TEXT] },
  [LINE]: TEXT,
};
const HEADERS = {
  Server: LINE,
  Via: LINE,
  'X-Request-Id': LINE,
  'WWW-Authenticate': `Bearer ${LINE}`,
};

test.concurrent.each([
  [400, { body: JSON.stringify(PROBLEM), headers: HEADERS }],
  [401, { body: `<html><p>${TEXT}</p>`, headers: HEADERS }],
  [302, { headers: { ...HEADERS, Location: `https://${PIECES[0]}.example/${PIECES.join('/')}` } }],
  [200, { body: `Stored. ${TEXT}`, headers: HEADERS }],
])('of files and a response (%i) with the token', async (status, reply) => {
  const { origin } = await openServer(async (peer) => {
    await peer.readUpload();
    peer.replyAsStranger(status, reply);
  });
  const names = [`a ${PIECES[0]}.json`, `${TOKEN}/b.json`, `${PIECES.join(' ')}.json`];
  const tree = Object.fromEntries(names.map((name) => [name, BOM]));
  const keys = names.map((_, index) => `3fa85f64-5717-4562-b3fc-2c963f66afa${index}`);
  const patterns = ['a *', '*/b.json', 'k7X* *.json'];
  const scans = patterns.map((files, index) => ({ 'scan-key': keys[index], 'scan-file': files }));
  const inputs = {
    'base-url': origin,
    retries: '0',
    scans: JSON.stringify(scans),
    token: TOKEN,
    'scan-key': '',
    'scan-file': '',
  };
  const run = await runAction(await makeWorkspace(tree), inputs, { env: { RUNNER_DEBUG: '1' } });
  expect(run.outputs['status-code']).toBe(String(status));
  expect(run.log).toContain('***');
  expect(findPieces(run)).toEqual([]);
});

test.concurrent('of paths that cannot be read', async () => {
  const workspace = await makeWorkspace({});
  mkdirSync(join(workspace, `${TOKEN}.json`));
  const inputs = { 'base-url': 'https://scan.example', token: TOKEN, 'scan-file': '*.json/*' };
  const run = await runAction(workspace, { ...inputs, files: '' });
  expect(run.exitCode).toBe(1);
  expect(findPieces(run)).toEqual([]);
});

test.concurrent('of a certificate for other names', async () => {
  const names = [`${PIECES[0]}.${PIECES[1]}.example`, `${TOKEN}.example`].join(',DNS:');
  const certificate = await makeCertificate(names);
  const { port } = await openServer(() => {}, certificate);
  const inputs = {
    'base-url': `https://${HOST}:${port}`,
    retries: '0',
    token: TOKEN,
    'ca-cert': certificate.cert,
  };
  const run = await runAction(await makeWorkspace(), inputs, { env: {} });
  expect(run.exitCode).toBe(1);
  expect(findPieces(run)).toEqual([]);
});

test.concurrent('of an environment with secrets, if the inputs are invalid', async () => {
  const inputs = { auth: LINE, retries: TOKEN, token: 'another-token' };
  const run = await runAction(await makeWorkspace(), inputs, {
    env: { https_proxy: `http://user:${TOKEN}@:x`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: BASE64 },
  });
  expect(run.exitCode).toBe(1);
  expect(run.log).toContain('***');
  expect(findPieces(run)).toEqual([]);
});

test.concurrent('but of the workspace what is in no token', async () => {
  const tree = { 'team2-scans-of-2026/bom.json': BOM };
  const inputs = {
    'dry-run': 'true',
    files: 'team2-scans-*/*.json',
    token: 'team2-scans-9f8e7d6c',
  };
  const run = await runAction(await makeWorkspace(tree), inputs, { env: {} });
  expect(run.log).toContain('team2-scans-of-2026/bom.json');
});
