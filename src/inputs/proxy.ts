import { checkBypass } from '@actions/http-client/lib/proxy';
import { InputError } from '../errors.ts';

/** A proxy that requests of one scheme go through. */
export interface Proxy {
  /** Host and port, for the log; never the credentials. */
  readonly host: string;
  /** The password as written and as decoded, to be kept out of the log. */
  readonly secrets: readonly string[];
}

/**
 * Finds the proxy that http-client will use for `url`, and checks it. http-client ignores a value that
 * it cannot parse, and speaks HTTP to a SOCKS proxy. Here `host:port` is read as `http://host:port`, as
 * curl does, and every other such value is an error. The environment variable, which http-client reads,
 * is set to the parsed value. Returns undefined if no proxy applies (unset, `no_proxy`, loopback).
 * Throws an InputError.
 */
export function settleProxy(url: URL): Proxy | undefined {
  const lower = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const name = [lower, lower.toUpperCase()].find(isSet);
  if (name === undefined || checkBypass(url)) return undefined;
  const proxy = parseProxy(name, (process.env[name] ?? '').trim());
  process.env[name] = proxy.href;
  return { host: proxy.host, secrets: listPasswords(proxy) };
}

/** Removes a blank variable: http-client would use the white space as a proxy's address. */
function isSet(name: string): boolean {
  if (!process.env[name]) return false;
  const isBlank = process.env[name].trim() === '';
  if (isBlank) delete process.env[name];
  return !isBlank;
}

/** Parses a value as curl does: without a scheme it is `host:port` of an http proxy. */
function parseProxy(name: string, value: string): URL {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
  // Otherwise `http:/proxy` would become the host `http`.
  const isHostPort = /^[^/?#]+\/?$/.test(value);
  const proxy = hasScheme || isHostPort ? URL.parse(hasScheme ? value : `http://${value}`) : null;
  if (proxy === null || proxy.hostname === '') {
    throw new InputError(`The environment variable ${name} is not a proxy's URL or host:port.`);
  }
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    throw new InputError(
      `The environment variable ${name} names a ${proxy.protocol}// proxy: only http:// and https:// proxies are supported.`,
    );
  }
  return proxy;
}

/** The password as written and decoded. http-client decodes user name and password, and throws if it cannot. */
function listPasswords({ username, password }: URL): readonly string[] {
  try {
    decodeURIComponent(username);
    return password === '' ? [] : [password, decodeURIComponent(password)];
  } catch {
    throw new InputError("The proxy's user name or password is not percent-encoded correctly.");
  }
}
