import { execFileSync } from 'node:child_process';
import { chownSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOST } from '../support/network.ts';
import type { Certificate } from '../support/network.ts';
import { findClosedPort } from '../support/servers.ts';
import { makeFolder, cleanUp } from '../support/workspace.ts';
import { startDaemon } from './programs.ts';

/** Settings of a squid. */
export interface SquidPlan {
  /** Its certificate as an https proxy; an http proxy without it. */
  readonly tls?: Certificate;
  /** The only user that may connect, by Basic authentication; anyone without it. */
  readonly user?: { readonly name: string; readonly password: string };
}

const HELPER = '/usr/lib/squid/basic_ncsa_auth';
const SHARED_MEMORY = '/dev/shm';
// Squid refuses to work as root.
const NOBODY = 65_534;

/** Starts a squid in a new directory, on a free port of 127.0.0.1, which it returns. It resolves `HOST` to 127.0.0.1. */
export async function startSquid(plan: SquidPlan): Promise<number> {
  const [directory, port] = [await makeFolder(), await findClosedPort()];
  const files = {
    hosts: `127.0.0.1 ${HOST}\n`,
    users: plan.user === undefined ? '' : hashUser(plan.user),
    'squid.conf': writeConfig(plan, directory, port),
    ...(plan.tls !== undefined && { 'cert.pem': plan.tls.cert, 'key.pem': plan.tls.key }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) giveAway(directory, Object.keys(files));
  const name = `peers${process.pid}x${port}`;
  cleanUp(async () => removeSharedMemory(name));
  await startDaemon({
    program: 'squid',
    args: ['-N', '-n', name, '-f', join(directory, 'squid.conf')],
    port,
    // Squid has no data to save, and takes two seconds to end after any other signal.
    signal: 'SIGKILL',
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  return port;
}

function giveAway(directory: string, names: readonly string[]): void {
  for (const path of [directory, ...names.map((name) => join(directory, name))]) {
    chownSync(path, NOBODY, NOBODY);
  }
}

/** Removes the shared memory of a killed squid. No other squid has its name. */
function removeSharedMemory(name: string): void {
  const segments = readdirSync(SHARED_MEMORY).filter((file) => file.startsWith(`${name}-`));
  for (const segment of segments) rmSync(join(SHARED_MEMORY, segment), { force: true });
}

function hashUser({ name, password }: { name: string; password: string }): string {
  const hash = execFileSync('openssl', ['passwd', '-apr1', password], { encoding: 'utf8' });
  return `${name}:${hash.trim()}\n`;
}

/** The text of `squid.conf`. */
function writeConfig(plan: SquidPlan, directory: string, port: number): string {
  const pair = `tls-cert=${join(directory, 'cert.pem')} tls-key=${join(directory, 'key.pem')}`;
  return [
    plan.tls === undefined ? `http_port 127.0.0.1:${port}` : `https_port 127.0.0.1:${port} ${pair}`,
    'visible_hostname proxy.test',
    'pid_filename none',
    'pinger_enable off',
    'netdb_filename none',
    'cache deny all',
    'cache_mem 1 MB',
    'max_filedescriptors 1024',
    `coredump_dir ${directory}`,
    `cache_log ${join(directory, 'cache.log')}`,
    'access_log none',
    `hosts_file ${join(directory, 'hosts')}`,
    'dns_nameservers 127.0.0.1',
    ...(plan.user === undefined ? [] : admitUsers(join(directory, 'users'))),
    'http_access allow all',
    '',
  ].join('\n');
}

function admitUsers(file: string): readonly string[] {
  return [
    `auth_param basic program ${HELPER} ${file}`,
    'auth_param basic children 1 startup=1 idle=1',
    'acl known proxy_auth REQUIRED',
    'http_access deny !known',
  ];
}
