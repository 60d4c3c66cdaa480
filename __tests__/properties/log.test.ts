import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { setEnvironment } from '../service/fixtures.ts';
import { CommandReader } from '../../local/step/command-reader.ts';
import type { Reading } from '../../local/step/command-reader.ts';
import { MAX_SHOWN_CHARACTERS, cutText, joinLines } from '../../src/report/clean.ts';
import type { Log } from '../../src/report/log.ts';
import { anyText, around, hostileText, longText, secret, characterOf } from './arbitraries.ts';
import { captureLines, makeLog } from './written.ts';

const TEXT = fc.oneof({ arbitrary: anyText(), weight: 8 }, { arbitrary: longText(), weight: 1 });
/** A log, and a text that may name its secret. */
const SECRETIVE = secret(4).chain((known) =>
  fc.record({ known: fc.constant(known), text: fc.oneof(TEXT, around(known, hostileText())) }),
);
const VISIBLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u;
const ANNOTATIONS = ['notice', 'warning', 'error'] as const;

/** What the runner makes of lines, read one after the other. */
function readAll(lines: readonly string[]): readonly Reading[] {
  const reader = new CommandReader();
  return lines.map((line) => reader.read(line));
}

/** A title as it comes back: the runner drops equals signs before it and white space around it. */
function readTitle(log: Log, title: string): string {
  return log.clean(title).replace(/^=+/, '').trim();
}

beforeEach(() => setEnvironment({ RUNNER_DEBUG: '1' }));

describe('what goes through the log', () => {
  test('is plain text for the runner where it is info', () => {
    fc.assert(
      fc.property(SECRETIVE, ({ known, text }) => {
        const log = makeLog(known);
        const lines = captureLines(() => log.info(text));
        expect(readAll(lines)).toEqual(lines.map(() => ({ kind: 'text', command: undefined })));
        expect(lines.join('\n').length).toBeLessThanOrEqual(MAX_SHOWN_CHARACTERS);
      }),
      { numRuns: 750 },
    );
  });

  test('is the one command that was meant where it is debug', () => {
    fc.assert(
      fc.property(SECRETIVE, ({ known, text }) => {
        const log = makeLog(known);
        const readings = readAll(captureLines(() => log.debug(text)));
        const command = { command: 'debug', properties: {}, data: log.clean(text) };
        expect(readings).toEqual([{ kind: 'command', command }]);
      }),
      { numRuns: 400 },
    );
  });

  test.each(ANNOTATIONS)('is one %s with its title and its text', (kind) => {
    fc.assert(
      fc.property(SECRETIVE, TEXT, ({ known, text }, title) => {
        const log = makeLog(known);
        const [reading, ...others] = readAll(captureLines(() => log[kind](title, text)));
        expect(others).toEqual([]);
        const command = reading?.kind === 'command' ? reading.command : undefined;
        expect(command?.command).toBe(kind);
        expect(command?.data).toBe(log.clean(text));
        const { title: shown = '', ...properties } = command?.properties ?? {};
        expect(properties).toEqual({});
        expect(shown.trim()).toBe(readTitle(log, title));
      }),
      { numRuns: 250 },
    );
  });

  test('is visible, in lines that end with \\n, and not too long', () => {
    fc.assert(
      fc.property(SECRETIVE, ({ known, text }) => {
        const cleaned = makeLog(known).clean(text);
        expect(cleaned.replace(/[\t\n]/g, '')).toMatch(VISIBLE);
        expect(cleaned.length).toBeLessThanOrEqual(MAX_SHOWN_CHARACTERS);
        expect(cleaned.isWellFormed()).toBe(true);
      }),
      { numRuns: 750 },
    );
  });

  test('does not change any more when it goes through it again', () => {
    fc.assert(
      fc.property(SECRETIVE, ({ known, text }) => {
        const log = makeLog(known);
        const cleaned = log.clean(text);
        expect(log.clean(cleaned)).toBe(cleaned);
      }),
      { numRuns: 750 },
    );
  });

  test('has a line wherever a reader or the runner would see one', () => {
    const end = fc.constantFrom('\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029');
    const words = fc.string({ unit: characterOf('ab é扫'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1 }), end, (lines, lineEnd) => {
        expect(makeLog().clean(lines.join(lineEnd))).toBe(lines.join('\n'));
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
        expect(makeLog().clean(text)).toBe(text);
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
