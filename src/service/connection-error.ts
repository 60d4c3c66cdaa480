import { errorCode, errorMessage, toError } from '../errors.ts';
import type { Phase } from './phase-timer.ts';
import { ProxyError } from './tunnel.ts';

/** Why a connection failed; each cause has a different fix. */
export type ConnectionFault =
  /** The service's certificate is not trusted, not valid or not for this host. */
  | 'certificate'
  /** The service asks for a client certificate, or for another one. */
  | 'client-certificate'
  /** The TLS handshake failed, or the server does not speak TLS. */
  | 'tls'
  /** The host's name does not resolve. */
  | 'name'
  /** The proxy refused. */
  | 'proxy-refused'
  /** The proxy's own name does not resolve. */
  | 'proxy-name'
  /** The proxy's certificate is not trusted, not valid or not for its host. */
  | 'proxy-certificate'
  /** The proxy could not be reached, or could not reach the service. */
  | 'proxy'
  /** The server does not speak HTTP. */
  | 'not-http'
  /** Refused, reset, closed, unreachable. */
  | 'connection';

/** The cause of a failed connection. */
export interface Diagnosis {
  readonly fault: ConnectionFault;
  /** The message of the error, with its code; without any part of the request. */
  readonly text: string;
}

const CERTIFICATE_CODE =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/**
 * The alerts with which a service rejects a client certificate, or asks for one (RFC 8446, section 6.2):
 * 41 to 49 and 116. Node has no own error codes for them.
 */
const CLIENT_CERTIFICATE_ALERT = /\bSSL alert number (?:4[1-9]|116)\b/;
/** The format of OpenSSL's errors in Node: address, code, library, function, reason, source position. */
const OPENSSL_ERROR = /[0-9A-F]:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):\S*?:\d+:(.*)/s;

/** Finds why a connection failed with `error` in `phase`. */
export function diagnose(error: Error, phase: Phase): Diagnosis {
  if (error instanceof ProxyError) return diagnoseProxy(error);
  const inner = unwrap(error);
  const [first = error] = inner;
  const fault = findFault(errorCode(first) ?? errorCode(error) ?? '', errorMessage(first), phase);
  return { fault, text: [...new Set(inner.map(describe))].join('; ') };
}

function diagnoseProxy({ response, cause, message }: ProxyError): Diagnosis {
  if (response !== undefined) {
    const isRefusal = response.status >= 400 && response.status < 500;
    return { fault: isRefusal ? 'proxy-refused' : 'proxy', text: message };
  }
  const { fault, text } = diagnose(toError(cause), 'connect');
  if (fault === 'name') return { fault: 'proxy-name', text };
  return { fault: fault === 'certificate' ? 'proxy-certificate' : 'proxy', text };
}

/** The errors of a connection; one for each address if the host has several, the preferred address first. */
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

/** Replaces messages of Node that do not help users of the action. */
function explainNode(message: string): string {
  if (message === 'socket hang up') return 'the other side closed the connection';
  // A flag of Node's command line, which an action does not have; ca-cert is proposed instead.
  return message.replace(/; if the root CA is installed locally.*$/s, '');
}

/** Shortens an OpenSSL error to its reason, and the number of an alert. */
function shortenOpenSsl(message: string): string {
  const [, reason, alert = ''] = OPENSSL_ERROR.exec(message) ?? [];
  if (reason === undefined) return message;
  return alert.trim() === '' ? reason : `${reason}, ${alert.trim()}`;
}

function findFault(code: string, message: string, phase: Phase): ConnectionFault {
  if (CLIENT_CERTIFICATE_ALERT.test(message)) return 'client-certificate';
  if (CERTIFICATE_CODE.test(code)) return 'certificate';
  if (phase === 'connect' && /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)) return 'tls';
  if (/^(?:ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/.test(code)) return 'name';
  // Response headers that end too early are a broken connection, not another protocol.
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return 'not-http';
  return 'connection';
}
