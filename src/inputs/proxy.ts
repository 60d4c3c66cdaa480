import { checkBypass } from '@actions/http-client/lib/proxy';
import { InputError } from '../errors.ts';
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
  if (name === undefined || checkBypass(url)) return undefined;
  const proxy = parseProxy(name, readVariable(name));
  return { url: new URL(proxy.origin), authorization: readCredentials(proxy) };
}

function readVariable(name: string): string {
  return (process.env[name] ?? '').trim();
}

/** Parses a value as curl does: without a scheme it is `host:port` of an http proxy. */
function parseProxy(name: string, value: string): URL {
  // Otherwise a part of the password would become the host, which messages show.
  if (/[/?#\\].*@/.test(value.replace(SCHEME, ''))) {
    throw new InputError(
      `The environment variable ${name} has a password that is not percent-encoded: write @ as %40, # as %23, / as %2F, ? as %3F.`,
    );
  }
  const hasScheme = SCHEME.test(value);
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
