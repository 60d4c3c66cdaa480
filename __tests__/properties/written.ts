import { jest } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import { LineSplitter } from '../../local/step/lines.ts';

/** The lines that `action` writes to standard output, split as the runner does. */
export function captureLines(action: () => void): readonly string[] {
  const splitter = new LineSplitter();
  const lines: string[] = [];
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    lines.push(...splitter.push(Buffer.from(String(chunk))));
    return true;
  });
  try {
    action();
  } finally {
    spy.mockRestore();
  }
  return [...lines, ...splitter.end()];
}

/** A log that knows these secrets; its masking commands are not part of the output. */
export function makeLog(...secrets: readonly string[]): Log {
  const log = new Log();
  captureLines(() => secrets.forEach((secret) => log.protect(secret)));
  return log;
}
