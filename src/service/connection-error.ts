import { isIPv6 } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import { errorCode, toError } from '../errors.ts';
import { foldName } from '../json.ts';
import { listSome } from '../text.ts';
import type { ConnectionError } from './attempt.ts';
import { ProxyError } from './tunnel.ts';

/** What OpenSSL says of a peer that responds in plain HTTP. */
const PLAIN_HTTP = ['wrong version number', 'packet length too long', 'http request'];
/** The system has no route to an address. */
const UNROUTED = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'];

/** An error with what Node adds if a certificate is for other names (`host`, `cert`), and what `followConnection` adds (`peer`). */
interface NodeError extends Error {
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
  readonly peer?: PeerCertificate | null;
}

/**
 * Reads an error of Node, OpenSSL or the tunnel. If the host has several addresses, the facts are those
 * of the preferred one, and the text names all.
 */
export function readConnectionError(error: Error): ConnectionError {
  if (error instanceof ProxyError) {
    const read = readConnectionError(toError(error.cause ?? error.message));
    const { status: proxyStatus, challenge: proxyChallenge } = error;
    return { ...read, isOfProxy: true, proxyStatus, proxyChallenge };
  }
  const errors = error instanceof AggregateError ? error.errors.map(toError) : [];
  const [first = readOne(error), ...others] = errors.map(readOne);
  const texts = new Set([first, ...others].map(({ text }) => text));
  const isWithoutIpv6 = [first, ...others].every((each) => each.isWithoutIpv6);
  return { ...first, text: [...texts].join('; '), isWithoutIpv6 };
}

function readOne(error: NodeError): ConnectionError {
  const code = errorCode(error);
  // Node writes OpenSSL's errors as address, `error`, code, library, function, reason, source position.
  const [, openssl = ''] = error.message.split(':error:');
  const [, , , reason = explainNode(error, code)] = openssl.split(':');
  const alert = /SSL alert number (\d+)/.exec(openssl)?.[1];
  const address = 'address' in error ? String(error.address) : '';
  return {
    text: code === undefined || isSaid(code, reason) ? reason : `${reason} (${code})`,
    code,
    alert: alert === undefined ? undefined : Number(alert),
    isPlainHttp: PLAIN_HTTP.includes(reason),
    isOfProxy: false,
    proxyStatus: undefined,
    proxyChallenge: undefined,
    certificate: readCertificate(error.peer),
    isWithoutIpv6: isIPv6(address) && UNROUTED.includes(code ?? ''),
  };
}

/** Whether a text has a code, or is what the code says: OpenSSL makes codes of its reasons. */
function isSaid(code: string, text: string): boolean {
  return text.includes(code) || foldName(code).endsWith(foldName(text));
}

/** Returns the message of an error. Messages of Node that do not help users of the action are replaced. */
function explainNode({ message, host, cert, peer }: NodeError, code = ''): string {
  if (message === 'socket hang up') return 'the other side closed the connection';
  const names = cert?.subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, '').split(', ');
  // Node's message lists only names of the host's kind. For an address it often lists none.
  if (names !== undefined) return `it is for ${listSome(names, 5)}, not for ${host}`;
  const { issuer } = readCertificate(peer);
  const isOfIssuer = issuer !== undefined && /SELF_SIGNED|^UNABLE_TO_/.test(code);
  // Node proposes a flag of its command line, which an action does not have. A fix proposes `ca-cert` instead.
  const [said = ''] = message.split('; if the root CA is installed locally', 1);
  return isOfIssuer ? `${said}, issued by '${issuer}'` : said;
}

function readCertificate(peer: NodeError['peer']): ConnectionError['certificate'] {
  const known: Partial<PeerCertificate> = peer ?? {};
  const { valid_from: validFrom, valid_to: validTo, issuer, fingerprint256 } = known;
  const name = issuer?.CN || issuer?.O;
  return {
    whole: peer?.raw && peer,
    validFrom,
    validTo,
    issuer: name === undefined ? undefined : String(name),
    fingerprint256,
  };
}
