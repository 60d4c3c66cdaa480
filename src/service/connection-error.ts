import { clean } from '../redaction/clean.ts';
import { errorCode, toError } from '../errors.ts';
import type { ConnectionError } from './attempt.ts';
import { ProxyError } from './tunnel.ts';

/** The format of OpenSSL's errors in Node: address, code, library, function, reason, source position. */
const OPENSSL_ERROR =
  /[0-9A-F]:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):\S*?:\d+:(SSL alert number (\d+))?/;

/**
 * Reads an error of Node, OpenSSL or the tunnel. If the host has several addresses, the facts are those
 * of the preferred one, and the text names all.
 */
export function readConnectionError(error: Error): ConnectionError {
  if (error instanceof ProxyError) {
    const { cause, response, message } = error;
    const read = readConnectionError(toError(cause ?? message));
    return { ...read, isProxys: true, proxyResponse: response };
  }
  const errors = unwrap(error).map(readOne);
  const first = errors[0] ?? readOne(error);
  const text = [...new Set(errors.map((each) => each.text))].join('; ');
  return { ...first, text, code: first.code ?? errorCode(error) };
}

/** The errors of a connection; one for each address if the host has several, the preferred address first. */
function unwrap(error: Error): readonly Error[] {
  if (!(error instanceof AggregateError)) return [error];
  const errors: readonly unknown[] = error.errors;
  const inner = errors.filter((entry) => entry instanceof Error);
  return inner.length === 0 ? [error] : inner;
}

function readOne(error: Error): ConnectionError {
  const code = errorCode(error);
  // It may have names out of a certificate.
  const message = clean(error.message);
  const [, reason, ending, alert] = OPENSSL_ERROR.exec(message) ?? [];
  const text = reason === undefined ? explainNode(message) : reason;
  const whole = ending === undefined ? text : `${text}, ${ending}`;
  return {
    text: code === undefined || whole.includes(code) ? whole : `${whole} (${code})`,
    code: code === 'EPROTO' && reason !== undefined ? nameReason(reason) : code,
    alert: alert === undefined ? undefined : Number(alert),
    isTlsRecord:
      'rawPacket' in error && Buffer.isBuffer(error.rawPacket) && startsTls(error.rawPacket),
    isProxys: false,
    proxyResponse: undefined,
  };
}

/** The code that Node makes of OpenSSL's reason while it reads; while it writes, every code is EPROTO. */
function nameReason(reason: string): string {
  return `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
}

/** Whether bytes begin as an alert or a handshake of TLS (RFC 8446, section 5.1). */
function startsTls([type, version]: Buffer): boolean {
  return (type === 0x15 || type === 0x16) && version === 3;
}

/** Replaces messages of Node that do not help users of the action. */
function explainNode(message: string): string {
  if (message === 'socket hang up') return 'the other side closed the connection';
  // A flag of Node's command line, which an action does not have; ca-cert is proposed instead.
  return message.replace(/; if the root CA is installed locally.*$/s, '');
}
