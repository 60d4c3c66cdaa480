import { BlockList } from 'node:net';
import { unescape } from 'node:querystring';
import { checkBypass } from '@actions/http-client/lib/proxy';
import { InputError } from '../errors.ts';
import type { Proxy } from '../service/tunnel.ts';
import { hidePassword } from './secrets.ts';

/**
 * Finds the proxy for a URL as the toolkit does; undefined if there is none, or not for this host (`no_proxy`,
 * loopback). Throws an InputError for a value that cannot be parsed, which the toolkit ignores, and for a SOCKS proxy,
 * to which the toolkit would speak HTTP.
 */
export function findProxy(url: URL): Proxy | undefined {
  const lower = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const name = [lower, lower.toUpperCase()].find((variable) => readVariable(variable) !== '');
  if (name === undefined || checkBypass(url) || isListed(url)) return undefined;
  const proxy = parseProxy(name);
  // A URL has them percent-encoded, but the header has them as they are.
  const pair = `${unescape(proxy.username)}:${unescape(proxy.password)}`;
  const authorization = pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
  const isMisspelledException = listExceptions().some(
    (entry) => entry.includes('/') && parseAddress(entry)?.hostname === url.hostname,
  );
  return { url: new URL(proxy.origin), authorization, isMisspelledException };
}

/** Hides the passwords in the variables of proxies. Throws an InputError if one is too long. */
export function hidePasswords(): void {
  for (const name of ['https_proxy', 'http_proxy']) {
    readAddress(name);
    readAddress(name.toUpperCase());
  }
}

function readVariable(name: string): string {
  return (process.env[name] ?? '').trim();
}

/** Whether `no_proxy` has the host in a form that Go reads and the toolkit does not: `*.a.example`, or addresses. */
function isListed({ hostname }: URL): boolean {
  return listExceptions().some((entry) =>
    entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : isInRange(hostname, entry),
  );
}

function listExceptions(): readonly string[] {
  const list = readVariable('no_proxy') || readVariable('NO_PROXY');
  return list.split(',').map((entry) => entry.trim().toLowerCase());
}

/** Whether `range`, such as `10.0.0.0/8` or a whole address, has an address. No name is looked up. */
function isInRange(hostname: string, range: string): boolean {
  const [network = '', prefix] = stripBrackets(range).split('/');
  const family = network.includes(':') ? 'ipv6' : 'ipv4';
  const block = new BlockList();
  try {
    if (prefix === undefined) block.addAddress(network, family);
    else block.addSubnet(network, Number.parseInt(prefix, 10), family);
  } catch {
    // The entry is a name, or nothing.
    return false;
  }
  return block.check(stripBrackets(hostname), family);
}

/** Returns an IPv6 address without the brackets that it has in a URL. */
function stripBrackets(host: string): string {
  return host.replace('[', '').replace(']', '');
}

/** Reads the variable of a proxy, and hides its password. */
function readAddress(name: string): URL | undefined {
  const address = parseAddress(readVariable(name));
  if (address !== undefined) hidePassword(name, address.password);
  return address;
}

/** Parses a value as curl does: without a scheme it is `host:port` of an http proxy. */
function parseAddress(value: string): URL | undefined {
  try {
    // A Node that is too old for the action has no URL.parse, and must not show a password either.
    return new URL(value.includes('://') ? value : `http://${value}`);
  } catch {
    return undefined;
  }
}

function parseProxy(name: string): URL {
  const proxy = readAddress(name);
  const isHttp = proxy?.protocol === 'http:' || proxy?.protocol === 'https:';
  // If it has a path, the host may be the beginning of a password that is not encoded, and messages show the host.
  if (isHttp && `${proxy.pathname}${proxy.search}${proxy.hash}` === '/') return proxy;
  throw new InputError(
    `The environment variable ${name} must be http://HOST:PORT, without SOCKS or a path. In a password write / as %2F, ? as %3F, # as %23.`,
  );
}
