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
 * Settles which proxy http-client will use for `url` and checks it. http-client ignores a value it
 * cannot parse and goes direct, and speaks HTTP to a SOCKS proxy; here the former is read as curl
 * reads it (`host:port` is `http://host:port`) and the rest is an error. The environment variable,
 * which is where http-client looks, is replaced by what was understood.
 * Returns undefined where no proxy applies (unset, `no_proxy`, loopback). Throws an InputError.
 */
export function settleProxy(url: URL): Proxy | undefined {
  const lower = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const name = [lower, lower.toUpperCase()].find(isSet);
  if (name === undefined || checkBypass(url)) return undefined;
  const proxy = parseProxy(name, (process.env[name] ?? '').trim());
  process.env[name] = proxy.href;
  return { host: proxy.host, secrets: listPasswords(proxy) };
}

/** http-client takes white space for a proxy's address, so a blank variable is removed. */
function isSet(name: string): boolean {
  if (!process.env[name]) return false;
  const isBlank = process.env[name].trim() === '';
  if (isBlank) delete process.env[name];
  return !isBlank;
}

/** As curl reads it: without a scheme it is `host:port`, of a proxy that is spoken to with http. */
function parseProxy(name: string, value: string): URL {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
  // `http:/proxy` would become the host `http`.
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

/** http-client decodes both parts of the credentials, and throws where it cannot. */
function listPasswords({ username, password }: URL): readonly string[] {
  try {
    decodeURIComponent(username);
    return password === '' ? [] : [password, decodeURIComponent(password)];
  } catch {
    throw new InputError("The proxy's user name or password is not percent-encoded correctly.");
  }
}
