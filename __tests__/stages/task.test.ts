import { expect, test } from '@jest/globals';
import { makeTask } from '../../src/stages/task.ts';
import { setEnvironment } from '../support/environment.ts';
import { makePair } from '../support/inputs.ts';
import { makeEntries, makeStages } from '../support/stages.ts';

const NONE = {
  isSecure: false,
  proxyHost: undefined,
  hasOwnCa: false,
  hasClientCertificate: false,
  credentialKind: 'token',
  tokenExpiry: undefined,
  hasParts: false,
};
const JWT = `e30.${Buffer.from('{"exp":7}').toString('base64url')}.signature`;

test.each([
  [{}, NONE],
  [{ 'base-url': 'https://127.0.0.1:1' }, { ...NONE, isSecure: true }],
  [
    { 'base-url': 'http://a.example', 'allow-http': 'true' },
    { ...NONE, proxyHost: '127.0.0.1:1' },
  ],
  [{ token: JWT }, { ...NONE, tokenExpiry: 7000 }],
  ['ca', { ...NONE, hasOwnCa: true }],
  ['client', { ...NONE, hasClientCertificate: true }],
])('makeTask knows the settings on which the advice depends: %#', async (given, settings) => {
  const { cert, key } = await makePair('client');
  const pems = given === 'ca' ? { 'ca-cert': cert } : { 'client-cert': cert, 'client-key': key };
  const inputs = typeof given === 'string' ? pems : given;
  setEnvironment({ http_proxy: '127.0.0.1:1', no_proxy: undefined, NO_PROXY: undefined });
  const stages = await makeStages(makeEntries('a'), inputs);
  await stages.prepare();
  const [scan] = stages.prepared;
  if (scan?.result !== 'ready') throw new Error('The scan is not ready.');
  expect(makeTask(scan, [], stages.inputs)).toMatchObject({ settings });
});
