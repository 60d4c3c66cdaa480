import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { setEnvironment } from '../support/environment.ts';
import { CommandReader } from '../../local/step/command-reader.ts';
import type { Reading } from '../../local/step/command-reader.ts';
import { MAX_SHOWN_CHARACTERS, cutText, joinLines, showText } from '../../src/report/clean.ts';
import { Log } from '../../src/report/log.ts';
import { anyText, longText, secret, characterOf } from './arbitraries.ts';
import { captureLines, makeLog } from './written.ts';

const TEXT = fc.oneof({ arbitrary: anyText(), weight: 8 }, { arbitrary: longText(), weight: 1 });
const VISIBLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u;
const ANNOTATIONS = ['notice', 'warning', 'error'] as const;

/** What the runner makes of lines, read one after the other. */
function readAll(lines: readonly string[]): readonly Reading[] {
  const reader = new CommandReader();
  return lines.map((line) => reader.read(line));
}

/** A title as it comes back: the runner drops equals signs before it and white space around it. */
function readTitle(title: string): string {
  return showText(title).replace(/^=+/, '').trim();
}

beforeEach(() => setEnvironment({ RUNNER_DEBUG: '1' }));

describe('what goes through the log', () => {
  test('is plain text for the runner where it is info', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const lines = captureLines(() => new Log().info(text));
        expect(readAll(lines)).toEqual(lines.map(() => ({ kind: 'text', command: undefined })));
        expect(lines.join('\n').length).toBeLessThanOrEqual(MAX_SHOWN_CHARACTERS);
      }),
      { numRuns: 750 },
    );
  });

  test('is the one command that was meant where it is debug', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const readings = readAll(captureLines(() => new Log().debug(text)));
        const command = { command: 'debug', properties: {}, data: showText(text) };
        expect(readings).toEqual([{ kind: 'command', command }]);
      }),
      { numRuns: 400 },
    );
  });

  test.each(ANNOTATIONS)('is one %s with its title and its text', (kind) => {
    fc.assert(
      fc.property(TEXT, TEXT, (text, title) => {
        const lines = captureLines(() => new Log()[kind](title, text));
        const [reading, ...others] = readAll(lines);
        expect(others).toEqual([]);
        const command = reading?.kind === 'command' ? reading.command : undefined;
        expect(command?.command).toBe(kind);
        expect(command?.data).toBe(showText(text));
        const { title: shown = '', ...properties } = command?.properties ?? {};
        expect(properties).toEqual({});
        expect(shown.trim()).toBe(readTitle(title));
      }),
      { numRuns: 250 },
    );
  });

  test('is visible, in lines that end with \\n, and not too long', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const shown = showText(text);
        expect(shown.replace(/[\t\n]/g, '')).toMatch(VISIBLE);
        expect(shown.length).toBeLessThanOrEqual(MAX_SHOWN_CHARACTERS);
        expect(shown.isWellFormed()).toBe(true);
      }),
      { numRuns: 750 },
    );
  });

  test('does not change any more when it goes through it again', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const shown = showText(text);
        expect(showText(shown)).toBe(shown);
      }),
      { numRuns: 750 },
    );
  });

  test('has a line wherever a reader or the runner would see one', () => {
    const end = fc.constantFrom('\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029');
    const words = fc.string({ unit: characterOf('ab é扫'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1 }), end, (lines, lineEnd) => {
        expect(showText(lines.join(lineEnd))).toBe(lines.join('\n'));
      }),
    );
  });

  test('keeps everything that was harmless', () => {
    const harmless = fc.string({
      unit: characterOf('ab:#[] %=,"é扫🔍\t\n'),
      maxLength: 60,
      size: 'max',
    });
    fc.assert(
      fc.property(harmless, (text) => {
        fc.pre(!/^\s*::/m.test(text) && !text.includes('##['));
        expect(showText(text)).toBe(text);
      }),
    );
  });
});

describe('what masks a secret', () => {
  test('is one command with exactly that secret', () => {
    fc.assert(
      fc.property(secret(), (known) => {
        const log = makeLog();
        const readings = readAll(captureLines(() => log.protect(known)));
        const command = { command: 'add-mask', properties: {}, data: known };
        expect(readings).toEqual([{ kind: 'command', command }]);
      }),
      { numRuns: 250 },
    );
  });
});

describe('joinLines and cutText', () => {
  test('make one line, of the same words', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const joined = joinLines(text);
        expect(joined).not.toContain('\n');
        expect(joined.split(/\s+/).join('')).toBe(text.split(/\s+/).join(''));
      }),
    );
  });

  test('cut to what may be shown, and keep the beginning', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 2, max: 40 }),
        (text, most) => {
          const cut = cutText(text, most);
          expect(cut.length).toBeLessThanOrEqual(most);
          expect(cut.isWellFormed()).toBe(true);
          expect(text.startsWith(cut.replace(/ …$/, '')) || cut === text).toBe(true);
          expect(cut === text).toBe(text.length <= most);
        },
      ),
    );
  });
});
