import { describe, expect, test } from '@jest/globals';
import { findProxy } from '../../src/inputs/proxy.ts';
import { describePosix } from '../support/files.ts';
import { SECRET, catchProblems, isolateEnvironment } from '../support/inputs.ts';
import type { Texts } from '../support/inputs.ts';

isolateEnvironment();

const SERVICE = new URL('https://service.example/tenant');
const PLAIN = new URL('http://service.example');

function settle(variables: Texts, url = SERVICE): ReturnType<typeof findProxy> {
  Object.assign(process.env, variables);
  return findProxy(url);
}

describe('findProxy', () => {
  test.each([
    ['proxy.example:3128', 'http://proxy.example:3128/'],
    ['https://proxy.example', 'https://proxy.example/'],
    ['HTTP://Proxy.Example:80', 'http://proxy.example/'],
    ['  127.0.0.1:3128\n', 'http://127.0.0.1:3128/'],
    ['[::1]:3128', 'http://[::1]:3128/'],
    ['proxyhost', 'http://proxyhost/'],
    ['proxy.example:3128/', 'http://proxy.example:3128/'],
  ])('reads %j like curl, and leaves the variable as it is', (value, href) => {
    expect(settle({ https_proxy: value })).toEqual({ url: new URL(href) });
    expect(process.env.https_proxy).toBe(value);
  });

  test.each([
    ['http://user:p%40ss@', 'user:p@ss'],
    ['user:p@ss@', 'user:p@ss'],
    ['http://us%2540er:p%2540ss@', 'us%40er:p%40ss'],
    ['http://:p%C3%A4ss@', ':p\u00e4ss'],
    ['http://user@', 'user:'],
  ])('decodes the credentials of %s once, and leaves them out of the URL', (value, pair) => {
    expect(settle({ https_proxy: `${value}proxy.example:3128` })).toEqual({
      url: new URL('http://proxy.example:3128'),
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
    });
  });

  test.each([
    ['https_proxy', SERVICE],
    ['HTTPS_PROXY', SERVICE],
    ['http_proxy', PLAIN],
    ['HTTP_PROXY', PLAIN],
  ])('reads %s for %s', (name, url) => {
    expect(settle({ [name]: 'proxy.example:1' }, url)?.url.host).toBe('proxy.example:1');
  });

  test.each<[Texts, URL]>([
    [{}, SERVICE],
    [{ https_proxy: '' }, SERVICE],
    [{ https_proxy: ' \n' }, SERVICE],
    [{ http_proxy: 'proxy:1' }, SERVICE],
    [{ https_proxy: 'proxy:1' }, PLAIN],
    [{ https_proxy: 'proxy:1', no_proxy: 'service.example' }, SERVICE],
    [{ https_proxy: 'proxy:1', NO_PROXY: 'SERVICE.example' }, SERVICE],
    [{ https_proxy: 'proxy:1', no_proxy: 'a, .example' }, SERVICE],
    [{ https_proxy: 'proxy:1', no_proxy: 'service.example:443' }, SERVICE],
    [{ https_proxy: 'proxy:1' }, new URL('https://localhost')],
    [{ http_proxy: 'proxy:1' }, new URL('http://[::1]')],
    [{ https_proxy: 'proxy:1', no_proxy: 'a, *.Example' }, SERVICE],
    [{ https_proxy: 'proxy:1', NO_PROXY: '*.example:443' }, SERVICE],
    [{ https_proxy: 'proxy:1', no_proxy: 'a/8,10.0.0.0/8' }, new URL('https://10.1.2.3:8443')],
    [{ http_proxy: 'proxy:1', no_proxy: 'fd00::/8' }, new URL('http://[fd00:1::2]')],
    // An invalid variable does not matter if it is not used.
    [{ https_proxy: 'socks5://p', no_proxy: '*' }, SERVICE],
  ])('uses no proxy with row %#: %j', (variables, url) => {
    expect(settle(variables, url)).toBeUndefined();
  });

  test.each([
    ['*.service.example', SERVICE],
    ['*.example:8443', SERVICE],
    ['*service.example', SERVICE],
    ['10.0.0.0/8', new URL('https://11.0.0.1')],
    ['10.0.0.0/8', new URL('https://10.example')],
    ['10.0.0.0/8', new URL('https://[fd00::1]')],
    ['10.0.0.0/', new URL('https://10.0.0.1')],
    ['10.0.0.0/33', new URL('https://10.0.0.0')],
  ])('uses the proxy if no_proxy is %s and the address %s', (no_proxy, url) => {
    expect(settle({ https_proxy: 'proxy.example:1', no_proxy }, url)?.url.port).toBe('1');
  });

  const NO_URL = 'must be http://HOST:PORT; PAC files are not read.';
  test.each([
    ['http://', NO_URL],
    ['://', NO_URL],
    ['http://proxy:99999', NO_URL],
    ['http:proxy:3128', NO_URL],
    ['http:/proxy:3128/http://', NO_URL],
    ['proxy:3128/path', NO_URL],
    ['proxy:3128?a', NO_URL],
    ['http://wpad.corp.test/proxy.pac', NO_URL],
    ['http://proxy:3128/#a', NO_URL],
    [`http://user:${SECRET}@`, NO_URL],
    [`user:${SECRET}@proxy:port`, NO_URL],
    ['socks5://', 'names a socks5:// proxy: only'],
    [
      'SOCKS5H://proxy:1080',
      'names a socks5h:// proxy: only http:// and https:// proxies are supported.',
    ],
    [`socks4://user:${SECRET}@proxy`, 'names a socks4:// proxy: only'],
    ['ftp://proxy', 'names a ftp:// proxy: only'],
    ['git+ssh://proxy', 'names a git+ssh:// proxy: only'],
  ])('refuses %s', (value, problem) => {
    expect(catchProblems(() => settle({ https_proxy: value }))).toEqual([
      expect.stringContaining(`The environment variable https_proxy ${problem}`),
    ]);
  });

  test.each([
    'http://u:a#b@proxy:1',
    'u:a@b#c@proxy',
    'HTTPS://u:a/b@proxy:1',
    'http://u:a?b@proxy',
    'http://u:a\\b@proxy',
  ])('refuses %s, of which a part of the password would be the host', (value) => {
    expect(catchProblems(() => settle({ https_proxy: value }))).toEqual([
      'The environment variable https_proxy has a password that is not percent-encoded: write @ as %40, # as %23, / as %2F, ? as %3F.',
    ]);
  });

  test.each([`user:${SECRET}%zz`, `us%zzer:${SECRET}`])('refuses the credentials %s', (pair) => {
    expect(catchProblems(() => settle({ https_proxy: `http://${pair}@proxy:1` }))).toEqual([
      "The proxy's user name or password is not percent-encoded correctly: write % as %25.",
    ]);
  });
});

// On Windows the names of environment variables are not case-sensitive.
describePosix('findProxy where variable names are case-sensitive', () => {
  test.each([
    ['lower:1', 'lower:1'],
    ['', 'upper:2'],
    [' ', 'upper:2'],
  ])('prefers the variable in lower case unless it is blank: %j', (lower, host) => {
    expect(settle({ https_proxy: lower, HTTPS_PROXY: 'upper:2' })?.url.host).toBe(host);
  });
});
