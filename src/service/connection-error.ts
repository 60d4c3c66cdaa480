import { errorCode, errorMessage } from '../errors.ts';
import type { Phase } from './phase-timer.ts';

/** Why a connection failed, as far as the fix differs. */
export type ConnectionFault =
  /** The service's certificate is not trusted, not valid or not for this host. */
  | 'certificate'
  /** The service wants a client certificate, or another one. */
  | 'client-certificate'
  /** The two sides do not agree on TLS, or the other does not speak it. */
  | 'tls'
  /** The host's name does not resolve. */
  | 'name'
  /** The proxy refused. */
  | 'proxy-refused'
  /** The proxy's own name does not resolve. */
  | 'proxy-name'
  /** The proxy could not be reached, or could not reach the service. */
  | 'proxy'
  /** The other side does not speak HTTP. */
  | 'not-http'
  /** Refused, reset, closed, unreachable. */
  | 'connection';

/** A failed connection, named. */
export interface Diagnosis {
  readonly fault: ConnectionFault;
  /** The error in its own words, with its code; without any part of the request. */
  readonly text: string;
}

const CERTIFICATE_CODE =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/**
 * Alerts by which a service rejects a client certificate, or asks for one (RFC 8446, section 6.2): 41
 * to 49 and 116. Node gives those of a handshake no code of their own.
 */
const CLIENT_CERTIFICATE_ALERT = /\bSSL alert number (?:4[1-9]|116)\b/;
/** OpenSSL's errors as Node passes them on: an address, a code, a library, a function, the reason, a place. */
const OPENSSL_ERROR = /[0-9A-F]:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):\S*?:\d+:(.*)/s;
const UNKNOWN_NAME = /ENOTFOUND|EAI_AGAIN|EAI_NONAME/;

/** Names what was wrong with a connection that failed with `error` in `phase`. */
export function diagnose(error: Error, phase: Phase): Diagnosis {
  const inner = unwrap(error);
  const [first = error] = inner;
  const fault = findFault(errorCode(first) ?? errorCode(error) ?? '', errorMessage(first), phase);
  return { fault, text: [...new Set(inner.map(describe))].join('; ') };
}

/** Of an attempt at several addresses the error of each, the preferred address's first. */
function unwrap(error: Error): readonly Error[] {
  if (!(error instanceof AggregateError)) return [error];
  const errors: readonly unknown[] = error.errors;
  const inner = errors.filter((entry) => entry instanceof Error);
  return inner.length === 0 ? [error] : inner;
}

function describe(error: Error): string {
  const message = explainNode(shortenOpenSsl(errorMessage(error)));
  const code = errorCode(error);
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

/** Node's own words, as far as they say nothing to a user of the action. */
function explainNode(message: string): string {
  if (message === 'socket hang up') return 'the other side closed the connection';
  // A flag of Node's command line, which an action does not have; ca-cert is proposed instead.
  return message.replace(/; if the root CA is installed locally.*$/s, '');
}

/** Leaves of an OpenSSL error what it says: the reason, and the alert's number if it was one. */
function shortenOpenSsl(message: string): string {
  const [, reason, alert = ''] = OPENSSL_ERROR.exec(message) ?? [];
  if (reason === undefined) return message;
  return alert.trim() === '' ? reason : `${reason}, ${alert.trim()}`;
}

function findFault(code: string, message: string, phase: Phase): ConnectionFault {
  // The tunnel agent gives every failure the code ECONNRESET and puts the cause into the text.
  if (message === 'got illegal response body from proxy') return 'proxy';
  if (message.startsWith('tunneling socket could not be established'))
    return findProxyFault(message);
  if (CLIENT_CERTIFICATE_ALERT.test(message)) return 'client-certificate';
  if (CERTIFICATE_CODE.test(code)) return 'certificate';
  if (phase === 'connect' && /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)) return 'tls';
  if (UNKNOWN_NAME.test(code)) return 'name';
  // Response headers that end too early are a broken connection, not another protocol.
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return 'not-http';
  return 'connection';
}

function findProxyFault(message: string): ConnectionFault {
  const status = Number(/statusCode=(\d{3})/.exec(message)?.[1] ?? 0);
  if (status >= 400 && status < 500) return 'proxy-refused';
  return UNKNOWN_NAME.test(message) ? 'proxy-name' : 'proxy';
}
