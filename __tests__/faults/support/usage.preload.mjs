// Loaded into the action ahead of it: writes down at its end what it has used. JavaScript, since
// stripping types takes more memory than what is to be measured.
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const usage = { peakKiB: readPeak(), cpuMs: (user + system) / 1000 };
  writeFileSync(process.env['USAGE_FILE'] ?? '', JSON.stringify(usage));
});

/**
 * In KiB. Linux counts in `maxRSS` what the process that started this one had.
 * @returns {number}
 */
function readPeak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}
