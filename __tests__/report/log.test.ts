import { beforeEach, describe, expect, test } from '@jest/globals';
import { Log } from '../../src/report/log.ts';
import { PAYLOADS } from '../faults/harness/hostile.ts';
import { setEnvironment } from '../support/environment.ts';
import { captureOutput, findCommands } from '../support/report.ts';

const KINDS = ['notice', 'warning', 'error'] as const;

const ENGINES = ['ACT', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS'];

beforeEach(() => {
  const none = Object.fromEntries(ENGINES.map((name) => [name, undefined]));
  setEnvironment({ ...none, RUNNER_DEBUG: '1' });
});

describe('Log.protect and Log.hide', () => {
  test('mask a secret once, without the white space around it, and redact it', () => {
    const output = captureOutput();
    const log = new Log();
    log.protect(' s3cret\n');
    expect(log.clean('a s3cret b')).toBe('a *** b');
    expect(output.lines).toEqual(['::add-mask::s3cret']);
  });

  test('redact a part of a secret without masking it, until it is a secret too', () => {
    const output = captureOutput();
    const log = new Log();
    log.hide('part');
    expect(log.clean('a part b')).toBe('a *** b');
    expect(output.text).toBe('');
    log.protect('part');
    expect(output.lines).toEqual(['::add-mask::part']);
  });

  test('ignore blank text', () => {
    const output = captureOutput();
    const log = new Log();
    for (const blank of ['', ' ', '\t\n']) {
      log.protect(blank);
      log.hide(blank);
    }
    expect(output.text).toBe('');
    expect(log.clean('a b\t\n')).toBe('a b\t\n');
  });

  test('share the secrets with every named log', () => {
    const output = captureOutput();
    const log = new Log();
    log.protect('before');
    const [one, other] = [log.named('a'), log.named('b')];
    one.protect('learned');
    other.hide('hidden');
    for (const each of [log, one, other]) {
      expect(each.clean('before learned hidden')).toBe('*** *** ***');
    }
    expect(output.lines).toEqual(['::add-mask::before', '::add-mask::learned']);
  });
});

describe('Log.clean', () => {
  test('removes invisible characters and secrets, and nothing else', () => {
    captureOutput();
    const log = new Log();
    log.protect('s3cret');
    const rest = 'a'.repeat(5000);
    expect(log.clean(`::x:: s3c\u001b[31mr\u200bet ${rest}`)).toBe(`::x:: *** ${rest}`);
  });
});

describe('Log', () => {
  test('writes its label in each line and each title', () => {
    const output = captureOutput();
    const parent = new Log();
    const log = parent.named('shop');
    log.info('one');
    log.debug('two');
    for (const kind of KINDS) log[kind]('Title', 'three');
    parent.info('four');
    expect(output.lines).toEqual([
      '[shop] one',
      '::debug::[shop] two',
      ...KINDS.map((kind) => `::${kind} title=Title [shop]::[shop] three`),
      'four',
    ]);
    expect(parent.named(undefined)).toBe(parent);
  });

  test.each(['a\n::error::x', 'a\r##[error]x', 'a] \n ::set-output name=uploaded::true'])(
    'writes no runner command from a label: %j',
    (label) => {
      const output = captureOutput();
      const log = new Log().named(label);
      log.info('text');
      expect(findCommands(output.text)).toEqual([]);
      log.error('Title', 'text');
      expect(output.lines.filter((line) => line.startsWith('::'))).toHaveLength(1);
      expect(findCommands(output.text)).toHaveLength(1);
    },
  );

  test('truncates long texts, titles and labels', () => {
    const output = captureOutput();
    const long = 'x'.repeat(100_000);
    for (const log of [new Log(), new Log().named(long)]) {
      log.info(long);
      log.debug(long);
      for (const kind of KINDS) log[kind](long, long);
    }
    expect(output.lines).toHaveLength(10);
    for (const line of output.lines) expect(line.length).toBeLessThan(2 * 4096);
  });
});

describe('with an engine that does not decode commands, Log', () => {
  const BOTH = ['warning', 'error'] as const;

  test.each(ENGINES)('writes title and lines as text before the command if %s is true', (name) => {
    setEnvironment({ [name]: 'true' });
    const output = captureOutput();
    const log = new Log().named('a');
    log.notice('Title', 'one');
    for (const kind of BOTH) log[kind]('Title', 'one\ntwo');
    expect(output.lines).toEqual([
      '[a] Title [a]',
      '[a] one',
      '::notice title=Title [a]::[a] one',
      ...BOTH.flatMap((kind) => [
        '[a] Title [a]',
        '[a] one',
        '[a] two',
        `::${kind} title=Title [a]::[a] one%0Atwo`,
      ]),
    ]);
  });

  test.each(['false', '1', '', undefined])('writes only the command if ACT is %s', (value) => {
    setEnvironment({ ACT: value });
    const output = captureOutput();
    new Log().error('Title', 'one\ntwo');
    expect(output.lines).toEqual(['::error title=Title::one%0Atwo']);
  });

  test('writes no other command from a text', () => {
    setEnvironment({ GITEA_ACTIONS: 'true' });
    const output = captureOutput();
    const log = new Log();
    for (const text of [...PAYLOADS, 'one\u200b\r::error::50% ##[x]']) {
      for (const kind of BOTH) log[kind](`Title\n${text}`, `${text}\n${text}`);
    }
    for (const command of findCommands(output.text)) {
      expect(command).toMatch(/^::(?:warning|error) title=Title/);
    }
  });
});

describe('Log.warning and Log.countWarnings', () => {
  test.each([
    [9, 9, []],
    [10, 9, ['Warning: w9', '::warning title=Scan upload::1 more warning: see the log.']],
    [
      12,
      9,
      [
        '[a] Warning: w9',
        'Warning: w10',
        '[a] Warning: w11',
        '::warning title=Scan upload::3 more warnings: see the log.',
      ],
    ],
  ])(
    'given %i warnings, some of named logs, annotate %i and count the rest',
    (count, own, rest) => {
      const output = captureOutput();
      const log = new Log();
      for (let index = 0; index < count; index += 1) {
        const each = index % 2 === 1 && count > 10 ? log.named('a') : log;
        each.warning('Title', `w${index}`);
      }
      log.countWarnings();
      expect(output.lines.slice(own)).toEqual(rest);
      for (const line of output.lines.slice(0, own)) expect(line).toMatch(/^::warning title=Title/);
    },
  );
});

describe('Log.detail and Log.debug', () => {
  test.each<[string | undefined, string, readonly string[]]>([
    [undefined, '1', ['detail', '::debug::debug']],
    [undefined, '0', ['detail']],
    ['shop', '1', ['::debug::[shop] detail', '::debug::[shop] debug']],
    ['shop', 'true', []],
    ['shop', '', []],
  ])('with the label %s and RUNNER_DEBUG=%j write %j', (label, debug, lines) => {
    setEnvironment({ RUNNER_DEBUG: debug });
    const output = captureOutput();
    const log = new Log().named(label);
    log.detail('detail');
    log.debug('debug');
    expect(output.lines).toEqual(lines);
  });
});
