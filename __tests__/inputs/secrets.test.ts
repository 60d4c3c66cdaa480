import { describe, expect, test } from '@jest/globals';
import { listLateSecrets, listPublic, readSecrets } from '../../src/inputs/secrets.ts';
import { chooseSelection } from '../../src/inputs/selection.ts';
import { setEnvironment } from '../support/environment.ts';
import { isolateEnvironment, setInputs } from '../support/inputs.ts';

isolateEnvironment();

type Given = Readonly<Partial<Record<'token' | 'prefix' | 'headers' | 'key', string>>>;

function listSecrets({ token = '', prefix = '', headers = '', key = '' }: Given) {
  setInputs({ token, 'token-prefix': prefix, headers, 'client-key': key });
  return readSecrets();
}

const [BEGIN, END] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
const KEY = `${BEGIN}\nMIGHAgEAMBMG\n  ByqGSM49AgEG \nshort\n${END}\n`;
const LINES = ['MIGHAgEAMBMG', 'ByqGSM49AgEG'];
const MASKED_NAMES =
  'Authorization Proxy-Authorization X-Auth Cookie PRIVATE-TOKEN X-Api-Key client-secret X-Password X-Pass X-Credential X-JWT-Assertion X-Session X-Signature-256 Idempotency-Key-2 Ocp-Apim-Subscription-Key';
const HIDDEN_NAMES =
  'X-ApiKey x_api_key X-AuthToken Authentication X-ClientSecret X-Passwd X-Pwd X-Credentials X-JwtAssertion X-SessionId X-Sig X-HMACSIGNATURE X-Cookies X-Tokens X-Author X-Keyboard';
const PLAIN_NAMES = 'X-Repo X-Project X-Passport Idempotency-Key idempotency-key Accept';

describe('the secrets that are masked', () => {
  test.each(MASKED_NAMES.split(' '))('include the value of the header %s', (name) => {
    expect(listSecrets({ headers: ` ${name} : 12345678` }).masked).toEqual(['12345678']);
    expect(listSecrets({ headers: `${name}: 1234567` }).masked).toEqual([]);
  });

  test.each(`${HIDDEN_NAMES} ${PLAIN_NAMES}`.split(' '))('do not include that of %s', (name) => {
    expect(listSecrets({ headers: `${name}: a-secret-value` }).masked).toEqual([]);
  });

  test.each<[string, Given, ...string[]]>([
    ['nothing for blank texts', { token: ' \n\t', headers: '\n \r\n', key: '  ' }],
    ['a token of any length', { token: ' t \n' }, 't'],
    ['long lines of a token', { token: '{\r\n\nfirst-1\rsecond-2\n}' }, 'second-2'],
    ['no header line without a colon', { headers: 'no-colon-of-a-token' }],
    ['the lines of a key between its markers', { key: KEY }, ...LINES],
    ['no part of a truncated last line', { key: KEY.replace(/-*\n$/, '') }, ...LINES],
    ['a key without line breaks', { key: `${BEGIN}\\nMIGHAgE\\n${END}` }, '\\nMIGHAgE\\n'],
    ['no path of a key file', { key: '/run/secrets/client-key.pem' }],
    ['a key in Base64', { key: LINES.join('\n') }, ...LINES],
    ['each secret once', { token: 'same-one', headers: 'X-Key: same-one' }, 'same-one'],
  ])('include %s', (_, given, ...masked) => {
    expect(listSecrets(given).masked).toEqual(masked);
  });

  test.each([
    ['X-Key', 'Basic dXNlcg==', 'dXNlcg=='],
    ['X-Key', 'Basic abc'],
    ['cookie', 'a=first-one; b="second-one";c=short', 'first-one', 'second-one'],
    ['Cookie ', 'a= x"first" ; b="second"x', 'x"first"', '"second"x'],
    ['X-Cookie', 'a=first-one; b'],
    ['Cookie-2', 'a=first-one; b'],
  ])('include of the header %s: %s the value, and %s', (name, value, ...parts) => {
    expect(listSecrets({ headers: `${name}: ${value}` }).masked).toEqual([value, ...parts]);
  });
});

