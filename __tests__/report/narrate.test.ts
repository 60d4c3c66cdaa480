import { adviseAttempt } from '../../src/results/failure.ts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SeverityCounts } from '../../src/formats/severity.ts';
import type { UploadPlan } from '../../src/plan/plan.ts';
import { Log } from '../../src/report/log.ts';
import type { UploadEvents } from '../../src/upload/upload.ts';
import type { Situation } from '../../src/outcomes/situations.ts';
import {
  narrateOperation,
  narrateParts,
  runPhase,
  narrateResults,
  narrateUpload,
} from '../../src/report/narrate.ts';
import { makeBom } from '../support/contents.ts';
import { makePlan, makeScanFile } from '../support/plans.ts';
import { KIB, MIB, SCAN_KEY } from '../support/samples.ts';
import { cleanUp } from '../support/scope.ts';
import { setEnvironment } from '../support/environment.ts';
import { FAILURE, captureOutput, findLines, makeBatch, makeScan } from '../support/report.ts';
import { SETTINGS, makeAttempt } from '../support/attempts.ts';
import type { ResponseSpec } from '../support/attempts.ts';

const LARGE = { ...SETTINGS, bodyBytes: 10 * MIB };
const TARGET = { baseUrl: new URL('https://scan.example/tenant'), proxy: undefined };
const OPERATION =
  'Operation: upload-multiple-files, POST https://scan.example/tenant/v1/scanner/upload-multiple-files';

const FIRST = 'Attempt 1: connecting to https://scan.example';
const WAITING = 'Waiting 7.4 s before the next attempt; 65 s of `timeout-seconds` are left.';

beforeEach(() => setEnvironment({ RUNNER_DEBUG: undefined }));

async function makePair(): Promise<UploadPlan> {
  const content = { ...makeBom(1, 0), tool: 'syft 1.38.0' };
  const bom = await makeScanFile({ name: 'bom.cdx.json', size: 2 * KIB, content });
  return makePlan('upload-multiple-files', bom, await makeScanFile({ name: 'report.json' }));
}

/** The lines that `write` logs. */
function logLines(write: (log: Log) => void): readonly string[] {
  const output = captureOutput();
  write(new Log());
  return output.lines;
}

function narrate(): UploadEvents {
  return narrateUpload(LARGE, new Log());
}

function fail(
  narration: UploadEvents,
  situation: Situation,
  response: ResponseSpec | undefined,
  maxAttempts = 9,
): void {
  const attempt = makeAttempt({ response });
  narration.onRetry({ attempt, situation, maxAttempts, waitMs: 7400, remainingMs: 65_000 });
}

function count(counts: Partial<SeverityCounts>): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...counts };
}

const CONTEXT = { last: makeAttempt(), settings: LARGE, result: 'not-sent' } as const;

describe('runPhase', () => {
  const PHASE = { title: 'Inspecting ##[error]scans', done: 'inspected' };

  async function run(scans: number, work: (advance: () => void) => Promise<number>) {
    const output = captureOutput();
    return { result: runPhase({ ...PHASE, scans }, new Log(), work), output };
  }

  test.each([0, 1])('runs the work without a group for %i scans', async (scans) => {
    const { result, output } = await run(scans, async (advance) => {
      advance();
      return 3;
    });
    expect(await result).toBe(3);
    expect(output.lines).toEqual([]);
  });

  test('puts the lines of several scans into a group, and closes it even after an error', async () => {
    const { result, output } = await run(2, async () => {
      new Log().info('a line');
      throw new Error('cancelled');
    });
    await expect(result).rejects.toThrow('cancelled');
    expect(output.lines).toEqual(['::group::Inspecting ## [error]scans', 'a line', '::endgroup::']);
  });

  test('logs every five seconds how many scans have passed the phase', async () => {
    jest.useFakeTimers();
    cleanUp(async () => void jest.useRealTimers());
    const { result, output } = await run(400, async (advance) => {
      for (let scan = 0; scan < 12; scan += 1) {
        jest.setSystemTime(Date.now() + 1000);
        jest.advanceTimersByTime(1000);
        advance();
      }
      return 0;
    });
    await result;
    expect(output.lines.slice(1, -1)).toEqual(['5 of 400 inspected', '10 of 400 inspected']);
  });
});

