import { describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFailures, type Outcome } from '../../local/demo/check.ts';
import { makeScenarios, type Scenario } from '../../local/demo/scenarios.ts';
import { showScenario } from '../../local/demo/show.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const SCENARIO: Scenario = {
  heading: 'Title',
  inputs: { 'scan-file': '*.json' },
  uploads: [{ scanKey: 'key', files: { Part: 'a.json' }, isKept: true }],
  expected: { exitCode: 0, outputs: { uploaded: 'true' } },
};

const OUTCOME: Outcome = {
  run: {
    exitCode: 0,
    signal: null,
    timedOut: false,
    failed: false,
    stdout: '',
    stderr: '',
    commands: [],
    annotations: [],
    masks: [],
    outputs: { uploaded: 'true', other: 'x' },
    summary: '',
    log: 'line one\n\nline two\n',
    durationMs: 1,
  },
  parts: [{ part: 'Part', file: 'a.json', sent: 'aa', received: 'aa', isKept: true }],
  newUploads: 1,
};

describe('findFailures', () => {
  test('has nothing to say about what was expected', () => {
    expect(findFailures(SCENARIO, OUTCOME)).toEqual([]);
  });

  test.each([
    [{ run: { ...OUTCOME.run, exitCode: 1 } }, 'exit code: 1 instead of 0'],
    [{ run: { ...OUTCOME.run, exitCode: null } }, 'exit code: none instead of 0'],
    [{ run: { ...OUTCOME.run, outputs: {} } }, 'output uploaded: none instead of true'],
    [{ newUploads: 0 }, 'uploads kept: 0 instead of 1'],
    [
      { parts: [{ part: 'Part', file: 'a', sent: 'aa', received: 'ab', isKept: true }] },
      'sha256 of Part as kept: ab instead of aa',
    ],
    [
      { parts: [{ part: 'Part', file: 'a', sent: 'aa', received: undefined, isKept: true }] },
      'sha256 of Part as kept: none instead of aa',
    ],
  ])('names what differs (%#)', (change, failure) => {
    expect(findFailures(SCENARIO, { ...OUTCOME, ...change })).toEqual([failure]);
  });

  test('minds an upload that should not be there', () => {
    const uploads = SCENARIO.uploads.map((upload) => ({ ...upload, isKept: false }));
    const parts = OUTCOME.parts.map((part) => ({ ...part, isKept: false }));
    expect(findFailures({ ...SCENARIO, uploads }, { ...OUTCOME, parts })).toEqual([
      'uploads kept: 1 instead of 0',
      'sha256 of Part as kept: aa instead of none',
    ]);
  });
});

describe('showScenario', () => {
  test('shows the step, its log, outputs, exit code and digests', () => {
    const text = showScenario(SCENARIO, 'http://127.0.0.1:1', OUTCOME);
    expect(text).toContain("      base-url: http://127.0.0.1:1\n      scan-file: '*.json'\n");
    expect(text).toContain('Log:\n  line one\n\n  line two\n');
    expect(text).toContain('Outputs:\n  uploaded=true\n  other=x\n');
    expect(text).toContain('Summary:\n  (empty)\n');
    expect(text).toContain('Exit code:\n  0\n');
    expect(text).toContain('Part (a.json): equal\n    sent     aa\n    received aa\n');
  });
});

describe('local/demo.ts', () => {
  test('shows four steps of the committed action, all as they should be', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'local/demo.ts')]);
    for (const { heading } of makeScenarios()) {
      expect(stdout).toContain(`${heading}\n=`);
    }
    expect(stdout).toMatch(/All 4 steps did what they should\.\n$/);
    expect(stdout).not.toContain('local-demo-token');
  });
});
