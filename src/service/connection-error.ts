import { errorCode, errorMessage } from '../errors.ts';
import type { Phase } from './phase-timer.ts';

/** Why a connection failed, as far as what mends it differs. */
export type ConnectionFault =
  /** The service's certificate is not trusted, not valid or not for this host. */
  | 'certificate'
  /** The service wants a client certificate, or another one. */
  | 'client-certificate'
  /** The two sides do not agree on TLS, or the other does not speak it. */
  | 'tls'
  /** The host's name does not resolve. */
  | 'name'
  /** The proxy answered no. */
  | 'proxy-refused'
  /** The proxy's own name does not resolve. */
  | 'proxy-name'
  /** The proxy could not be reached, or could not reach the service. */
  | 'proxy'
  /** What answered does not speak HTTP. */
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

/** Alerts by which a service says what it thinks of the certificate it was shown, or was not. */
const CLIENT_CERTIFICATE_CODE =
  /^ERR_SSL_.*(?:CERTIFICATE_REQUIRED|ALERT.*(?:CERTIFICATE|UNKNOWN_CA))/;
const UNKNOWN_NAME = /ENOTFOUND|EAI_AGAIN|EAI_NONAME/;

/** Names what was wrong with a connection that failed with `error` in `phase`. */
export function diagnose(error: Error, phase: Phase): Diagnosis {
  const inner = unwrap(error);
  const code = errorCode(inner) ?? errorCode(error);
  const message = errorMessage(inner);
  const text = code === undefined || message.includes(code) ? message : `${message} (${code})`;
  return { fault: findFault(code ?? '', message, phase), text };
}

/** Of an attempt at several addresses the first error, which is the preferred address's. */
function unwrap(error: Error): Error {
  if (!(error instanceof AggregateError)) return error;
  const errors: readonly unknown[] = error.errors;
  return errors.find((inner) => inner instanceof Error) ?? error;
}

function findFault(code: string, message: string, phase: Phase): ConnectionFault {
  // The tunnel agent gives every failure the code ECONNRESET and puts the cause into the text.
  if (message.startsWith('tunneling socket could not be established'))
    return findProxyFault(message);
  if (CLIENT_CERTIFICATE_CODE.test(code)) return 'client-certificate';
  if (CERTIFICATE_CODE.test(code)) return 'certificate';
  if (phase === 'connect' && /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)) return 'tls';
  if (UNKNOWN_NAME.test(code)) return 'name';
  // An answer's head that ends too early is a broken connection, not another protocol.
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return 'not-http';
  return 'connection';
}

function findProxyFault(message: string): ConnectionFault {
  const status = Number(/statusCode=(\d{3})/.exec(message)?.[1] ?? 0);
  if (status >= 400 && status < 500) return 'proxy-refused';
  return UNKNOWN_NAME.test(message) ? 'proxy-name' : 'proxy';
}