describe('the texts that may be secrets', () => {
  const VALUE = 'sup3rs3cr3t';
  const BASIC = Buffer.from(`user:${VALUE}`).toString('base64');

  test.each<[string, Given]>([
    ['a token after its scheme', { token: `Bearer ${VALUE}` }],
    ['a cookie as the token', { token: `session=${VALUE}` }],
    ['the end of a Sanctum token', { token: `1|${VALUE}` }],
    ['a quoted value', { headers: `Authorization: Token token="${VALUE}", user=x` }],
    ['a value that is not last', { headers: `Authorization: ApiKey ${VALUE} v=1` }],
    ['a list', { headers: `X-Auth: id=${VALUE}; v=1` }],
    ['a prefix', { prefix: `ApiKey key=${VALUE}` }],
    ['a Basic token', { token: BASIC, prefix: 'Basic' }],
    ['a Basic token with its scheme', { token: `basic  ${BASIC}` }],
    ['a Basic token without a user', { token: btoa(`:${VALUE}`), prefix: 'Basic' }],
    ['a header line without a colon', { headers: VALUE }],
    ['a Basic header', { headers: `X-Auth: Basic ${BASIC}\r\nX-B: other` }],
    ['the parameters of a URL', { headers: `X-Auth: Shared sr=x&sig=${VALUE}&se=1` }],
  ])('include the secret of %s', (_, given) => {
    expect(listSecrets({ token: 'short', ...given }).possible).toContain(VALUE);
  });

  test.each(HIDDEN_NAMES.split(' '))('include the value of %s and its parts', (name) => {
    const headers = `${name}: id=${VALUE}; v=1`;
    expect(listSecrets({ headers }).possible).toEqual([`id=${VALUE}; v=1`, VALUE]);
  });

  test.each(PLAIN_NAMES.split(' '))('do not include the value of %s', (name) => {
    expect(listSecrets({ headers: ` ${name} : ${VALUE}` }).possible).toEqual([]);
  });

  test.each(['aaaaaaa=bbbbbbb', 'aaa,bbb;ccc ddd', '=a=b c,d'])('include %j in quotes', (text) => {
    expect(listSecrets({ token: `Token token="${text}"` }).possible).toContain(text);
    expect(listSecrets({ headers: `X-Auth: Token a="b", token="${text}"` }).possible).toContain(
      text,
    );
  });

  test('include a Basic credential encoded and decoded, in UTF-8 and Latin-1', () => {
    const { possible } = listSecrets({ headers: `X-Auth: Basic ${BASIC}` });
    const forms = [`user:${VALUE}`, BASIC.replace(/=+$/, ''), `Basic ${BASIC}`];
    expect(possible).toEqual(expect.arrayContaining(forms));
    for (const encoding of ['utf8', 'latin1'] as const) {
      const token = Buffer.from('m\u00fcller:p\u00e4ssw\u00f6rter', encoding).toString('base64');
      expect(listSecrets({ token, prefix: 'Basic' }).possible).toContain('p\u00e4ssw\u00f6rter');
    }
    expect(listSecrets({ headers: `X-Auth: Basic ${BASIC}` }).hidden).toEqual([
      `user:${VALUE}`,
      VALUE,
    ]);
    const text = btoa('without a colon');
    expect(listSecrets({ headers: `X-Auth: Basic ${text}` }).possible).toEqual([
      `Basic ${text}`,
      text,
    ]);
  });

  test.each<Given>([
    { token: '1234567', prefix: 'SharedKeyLite' },
    { headers: 'Cookie: JSESSIONID=1' },
    { headers: 'X-Signature: algorithm="a", signature="b"' },
    { token: 'a b=c;d', headers: 'X-A: true\nX-B: 1, 2' },
  ])('include no names and no short values: %j', (given) => {
    const { possible } = listSecrets(given);
    expect(possible.filter((part) => /^[a-z]+$/i.test(part))).toEqual([]);
  });
});

describe('the secrets that are only removed from texts', () => {
  test('include a key of several lines as one', () => {
    expect(listSecrets({ key: KEY }).hidden).toEqual(['MIGHAgEAMBMGByqGSM49AgEG']);
  });

  test('include those of environment variables, even if these are invalid', () => {
    setEnvironment({
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
      https_proxy: 'htp//a:first@pass@b:x',
      HTTP_PROXY: 'http://a:abc@b',
    });
    expect(listSecrets({}).hidden).toEqual(['request-token', 'first@pass']);
  });

  test('are not in what is public', () => {
    const selection = chooseSelection((input) => (input === 'files' ? 'a/*.json' : ''));
    const scans = [{ label: 'image', name: 'image', scanKey: undefined, selection }];
    const given = { baseUrl: new URL('https://a.example/api'), scans, proxy: undefined };
    const proxy = { url: new URL('http://p.example:8080'), authorization: 'x', secrets: ['y'] };
    const address = expect.stringMatching(/^https:\/\/a\.example\/api\/./);
    const shown = ['/w', address, address, 'image', 'a/*.json'];
    expect(listPublic('/w', given)).toEqual(shown);
    const without = { baseUrl: undefined, scans: [], proxy };
    expect(listPublic('/w', without)).toEqual(['/w', 'p.example:8080']);
  });
});

describe('the secrets of environment variables', () => {
  const url = new URL('http://a.example');
  const proxy = (...secrets: readonly string[]) => ({ url, authorization: 'x', secrets });

  test('are the passwords of proxies by their length, and the token that requests OIDC tokens', () => {
    const none = { masked: [], hidden: [], possible: [] };
    expect(listLateSecrets({ kind: 'none' }, undefined)).toEqual(none);
    const source = { url, token: 'request', proxy: proxy('12345678') };
    const oidc = { kind: 'oidc', header: '', prefix: '', audience: '', source } as const;
    expect(listLateSecrets(oidc, proxy('123', '1234', '1234567'))).toEqual({
      ...none,
      masked: ['request', '12345678'],
      hidden: ['1234', '1234567', '12345678'],
    });
  });
});
