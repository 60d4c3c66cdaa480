import { describe, expect, test } from '@jest/globals';
import { Masks } from '../../local/step/masks.ts';
import { StepLog } from '../../local/step/step-log.ts';
import { Transcript } from '../../local/step/transcript.ts';

interface Told {
  readonly log: StepLog;
  readonly transcript: Transcript;
}

function tell(lines: readonly string[], showsDebug = false): Told {
  const log = new StepLog(showsDebug);
  const transcript = new Transcript(log);
  lines.forEach((line) => transcript.read(line, 'stdout'));
  return { log, transcript };
}

describe('Masks', () => {
  test('hides a value, each of its lines and their encoded forms', () => {
    const masks = new Masks();
    masks.add('pa ss&1\nsecond');
    expect(masks.values).toEqual(['pa ss&1\nsecond']);
    const encoded = Buffer.from('pa ss&1').toString('base64');
    expect(masks.apply(`pa ss&1 second ${encoded} pa%20ss%261 pa ss&amp;1`)).toBe(
      '*** *** *** *** ***',
    );
  });

  test('hides overlapping values as one and knows no patterns', () => {
    const masks = new Masks();
    masks.add('abc');
    masks.add('bcd');
    masks.add('a.c');
    expect(masks.apply('xabcdx axc abcabc')).toBe('x***x axc ***');
    masks.add('aba');
    expect(masks.apply('ababa')).toBe('***');
  });
});

describe('Transcript', () => {
  test('shows annotations by their level and collects them', () => {
    const { log, transcript } = tell(['::error title=T::e%0Af', '::warning::w', '::notice::n']);
    expect(log.text).toBe('Error: e\nf\nWarning: w\nNotice: n\n');
    expect(log.annotations).toEqual([
      { level: 'error', title: 'T', message: 'e\nf' },
      { level: 'warning', title: undefined, message: 'w' },
      { level: 'notice', title: undefined, message: 'n' },
    ]);
    expect(transcript.commands[0]).toEqual({
      command: 'error',
      properties: { title: 'T' },
      data: 'e\nf',
      line: '::error title=T::e%0Af',
      stream: 'stdout',
    });
    expect(log.commandFailed).toBe(false);
  });

  test('hides add-mask and what it masks from there on', () => {
    const { log } = tell(['s3cret', '::add-mask::s3cret', 'a s3cret', '::error::s3cret']);
    expect(log.text).toBe('s3cret\na ***\nError: ***\n');
    expect(log.masks.values).toEqual(['s3cret']);
  });

  test('warns about an empty mask', () => {
    expect(tell(['::add-mask:: ']).log.text).toMatch(/^Warning: Can't add secret mask/);
  });

  test('shows debug lines only with debug logging', () => {
    expect(tell(['::debug::d', 'x']).log.text).toBe('x\n');
    expect(tell(['::debug::d', 'x'], true).log.text).toBe('##[debug]d\nx\n');
  });

  test('shows groups by their titles', () => {
    expect(tell(['::group::G', 'x', '::endgroup::']).log.text).toBe('▼ G\nx\n');
  });

  test('leaves unknown commands in the log and records them', () => {
    const { log, transcript } = tell(['::frobnicate::x']);
    expect(log.text).toBe('::frobnicate::x\n');
    expect(transcript.commands).toMatchObject([
      { command: 'unknown', properties: { name: 'frobnicate' }, data: 'x' },
    ]);
  });

  test('obeys set-output with a warning and refuses set-env', () => {
    const told = tell(['::set-output name=a::1', '::set-output::2']);
    expect([...told.transcript.outputs]).toEqual([['a', '1']]);
    expect(told.log.annotations[0]).toMatchObject({ level: 'warning' });
    expect(told.log.commandFailed).toBe(true);
    expect(tell(['::set-env name=a::1']).log.commandFailed).toBe(true);
    expect(tell(['##[add-path]x']).log.commandFailed).toBe(true);
  });

  test('echoes commands where that is switched on, but not those shown otherwise', () => {
    const lines = [
      '::echo::on',
      '::save-state name=a::1',
      '::debug::d',
      '::echo::off',
      '::group::g',
    ];
    const { log } = tell(lines);
    expect(log.text).toBe(
      '::save-state name=a::1\nWarning: The `save-state` command is deprecated.\n::echo::off\n▼ g\n',
    );
    expect(tell(['::echo::perhaps']).log.commandFailed).toBe(true);
  });

  test('prints lines as they are while commands are stopped', () => {
    const { log, transcript } = tell([
      '::stop-commands::tok',
      '::error::x',
      '::tok::',
      '::error::y',
    ]);
    expect(log.text).toBe('::stop-commands::tok\n::error::x\n::tok::\nError: y\n');
    expect(transcript.commands.map(({ command }) => command)).toEqual(['stop-commands', 'error']);
  });

  test('fails a step that stops commands with a guessable token', () => {
    const { log } = tell(['::stop-commands::error', '::warning::x']);
    expect(log.commandFailed).toBe(true);
    expect(log.annotations.map(({ level }) => level)).toEqual(['error', 'warning']);
  });
});
