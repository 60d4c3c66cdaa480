import { resolve } from 'node:path';
import type { ServiceOptions } from './types.ts';

/** The options with every default filled in and every value checked. */
export interface Settings {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  readonly prefix: string;
  readonly token: string | undefined;
  readonly tokenHeader: string;
  readonly tokenPrefix: string;
  readonly maxBodyBytes: number;
  /** In lower case; undefined if every scan is known. */
  readonly scanKeys: ReadonlySet<string> | undefined;
  readonly latencyMs: number;
}

/** Kestrel's default limit of a request body (aspnet/Announcements issue 267). */
export const DEFAULT_MAX_BODY_BYTES = 30_000_000;

const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '::1'];
const PREFIX = /^(?:\/[\w.~%-]+)*$/;

/** Checks the options; throws a RangeError or TypeError that names the option at fault. */
export function settle(options: ServiceOptions): Settings {
  const { host = '127.0.0.1', port = 0, prefix = '', token } = options;
  if (!LOOPBACK_HOSTS.includes(host)) {
    throw new RangeError(`host: only ${LOOPBACK_HOSTS.join(' or ')}, not "${host}"`);
  }
  if (!PREFIX.test(prefix)) {
    throw new TypeError(`prefix: a path such as /tenant without a trailing slash, not "${prefix}"`);
  }
  if (token === '') {
    throw new TypeError('token: empty; leave it out to let everyone in');
  }
  return {
    folder: resolve(options.folder),
    host,
    port,
    prefix,
    token,
    tokenHeader: options.tokenHeader ?? 'Authorization',
    tokenPrefix: options.tokenPrefix ?? 'Bearer',
    maxBodyBytes: checkLimit(options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES),
    scanKeys: options.scanKeys && new Set(options.scanKeys.map((key) => key.toLowerCase())),
    latencyMs: checkLatency(options.latencyMs ?? 0),
  };
}

function checkLatency(milliseconds: number): number {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
    throw new RangeError(`latencyMs: a whole number of milliseconds, not ${milliseconds}`);
  }
  return milliseconds;
}

function checkLimit(bytes: number): number {
  if (bytes !== Infinity && (!Number.isSafeInteger(bytes) || bytes < 0)) {
    throw new RangeError(`maxBodyBytes: a whole number of bytes or Infinity, not ${bytes}`);
  }
  return bytes;
}
