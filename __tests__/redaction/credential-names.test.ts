import { expect, test } from '@jest/globals';
import {
  isCredentialMember,
  isCredentialName,
  mayBeCredentialName,
} from '../../src/redaction/credential-names.ts';

const CREDENTIALS =
  'Authorization Proxy-Authorization X-Auth Cookie PRIVATE-TOKEN X-Api-Key client-secret X-Password X-Pass X-Credential X-JWT-Assertion X-Session X-Signature-256 X-Pwd X-Sig Idempotency-Key-2 Ocp-Apim-Subscription-Key';
const POSSIBLE =
  'X-ApiKey x_api_key X-AuthToken Authentication X-ClientSecret X-Passwd X-Passport X-Credentials X-JwtAssertion X-SessionId X-HMACSIGNATURE X-Cookies X-Tokens X-Author X-Keyboard';
const OTHERS = 'X-Repo X-Project Idempotency-Key idempotency-key Accept';

test.each([
  ['surely', CREDENTIALS, true, true],
  ['perhaps', POSSIBLE, false, true],
  ['not', OTHERS, false, false],
])('tells which names are %s of credentials', (_, names, isSure, isPossible) => {
  for (const name of names.split(' ')) {
    expect([name, isCredentialName(name)]).toEqual([name, isSure]);
    expect([name, mayBeCredentialName(name)]).toEqual([name, isPossible]);
  }
});

test.each([
  [
    true,
    'accessToken access_token ACCESS_TOKEN Api-Key apikey APIKey key keys privateKey sessionID passphrase pass cookies accesstoken secretkey sessionid passwordhash privatekey accesskey clientsecrets auth JWT hmacSignature projectKeyToken',
  ],
  [
    false,
    'scanKey scan_key ScanKey projectKey project-key idempotencyKey keywords passed author assignedTo monkey authors compass tokenizer signal design',
  ],
])('isCredentialMember says %s of %s', (expected, names) => {
  for (const name of names.split(' ')) {
    expect([name, isCredentialMember(name)]).toEqual([name, expected]);
  }
});
