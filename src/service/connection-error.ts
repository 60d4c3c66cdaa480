import { isIPv6 } from 'node:net';
import type { DetailedPeerCertificate } from 'node:tls';
import { errorCode, toError } from '../errors.ts';
import { cutText, listSome } from '../text.ts';
import type { ConnectionError, PeerCertificate } from './attempt.ts';
import { ProxyError } from './tunnel.ts';

/** The format of OpenSSL's errors in Node: address, code, library, function, reason, source position. */
const OPENSSL_ERROR =
  /[0-9A-F]:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):\S*?:\d+:(?:SSL alert number (\d+))?/;

/** What OpenSSL says of a peer that responds in plain HTTP. */
const PLAIN_HTTP = /^(?:wrong version number|packet length too long|http request)\b/;

/** How much is shown of a certificate, which may have thousands of names, in characters. */
const MAX_CHARACTERS = 300;

/** Node adds `host` and `cert` if a certificate is for other names; `peer` is from `followConnection`. */
interface NodeError extends Error {
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
  readonly peer?: Partial<DetailedPeerCertificate> | null;
}

/**
 * Reads an error of Node, OpenSSL or the tunnel. If the host has several addresses, the facts are those
 * of the preferred one, and the text names all.
 */
export function readConnectionError(error: Error): ConnectionError {
  if (error instanceof ProxyError) {
    const read = readConnectionError(toError(error.cause ?? error.message));
    return { ...read, isOfProxy: true, proxyStatus: error.status };
  }
  const errors = error instanceof AggregateError ? error.errors.map(toError) : [];
  const [first = readOne(error), ...others] = errors.map(readOne);
  const texts = new Set([first, ...others].map(({ text }) => text));
  const isWithoutIpv6 = [first, ...others].every((each) => each.isWithoutIpv6);
  return { ...first, text: [...texts].join('; '), isWithoutIpv6 };
}

function readOne(error: NodeError): ConnectionError {
  const code = errorCode(error);
  const { message } = error;
  const [, reason = explainNode(error, code), alert] = OPENSSL_ERROR.exec(message) ?? [];
  const packet = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : [];
  const [type, version] = packet;
  return {
    text: code === undefined || reason.includes(code) ? reason : `${reason} (${code})`,
    code,
    alert: alert === undefined ? undefined : Number(alert),
    // An alert or a handshake (RFC 8446, section 5.1).
    isTlsRecord: (type === 0x15 || type === 0x16) && version === 3,
    isPlainHttp: PLAIN_HTTP.test(reason),
    isOfProxy: false,
    proxyStatus: undefined,
    certificate: readCertificate(error.peer),
    isWithoutIpv6: isUnrouted(error, code),
  };
}

/** The message of an error; those of Node that do not help users of the action are replaced. */
function explainNode({ message, host, cert, peer }: NodeError, code = ''): string {
  if (message === 'socket hang up') return 'the other side closed the connection';
  const names = cert?.subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, '').split(', ');
  // Node's message has only the names of the host's kind: none for an address.
  if (names !== undefined)
    return `it is for ${cutText(listSome(names, 5), MAX_CHARACTERS)}, not for ${host}`;
  const { issuer } = readCertificate(peer);
  const isOfIssuer = issuer !== undefined && /SELF_SIGNED|^UNABLE_TO_/.test(code);
  const by = isOfIssuer ? `, issued by '${issuer}'` : '';
  // A flag of Node's command line, which an action does not have; ca-cert is proposed instead.
  return message.replace(/; if the root CA is installed locally.*$/s, '') + by;
}

function readCertificate(peer: NodeError['peer']): PeerCertificate {
  const { valid_from: validFrom, valid_to: validTo, issuer } = peer ?? {};
  const name = issuer?.CN || issuer?.O;
  return {
    ...(validFrom !== undefined && { validFrom }),
    ...(validTo !== undefined && { validTo }),
    ...(name !== undefined && { issuer: cutText(String(name), MAX_CHARACTERS) }),
  };
}

function isUnrouted(error: NodeError, code = ''): boolean {
  const address = 'address' in error ? String(error.address) : '';
  return isIPv6(address) && /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code);
}
