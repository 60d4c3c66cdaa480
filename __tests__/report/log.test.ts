import { beforeEach, describe, expect, test } from '@jest/globals';
import { clean, hide, mask } from '../../src/redaction/clean.ts';
import { Log } from '../../src/report/log.ts';
import { captureOutput } from '../support/report.ts';
import { setEnvironment } from '../support/workspace.ts';

const KINDS = ['notice', 'warning', 'error'] as const;
const ENGINES = ['ACT', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS'];

beforeEach(() => {
  const none = Object.fromEntries(ENGINES.map((name) => [name, undefined]));
  setEnvironment(none);
});

test('asks the runner to mask a secret, without the white space around it, once and before the next line', () => {
  const log = new Log().named('a');
  const writers = [() => log.info('x'), () => log.error('Title', 'x'), () => log.startGroup('x')];
  for (const [index, write] of writers.entries()) {
    const output = captureOutput();
    for (const text of [` s3cret-${index}\n`, `s3cret-${index}`, ' \t\n']) mask(text);
    write();
    expect(output.lines[0]).toBe(`::add-mask::s3cret-${index}`);
    expect(output.lines.filter((line) => line.startsWith('::add-mask'))).toHaveLength(1);
  }
  expect(clean('::x:: s3c\u001b[31mr\u200bet-0 a b\t\n')).toBe('::x:: *** a b\t\n');
});

describe('Log', () => {
  test('writes its label in each line and each title', () => {
    const output = captureOutput();
    const parent = new Log();
    const log = parent.named('shop');
    log.info('one');
    log.detail('two');
    parent.detail('detail');
    for (const kind of KINDS) log[kind]('Title', 'three');
    parent.info('four');
    expect(output.lines).toEqual([
      '[shop] one',
      'detail',
      ...KINDS.map((kind) => `::${kind} title=Title [shop]::[shop] three`),
      'four',
    ]);
    expect(parent.named(undefined)).toBe(parent);
  });

  test.each(ENGINES)('writes title and lines also as text if %s is true, not false', (name) => {
    const output = captureOutput();
    for (const value of ['false', 'true']) {
      setEnvironment({ [name]: value });
      new Log().named('a').error('Title', 'one\ntwo');
    }
    const command = '::error title=Title [a]::[a] one%0Atwo';
    const text = ['[a] Title [a]', '[a] one', '[a] two'];
    expect(output.lines).toEqual([command, ...text, command]);
  });

  test('shows no secret in a line, in a group, and in the title and the text of an annotation', () => {
    const output = captureOutput();
    const log = new Log();
    hide('s3cret');
    log.info('s3cret 1');
    log.startGroup('s3cret 2');
    log.error('s3cret 3', 's3cret 4');
    expect(output.lines).toEqual(['*** 1', '::group::*** 2', '::error title=*** 3::*** 4']);
  });

  test('cuts an annotation, with its label, to the limit of the runner', () => {
    const output = captureOutput();
    const long = 'x'.repeat(9000);
    new Log().named('y'.repeat(500)).error('Title', `${long}${long}`);
    expect(output.text.trim().split('::').at(-1)).toHaveLength(4000);
  });
});
