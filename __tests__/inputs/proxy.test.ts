import { describe, expect, test } from '@jest/globals';
import { findProxy } from '../../src/inputs/proxy.ts';
import { describePosix } from '../support/files.ts';
import { SECRET, catchTexts, isolateEnvironment } from '../support/inputs.ts';
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
    ['HTTPS://proxy.example', 'https://proxy.example/'],
    ['  127.0.0.1:3128\n', 'http://127.0.0.1:3128/'],
    ['[::1]:3128', 'http://[::1]:3128/'],
  ])('reads %j like curl, and leaves the variable as it is', (value, href) => {
    expect(settle({ https_proxy: value })).toMatchObject({
      url: new URL(href),
      authorization: undefined,
    });
    expect(process.env.https_proxy).toBe(value);
  });

  test.each([
    ['https://service.example', true],
    ['a, Service.example/tenant', true],
    ['https://other.example', false],
    ['other.example', false],
  ])('says whether no_proxy excepts the host in vain: %s', (no_proxy, isMisspelledException) => {
    const proxy = settle({ https_proxy: 'http://proxy.example', no_proxy });
    expect(proxy?.isMisspelledException).toBe(isMisspelledException);
  });

  test.each([
    ['http://user:p%40ss@', 'user:p@ss'],
    ['http://us%2540er:p%2540ss@', 'us%40er:p%40ss'],
    ['http://user:50%off@', 'user:50%off'],
    ['http://user@', 'user:'],
  ])('decodes the credentials of %s once, and leaves them out of the URL', (value, pair) => {
    expect(settle({ https_proxy: `${value}proxy.example:3128` })).toMatchObject({
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
    [{ https_proxy: ' \n' }, SERVICE],
    [{ http_proxy: 'proxy:1' }, SERVICE],
    [{ https_proxy: 'proxy:1' }, PLAIN],
    [{ https_proxy: 'proxy:1', no_proxy: 'service.example' }, SERVICE],
    [{ https_proxy: 'proxy:1' }, new URL('https://localhost')],
    [{ https_proxy: 'proxy:1', no_proxy: 'a, *.Example' }, SERVICE],
    [{ https_proxy: 'proxy:1', no_proxy: 'a/8,10.0.0.0/8' }, new URL('https://10.1.2.3:8443')],
    [{ http_proxy: 'proxy:1', no_proxy: 'fd00::/8' }, new URL('http://[fd00:1::2]')],
    [{ https_proxy: 'proxy:1', no_proxy: 'a, FD00:0::2' }, new URL('https://[fd00::2]')],
    [{ https_proxy: 'proxy:1', no_proxy: '[fd00:0::2]' }, new URL('https://[fd00::2]:8443')],
    [{ https_proxy: 'proxy:1', no_proxy: '*.example.com' }, new URL('https://a.example.com:1')],
    // An invalid variable does not matter if it is not used.
    [{ https_proxy: 'socks5://p', no_proxy: '*' }, SERVICE],
  ])('uses no proxy with %j for %j', (variables, url) => {
    expect(settle(variables, url)).toBeUndefined();
  });

  test.each([
    ['*.service.example', SERVICE],
    ['*service.example', SERVICE],
    ['10.0.0.0/8', new URL('https://11.0.0.1')],
    ['10.0.0.0/', new URL('https://10.0.0.1')],
    ['fd00::2', new URL('https://[fd00::21]')],
    ['10.0.0.0/33', new URL('https://10.0.0.0')],
  ])('uses the proxy if no_proxy is %s and the address %s', (no_proxy, url) => {
    expect(settle({ https_proxy: 'proxy.example:1', no_proxy }, url)?.url.port).toBe('1');
  });

  test.each([
    'http://proxy:99999',
    'http://wpad.corp.test/proxy.pac',
    'proxy:3128?a',
    `user:${SECRET}@proxy:port`,
    'SOCKS5H://proxy:1080',
    // A part of the password would be the host.
    `http://${SECRET}:1#b@proxy:1`,
    `HTTPS://u:1/${SECRET}@proxy:1`,
  ])('refuses %s', async (value) => {
    expect(await catchTexts(() => settle({ https_proxy: value }))).toEqual([
      'The environment variable https_proxy must be http://HOST:PORT, without SOCKS or a path. In a password write / as %2F, ? as %3F, # as %23.',
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
