const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size for people: `512 bytes`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
}

/** A part of a size for people, in the unit of the whole: `9 of 30.5 MiB`. */
export function formatShare(bytes: number, all: number): string {
  const [size = '', unit = ''] = formatBytes(all).split(' ');
  const part = (bytes / all) * Number(size);
  return `${Number(part.toFixed(1))} of ${Number(size)} ${unit}`;
}

/** A duration for people: `40 ms`, `7.5 s`, `75 s`, `over a day`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds > 86_400) return 'over a day';
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

/** `1 attempt`, `3 attempts`. */
export function countAttempts(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}
