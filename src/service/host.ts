import { isIPv4 } from 'node:net';

/** Whether a URL's host is this machine, so that no data leaves it. */
export function isLoopback(hostname: string): boolean {
  const isLocal = ['localhost', '[::1]'].includes(hostname);
  return isLocal || (isIPv4(hostname) && hostname.startsWith('127.'));
}

/** The host of a URL with its port, also if that is the default. */
export function nameHost({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
