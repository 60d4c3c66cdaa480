// Loaded before the measured program: writes its peak of resident memory, in KiB, to PEAK_FILE at its end.
// resourceUsage().maxRSS would include the memory of the process that started it.
const { readFileSync, writeFileSync } = require('node:fs');

process.once('exit', () => {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  writeFileSync(process.env['PEAK_FILE'] ?? '', peak ?? '');
});
