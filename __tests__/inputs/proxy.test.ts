import { describe, expect, test } from '@jest/globals';
import { settleProxy } from '../../src/inputs/proxy.ts';
import { describePosix } from '../support/files.ts';
import { SECRET, catchProblems, isolateEnvironment } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';

isolateEnvironment();

const SERVICE = new URL('https://service.example/tenant');
const PLAIN_SERVICE = new URL('http://service.example');

function setEnvironment(variables: Texts): void {
  Object.assign(process.env, variables);
}

describe('settleProxy', () => {
  test.each([
    ['proxy.example:3128', 'http://proxy.example:3128/'],
    ['https://proxy.example', 'https://proxy.example/'],
    ['HTTP://Proxy.Example:80', 'http://proxy.example/'],
    ['  127.0.0.1:3128\n', 'http://127.0.0.1:3128/'],
    ['[::1]:3128', 'http://[::1]:3128/'],
    ['proxyhost', 'http://proxyhost/'],
    ['proxy.example:3128/', 'http://proxy.example:3128/'],
  ])('reads %j like curl, and leaves the variable as it is', (value, href) => {
    setEnvironment({ https_proxy: value });
    const none = { authorization: undefined, secrets: [] };
    expect(settleProxy(SERVICE)).toEqual({ url: new URL(href), ...none });
    expect(process.env.https_proxy).toBe(value);
  });

  test.each([
    ['http://user:p%40ss@proxy.example:3128', 'user:p@ss', ['p%40ss', 'p@ss']],
    ['user:p@ss@proxy.example:3128', 'user:p@ss', ['p%40ss', 'p@ss']],
    ['http://us%2540er:p%2540ss@proxy.example:3128', 'us%40er:p%40ss', ['p%2540ss', 'p%40ss']],
    ['http://:p%C3%A4ss@proxy.example:3128', ':p\u00e4ss', ['p%C3%A4ss', 'p\u00e4ss']],
    ['http://user@proxy.example:3128', 'user:', []],
  ])(
    'decodes the credentials of %s once, and leaves them out of the URL',
    (value, pair, secrets) => {
      setEnvironment({ https_proxy: value });
      const url = new URL('http://proxy.example:3128');
      const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
      expect(settleProxy(SERVICE)).toEqual({ url, authorization, secrets });
    },
  );

  test.each([
    ['https', SERVICE, 'https_proxy'],
    ['https', SERVICE, 'HTTPS_PROXY'],
    ['http', PLAIN_SERVICE, 'http_proxy'],
    ['http', PLAIN_SERVICE, 'HTTP_PROXY'],
  ])('reads the proxy for %s (%s) from %s', (_, url, name) => {
    setEnvironment({ [name]: 'proxy.example:1' });
    expect(settleProxy(url)?.url.host).toBe('proxy.example:1');
  });

  test.each<[string, URL, Texts]>([
    ['no variable', SERVICE, {}],
    ['an empty variable', SERVICE, { https_proxy: '' }],
    ['a blank variable', SERVICE, { https_proxy: ' \n' }],
    ['a variable for http only', SERVICE, { http_proxy: 'proxy:1' }],
    ['a variable for https only', PLAIN_SERVICE, { https_proxy: 'proxy:1' }],
    ['no_proxy with the host', SERVICE, { https_proxy: 'proxy:1', no_proxy: 'service.example' }],
    ['NO_PROXY in upper case', SERVICE, { https_proxy: 'proxy:1', NO_PROXY: 'SERVICE.example' }],
    ['no_proxy with its domain', SERVICE, { https_proxy: 'proxy:1', no_proxy: 'a, .example' }],
    [
      'no_proxy with its port',
      SERVICE,
      { https_proxy: 'proxy:1', no_proxy: 'service.example:443' },
    ],
    ['loopback by name', new URL('https://localhost'), { https_proxy: 'proxy:1' }],
    ['loopback in IPv6', new URL('http://[::1]'), { http_proxy: 'proxy:1' }],
    [
      'an invalid variable that no_proxy bypasses',
      SERVICE,
      { https_proxy: 'socks5://p', no_proxy: '*' },
    ],
  ])('uses no proxy with %s', (_, url, variables) => {
    setEnvironment(variables);
    expect(settleProxy(url)).toBeUndefined();
    expect(process.env).toMatchObject(variables);
  });

  test.each([
    ['http://', /^The environment variable https_proxy is not a proxy's URL or host:port\.$/],
    ['://', /is not a proxy's URL/],
    ['http://proxy:99999', /is not a proxy's URL/],
    ['http:proxy:3128', /is not a proxy's URL/],
    ['http:/proxy:3128/http://', /is not a proxy's URL/],
    ['proxy:3128/path', /is not a proxy's URL/],
    [`http://user:${SECRET}@`, /is not a proxy's URL/],
    [`user:${SECRET}@proxy:port`, /is not a proxy's URL/],
    [
      'socks5://proxy:1080',
      /^The environment variable https_proxy names a socks5:\/\/ proxy: only http:\/\/ and https/,
    ],
    ['SOCKS5H://proxy:1080', /names a socks5h:\/\/ proxy/],
    [`socks4://user:${SECRET}@proxy`, /names a socks4:\/\/ proxy/],
    ['socks5://', /is not a proxy's URL/],
    ['ftp://proxy', /names a ftp:\/\/ proxy/],
    [`http://user:${SECRET}%zz@proxy:1`, /not percent-encoded correctly/],
    [`http://us%zzer:${SECRET}@proxy:1`, /not percent-encoded correctly/],
  ])('refuses %s', (value, message) => {
    setEnvironment({ https_proxy: value });
    expect(catchProblems(() => settleProxy(SERVICE))).toEqual([expect.stringMatching(message)]);
  });
});

// On Windows the names of environment variables are not case-sensitive.
describePosix('settleProxy where variable names are case-sensitive', () => {
  test('prefers the variable in lower case unless it is blank', () => {
    setEnvironment({ https_proxy: 'lower:1', HTTPS_PROXY: 'upper:2' });
    expect(settleProxy(SERVICE)?.url.host).toBe('lower:1');
    expect(process.env.HTTPS_PROXY).toBe('upper:2');
    for (const blank of ['', ' ']) {
      setEnvironment({ https_proxy: blank });
      expect(settleProxy(SERVICE)?.url.host).toBe('upper:2');
    }
  });
});
