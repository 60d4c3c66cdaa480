import { describe, expect, test } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { readCredential } from '../../src/inputs/credential.ts';
import type { Credential } from '../../src/inputs/credential.ts';
import { SECRET, catchProblems, isolateEnvironment, setInputs } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';

isolateEnvironment();

function read(inputs: Texts): Credential {
  setInputs(inputs);
  return readCredential(() => new URL('https://host.example:8443/tenant'));
}

function refuseBaseUrl(): URL {
  throw new InputError('No base-url.');
}

describe('readCredential', () => {
  test.each<[Texts, Credential]>([
    [{ token: 'abc' }, { kind: 'token', header: 'Authorization', value: 'Bearer abc' }],
    [{ token: ' abc\n' }, { kind: 'token', header: 'Authorization', value: 'Bearer abc' }],
    [
      { token: 'abc', 'token-prefix': 'none', 'token-header': 'X-Key' },
      { kind: 'token', header: 'X-Key', value: 'abc' },
    ],
    [
      { token: 'abc', 'token-prefix': 'Token' },
      { kind: 'token', header: 'Authorization', value: 'Token abc' },
    ],
    [
      { token: 'abc', auth: '', 'token-prefix': '', 'token-header': '' },
      { kind: 'token', header: 'Authorization', value: 'Bearer abc' },
    ],
    [{ auth: 'none' }, { kind: 'none' }],
    [{ auth: 'none', token: 'abc' }, { kind: 'none' }],
    [
      { auth: 'oidc' },
      {
        kind: 'oidc',
        header: 'Authorization',
        prefix: 'Bearer ',
        audience: 'https://host.example:8443',
      },
    ],
    [
      { auth: 'oidc', 'oidc-audience': 'scans', 'token-prefix': 'none', 'token-header': 'X-Id' },
      { kind: 'oidc', header: 'X-Id', prefix: '', audience: 'scans' },
    ],
  ])('reads %j', (inputs, credential) => {
    expect(read(inputs)).toEqual(credential);
  });

  test('asks for the base URL only for the default audience', () => {
    setInputs({ auth: 'oidc', 'oidc-audience': 'scans' });
    expect(readCredential(refuseBaseUrl)).toMatchObject({ audience: 'scans' });
    setInputs({ 'oidc-audience': '' });
    expect(catchProblems(() => readCredential(refuseBaseUrl))).toEqual(['No base-url.']);
  });

  test.each<Texts>([{}, { token: '' }, { token: ' \n ' }])(
    'says where an empty token comes from: %j',
    (inputs) => {
      const [problem] = catchProblems(() => read(inputs));
      expect(problem).toMatch(/^token is empty\. .*forks.*Dependabot.*not set/);
      expect(problem).toMatch(/auth: none.*auth: oidc/);
    },
  );

  test.each<[Texts, RegExp]>([
    [{ auth: 'basic' }, /^auth must be one of token, oidc, none, not 'basic'\.$/],
    [{ auth: 'Token' }, /^auth must be one of/],
    [{ token: `${SECRET}\nX-Evil: 1` }, /^token has a line break or another character/],
    [{ token: `${SECRET}\r1` }, /^token has a line break/],
    [{ token: `${SECRET}\0` }, /^token has a line break or another character/],
    [{ token: `${SECRET}\u200b1` }, /^token has a line break or another character/],
    [{ token: SECRET, 'token-header': 'X Key' }, /^token-header is not a valid header name\.$/],
    [{ token: SECRET, 'token-header': 'Host' }, /^token-header must not be Host/],
    [{ auth: 'oidc', 'token-header': 'Content-Length' }, /^token-header must not be Content-L/],
    [{ token: SECRET, 'token-prefix': 'Bearer\nX-Evil: 1' }, /^token-prefix /],
    [{ token: SECRET, 'token-prefix': 'Bear\u0435r' }, /^token-prefix /],
    [{ auth: 'oidc', 'token-prefix': 'Bearer\r\nX-Evil: 1' }, /^token-prefix /],
  ])('refuses %j', (inputs, message) => {
    expect(catchProblems(() => read(inputs))).toEqual([expect.stringMatching(message)]);
  });

  test('names all that is wrong', () => {
    const inputs = { token: `${SECRET}\0`, 'token-header': 'Host', 'token-prefix': 'Bear\u0435r' };
    expect(catchProblems(() => read(inputs))).toEqual([
      expect.stringMatching(/^token-header must not be Host/),
      expect.stringMatching(/^token-prefix /),
      expect.stringMatching(/^token has a line break/),
    ]);
  });
});
