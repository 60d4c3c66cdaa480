import { BlockList } from 'node:net';
import { checkBypass } from '@actions/http-client/lib/proxy';
import { InputError } from '../errors.ts';
import { nameHost } from '../service/operations.ts';
import type { Proxy } from '../service/settings.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Finds the proxy for `url` as the toolkit does, and checks it. The toolkit ignores a value that it
 * cannot parse, and speaks HTTP to a SOCKS proxy. Here `host:port` is read as `http://host:port`, as
 * curl does, and every other such value is an error. Returns undefined if no proxy applies (unset or
 * blank, `no_proxy`, loopback). Throws an InputError.
 */
export function findProxy(url: URL): Proxy | undefined {
  const lower = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const name = [lower, lower.toUpperCase()].find((variable) => readVariable(variable) !== '');
  if (name === undefined || checkBypass(url) || isListed(url)) return undefined;
  const proxy = parseProxy(name, readVariable(name));
  return { url: new URL(proxy.origin), authorization: readCredentials(proxy) };
}

function readVariable(name: string): string {
  return (process.env[name] ?? '').trim();
}

/** Whether `no_proxy` has the host as the toolkit does not read it, but Go does: `*.a.example`, or a range of addresses. */
function isListed(url: URL): boolean {
  const list = readVariable('no_proxy') || readVariable('NO_PROXY');
  return list.split(',').some((each) => {
    const entry = each.trim().toLowerCase();
    if (!entry.startsWith('*.')) return isInRange(url, entry);
    return [url.hostname, nameHost(url)].some((host) => host.endsWith(entry.slice(1)));
  });
}

/** Whether `range`, such as `10.0.0.0/8`, has the address of `url`. No name is looked up. */
function isInRange({ hostname }: URL, range: string): boolean {
  const [network = '', prefix = ''] = range.split('/');
  const family = network.includes(':') ? 'ipv6' : 'ipv4';
  const block = new BlockList();
  try {
    block.addSubnet(network, Number.parseInt(prefix, 10), family);
  } catch {
    // It is no range, but for example a name.
    return false;
  }
  return block.check(hostname.replaceAll(/[[\]]/g, ''), family);
}

/** Parses a value as curl does: without a scheme it is `host:port` of an http proxy. */
function parseProxy(name: string, value: string): URL {
  const variable = `The environment variable ${name}`;
  // Otherwise a part of the password would become the host, which messages show.
  if (/[/?#\\].*@/.test(value.replace(SCHEME, ''))) {
    throw new InputError(
      `${variable} has a password that is not percent-encoded: write @ as %40, # as %23, / as %2F, ? as %3F.`,
    );
  }
  const proxy = URL.parse(SCHEME.test(value) ? value : `http://${value}`);
  if (proxy !== null && !/^https?:$/.test(proxy.protocol)) {
    throw new InputError(
      `${variable} names a ${proxy.protocol}// proxy: only http:// and https:// proxies are supported.`,
    );
  }
  if (proxy === null || `${proxy.pathname}${proxy.search}${proxy.hash}` !== '/') {
    throw new InputError(`${variable} must be http://HOST:PORT; PAC files are not read.`);
  }
  return proxy;
}

/** User name and password are percent-encoded in a URL, and sent as they were before that. */
function readCredentials({ username, password }: URL): Proxy['authorization'] {
  if (username === '' && password === '') return undefined;
  try {
    const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    return `Basic ${pair.toString('base64')}`;
  } catch {
    throw new InputError(
      "The proxy's user name or password is not percent-encoded correctly: write % as %25.",
    );
  }
}
