import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../support/directories.ts';
import { preload } from '../../support/run-action.ts';

/** Linux counts in `maxRSS` what the process that started this one had. */
const WRITE_USAGE = `
  import { readFileSync, writeFileSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const peakKiB = process.platform === 'linux'
      ? Number(/^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
      : process.resourceUsage().maxRSS;
    writeFileSync(process.env.USAGE_FILE, \`\${peakKiB} \${(user + system) / 1000}\`);
  });`;

/** What a process has used by its end. */
export interface Usage {
  /** Resident memory at its highest. */
  readonly peakKiB: number;
  /** Time on the processor, of all threads. */
  readonly cpuMs: number;
}

/** Variables that have an action write down what it has used, and what it wrote; `code` runs ahead of it. */
export interface Meter {
  readonly env: Readonly<Record<string, string>>;
  /** Throws if the process did not come to its end. */
  readonly read: () => Usage;
}

export async function makeMeter(code = ''): Promise<Meter> {
  const path = join(await makeFolder(), 'usage');
  return {
    env: { ...preload(WRITE_USAGE + code), USAGE_FILE: path },
    read: () => {
      if (!existsSync(path)) throw new Error('The process was ended before its end.');
      const [peakKiB = Number.NaN, cpuMs = Number.NaN] = readFileSync(path, 'utf8')
        .split(' ')
        .map(Number);
      return { peakKiB, cpuMs };
    },
  };
}
