import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { CommandReader } from '../../local/step/command-reader.ts';
import type { Reading } from '../../local/step/command-reader.ts';
import { LineSplitter } from '../../local/step/lines.ts';
import { MAX_SHOWN_CHARACTERS, showText } from '../../src/redaction/gate.ts';
import { Log } from '../../src/report/log.ts';
import { joinLines } from '../../src/text.ts';
import { setEnvironment } from '../support/environment.ts';
import { anyText, longText, secret } from './arbitraries.ts';

const TEXT = fc.oneof({ arbitrary: anyText(), weight: 8 }, { arbitrary: longText(), weight: 1 });
const VISIBLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u;

/** The lines that `action` writes to standard output, split as the runner does. */
function captureLines(action: () => void): readonly string[] {
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

/** The commands and lines that the runner reads. */
function readAll(lines: readonly string[]): readonly Reading[] {
  const reader = new CommandReader();
  return lines.map((line) => reader.read(line));
}

beforeEach(() => setEnvironment({ RUNNER_DEBUG: '1' }));

// Before random secrets are known in this process, which a text that was changed could have.
describe('showText', () => {
  test('returns visible characters in lines that end with \\n, within the limit, and is idempotent', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const shown = showText(text);
        expect(shown.replace(/[\t\n]/g, '')).toMatch(VISIBLE);
        expect(shown.length).toBeLessThanOrEqual(MAX_SHOWN_CHARACTERS);
        expect(shown.isWellFormed()).toBe(true);
        expect(showText(shown)).toBe(shown);
        expect(joinLines(shown)).not.toContain('\n');
      }),
      { numRuns: 400 },
    );
  });
});

describe('Log', () => {
  test('writes info as plain text for the runner', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const lines = captureLines(() => new Log().info(text));
        expect(readAll(lines)).toEqual(lines.map(() => ({ kind: 'text', command: undefined })));
        expect(lines.join('\n').length).toBeLessThanOrEqual(MAX_SHOWN_CHARACTERS);
      }),
      { numRuns: 400 },
    );
  });

  test('writes debug as one command', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const readings = readAll(captureLines(() => new Log().debug(text)));
        const command = { command: 'debug', properties: {}, data: showText(text) };
        expect(readings).toEqual([{ kind: 'command', command }]);
      }),
      { numRuns: 400 },
    );
  });

  test.each(['warning', 'error'] as const)('writes one %s with its title', (kind) => {
    fc.assert(
      fc.property(TEXT, TEXT, (text, title) => {
        const lines = captureLines(() => new Log()[kind](title, text));
        const [reading, ...others] = readAll(lines);
        expect(others).toEqual([]);
        const command = reading?.kind === 'command' ? reading.command : undefined;
        const { title: shown = '', ...properties } = command?.properties ?? {};
        const data = showText(text);
        expect({ ...command, properties }).toEqual({ command: kind, data, properties: {} });
        // The runner drops equals signs before a title, and white space around it.
        expect(shown.trim()).toBe(showText(title).replace(/^=+/, '').trim());
      }),
      { numRuns: 250 },
    );
  });

  test('masks a secret with one command that holds exactly that secret', () => {
    fc.assert(
      fc.property(secret(), (known) => {
        const readings = readAll(captureLines(() => new Log().protect(known)));
        const command = { command: 'add-mask', properties: {}, data: known };
        expect(readings).toEqual([{ kind: 'command', command }]);
      }),
      { numRuns: 250 },
    );
  });
});