describe('narrateResults', () => {
  const KEY = `scan key ${SCAN_KEY}`;

  const NONE_SENT = { statusCode: undefined, attempts: 0 };
  test.each([
    [{ label: 'shop' }, `[shop] Result: accepted (200) after 1 attempt, 300 ms, ${KEY}`],
    [
      { result: 'rejected', statusCode: 400, attempts: 3, durationMs: 7500 },
      `Result: rejected (400) after 3 attempts, 7.5 s, ${KEY}`,
    ],
    [{ result: 'not-sent', ...NONE_SENT, durationMs: undefined }, `Result: not sent, ${KEY}`],
    [{ result: 'skipped', ...NONE_SENT, scanKey: undefined }, 'Result: skipped, 300 ms'],
  ] as const)('says in one line how a scan ended (%#)', (scan, line) => {
    const batch = makeBatch([makeScan(scan)]);
    expect(logLines((log) => narrateResults(batch, log))).toEqual([line]);
  });

  test('logs the result of a step without scans', () => {
    const batch = makeBatch([], { failure: FAILURE });
    const lines = logLines((log) => narrateResults(batch, log));
    expect(lines).toEqual(['Result: not sent (problem)']);
  });
});

test('narrateParts logs what each file was recognised as', async () => {
  const pair = await makePair();
  expect(logLines((log) => narrateParts(pair, log))).toEqual([
    "DependenciesCDX 'bom.cdx.json': 2.0 KiB, CycloneDX 1.6, by syft 1.38.0, 1 component, 0 vulnerabilities",
    "VulnerabilitiesTool 'report.json': 2 bytes, JSON of no known format",
  ]);
});

test.each<[string, Partial<SeverityCounts> | undefined]>([
  ['3 findings: 1 critical, 2 high', { critical: 1, high: 2 }],
  ['1,204 findings: 1,200 info, 4 unrated', { none: 1200, unknown: 4 }],
  ['0 findings', {}],
  ['7 findings', undefined],
])('narrateParts counts the severities that there are: %s', async (counts, given) => {
  const findings = Number.parseInt(counts.replace(',', ''), 10);
  const severities = given && { severities: count(given) };
  const content = { format: 'grype', inspected: 'full', findings, ...severities } as const;
  const plan = makePlan('upload-file', await makeScanFile({ content }));
  const lines = logLines((log) => narrateParts(plan, log));
  expect(lines.map((line) => line.replace(/^.*Grype, /, ''))).toEqual([counts]);
});

test.each([
  [0.9, ''],
  [1.1, ', written 1 h ago'],
  [47.9, ', written 47 h ago'],
  [73, ', written 3 days ago'],
])('narrateParts says when a file was written %f hours before the step', async (hours, age) => {
  const writtenMs = Math.floor(performance.timeOrigin - hours * 3_600_000);
  const file = await makeScanFile({ mtimeNs: BigInt(writtenMs) * 1_000_000n });
  const plan = makePlan('upload-file', file);
  const lines = logLines((log) => narrateParts(plan, log));
  expect(lines).toEqual([expect.stringMatching(new RegExp(`JSON of no known format${age}$`))]);
});

describe('narrateOperation', () => {
  const url = new URL('http://proxy.example:3128');
  const proxy = { url, authorization: undefined };
  test.each([
    [TARGET, OPERATION],
    [{ ...TARGET, proxy }, `${OPERATION} through the proxy proxy.example:3128`],
    [{ ...TARGET, baseUrl: undefined }, 'Operation: upload-multiple-files'],
  ])('logs the URL, if there is one, and the proxy (%#)', async (target, line) => {
    const plan = await makePair();
    expect(logLines((log) => narrateOperation(plan, target, log))).toEqual([line]);
  });
});

