import { join } from 'node:path';
import type { Certificate } from '../support/certificates.ts';

/** Settings of a squid. */
export interface SquidPlan {
  /** `acl` and `http_access` lines before the line that allows all requests. */
  readonly rules?: string;
  /** Its certificate as an https proxy; an http proxy without it. */
  readonly tls?: Certificate;
  /** The only user that may connect, by Basic authentication; anyone without it. */
  readonly user?: { readonly name: string; readonly password: string };
}

/** Its port, and its directory with `hosts`, `users`, and for TLS `cert.pem` and `key.pem`. */
export interface SquidPlaces {
  readonly directory: string;
  readonly port: number;
}

const HELPER = '/usr/lib/squid/basic_ncsa_auth';

/** The text of `squid.conf`. */
export function writeConfig(plan: SquidPlan, { directory, port }: SquidPlaces): string {
  return [
    openPort({ directory, port }, plan.tls !== undefined),
    'visible_hostname proxy.test',
    'pid_filename none',
    'pinger_enable off',
    'netdb_filename none',
    'cache deny all',
    'cache_mem 1 MB',
    'max_filedescriptors 1024',
    `coredump_dir ${directory}`,
    `cache_log ${join(directory, 'cache.log')}`,
    'logformat fields %Ss %>Hs %rm %ru %un',
    `access_log stdio:${join(directory, 'access.log')} logformat=fields`,
    `hosts_file ${join(directory, 'hosts')}`,
    'dns_nameservers 127.0.0.1',
    ...(plan.user === undefined ? [] : admitUsers(join(directory, 'users'))),
    plan.rules ?? '',
    'http_access allow all',
    '',
  ].join('\n');
}

function openPort({ directory, port }: SquidPlaces, isSecure: boolean): string {
  const address = `127.0.0.1:${port}`;
  if (!isSecure) return `http_port ${address}`;
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  return `https_port ${address} tls-cert=${cert} tls-key=${key}`;
}

function admitUsers(file: string): readonly string[] {
  return [
    `auth_param basic program ${HELPER} ${file}`,
    'auth_param basic children 1 startup=1 idle=1',
    'acl known proxy_auth REQUIRED',
    'http_access deny !known',
  ];
}
