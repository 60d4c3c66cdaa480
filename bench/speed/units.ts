import type { Unit } from './line.ts';

const SECOND_MS = 1000;

/** A figure as it is printed: 46.2 ms, 1.31 s, 63.1 MiB, 803,104 bytes. */
export function formatFigure(figure: number, unit: Unit): string {
  switch (unit) {
    case 'ms':
      return figure < SECOND_MS
        ? `${figure.toFixed(1)} ms`
        : `${(figure / SECOND_MS).toFixed(2)} s`;
    case 'KiB':
      return `${(figure / 1024).toFixed(1)} MiB`;
    case 'bytes':
      return `${Math.round(figure).toLocaleString('en-US')} bytes`;
  }
}