describe('narrateUpload', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    cleanUp(async () => void jest.useRealTimers());
  });

  test('logs which attempt starts, and once one has failed how many there will be at most', () => {
    const output = captureOutput();
    const narration = narrate();
    narration.onAttempt(1);
    fail(narration, 'name-unknown', {}, 4);
    narration.onAttempt(2);
    expect(output.lines[0]).toBe(FIRST);
    expect(output.lines.at(-1)).toBe('Attempt 2 of at most 4: connecting to https://scan.example');
  });

  test('continues after an error in making the words', () => {
    const output = captureOutput();
    const attempt = Object.defineProperty(makeAttempt(), 'failure', {
      get: () => {
        throw new TypeError('no words');
      },
    });
    const waits = { maxAttempts: 9, waitMs: 7400, remainingMs: 65_000 };
    narrate().onRetry({ attempt, situation: 'stalled', ...waits });
    expect(output.lines).toEqual(['Attempt 0 failed: no words', WAITING]);
  });

  test('reports progress at most every five seconds, for each attempt, and once that it waits', () => {
    const output = captureOutput();
    const narration = narrate();
    for (const attempt of [1, 2]) {
      narration.onAttempt(attempt);
      narration.onState('sending');
      for (let sent = MIB; sent <= 10 * MIB; sent += MIB) {
        jest.advanceTimersByTime(2000);
        narration.onSent(sent);
      }
      jest.advanceTimersByTime(5000);
      narration.onState('reading');
    }
    const lines = [
      'Sending 10.0 MiB',
      'Sent 3.0 MiB of 10.0 MiB (30 %)',
      'Sent 6.0 MiB of 10.0 MiB (60 %)',
      'Sent 9.0 MiB of 10.0 MiB (90 %)',
      'Everything was sent; waiting for the response (at most 300 s, within `timeout-seconds`)',
    ];
    expect(output.lines).toEqual([FIRST, ...lines, FIRST.replace('1', '2'), ...lines]);
  });

  test.each([
    [4999, 'reading', 0],
    [4999, 'ended', 0],
    [5000, 'reading', 1],
    [9000, 'ended', 1],
  ] as const)(
    'logs after %i ms without a response that it waits, not after %s',
    (ms, state, lines) => {
      const output = captureOutput();
      const narration = narrate();
      narration.onAttempt(1);
      narration.onSent(10 * MIB);
      jest.advanceTimersByTime(ms);
      narration.onState(state);
      jest.advanceTimersByTime(9000);
      expect(findLines(output.text, /^Everything was sent/)).toHaveLength(lines);
      expect(jest.getTimerCount()).toBe(0);
    },
  );

  test('logs how an attempt ended, the wait before the next one, and the rest of the time limit', () => {
    const output = captureOutput();
    const narration = narrate();
    narration.onAttempt(3);
    for (const detail of ['Busy.', 'x'.repeat(4096)]) {
      fail(narration, 'unavailable', { status: 503, body: JSON.stringify({ detail }) });
    }
    fail(narration, 'rate-limited', { status: 429, retryAfterMs: 6000 });
    expect(output.lines.slice(1)).toEqual([
      'Attempt 3 failed: Busy.',
      WAITING,
      `Attempt 3 failed: ${'x'.repeat(1498)} …`,
      WAITING,
      expect.stringMatching(/^Attempt 3 failed: /),
      WAITING.replace('before', '(the service asks for 6.0 s) before'),
    ]);
  });

  test('logs the fix of a failed connection with its first attempt', () => {
    const output = captureOutput();
    const narration = narrate();
    const situations = ['name-unknown', 'name-unknown', 'connect-failed'] as const;
    for (const situation of situations) fail(narration, situation, undefined);
    const fixes = situations.slice(1).flatMap((situation) => adviseAttempt(situation, CONTEXT));
    expect(output.lines.filter((line) => !/^(?:Attempt|Waiting) /.test(line))).toEqual(fixes);
  });
});

test.each([
  [undefined, []],
  ['1', [`::debug::[shop] ${OPERATION}`, `::debug::[shop] ${FIRST}`]],
])('the log of one of several scans names it, with RUNNER_DEBUG=%s', async (debug, details) => {
  setEnvironment({ RUNNER_DEBUG: debug });
  const output = captureOutput();
  const log = new Log().named('shop');
  narrateOperation(await makePair(), TARGET, log);
  const narration = narrateUpload(SETTINGS, log);
  narration.onAttempt(1);
  narration.onAttempt(2);
  expect(output.lines).toEqual([...details, `[shop] ${FIRST.replace('1', '2')}`]);
});
