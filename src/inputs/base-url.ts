import { InputError } from '../errors.ts';
import { OPERATIONS } from '../service/operations.ts';
import { CHECK_VARIABLE } from './fields.ts';

/** Whether a URL's host is this machine, so that no data leaves it. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * The address of the service: http(s), a host, and a path prefix that is kept; the result's path
 * has no trailing slash unless it is the root. The text is checked before it is parsed, because URL
 * parsing drops tabs and newlines and turns backslashes into slashes. The messages repeat nothing of a
 * text that may hold a password. `fix` says what to do if the text is empty. Throws an InputError.
 */
export function parseBaseUrl(
  text: string,
  allowHttp: boolean,
  fix = `Set it to the URL of the service. ${CHECK_VARIABLE}`,
): URL {
  if (text === '') throw new InputError(`\`base-url\` is required. ${fix}`);
  const problem = findTextProblem(text);
  if (problem !== undefined) throw new InputError(`\`base-url\` ${problem}.`);
  const url = URL.parse(text);
  if (url === null) throw new InputError('`base-url` is not a valid URL.');
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw new InputError(
      '`base-url` must begin with https://: http sends the token and the files unencrypted. To allow that, set `allow-http: true`.',
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  const lower = url.pathname.toLowerCase();
  const end = OPERATIONS.find(({ path }) => lower.endsWith(path))?.path;
  if (end === undefined) return url;
  throw new InputError(
    `\`base-url\` must not end in ${end}, which the action appends. Set it to '${url.href.slice(0, -end.length)}'.`,
  );
}

function findTextProblem(text: string): string | undefined {
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) {
    return 'must not contain white space or control characters';
  }
  if (text.includes('\\')) return 'must not contain a backslash';
  if (!/^https?:\/\/[^/]/i.test(text)) return 'must begin with https:// and a host name';
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return 'must not contain a user name or password';
  if (text.includes('?')) return 'must not contain a query (?)';
  if (text.includes('#')) return 'must not contain a fragment (#)';
  return undefined;
}
