import { resolve } from 'node:path';
import { settleWithin } from './abort.ts';
import { StepError } from './errors.ts';
import { findFiles } from './files/find.ts';
import type { FindResult } from './files/find.ts';
import { parsePatterns } from './files/patterns.ts';
import type { Scope } from './files/search.ts';
import { explainUnmatched } from './files/unmatched.ts';
import { readScanFiles } from './formats/inspect.ts';
import type { ScanFile } from './formats/inspect.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { ScanEntry, ScanRequest } from './inputs/scans.ts';
import { describeRepeats } from './repeats.ts';
import { MAX_HEADLINE_CHARACTERS, cutWhole } from './report/clean.ts';
import { explainError } from './report/failure.ts';
import type { Log } from './report/log.ts';
import { narrateParts, narratePhase } from './report/narrate.ts';
import type { ScanResult } from './report/scan-result.ts';
import { applyCheck } from './plan/apply-check.ts';
import { planUpload } from './plan/plan.ts';
import type { UploadPlan } from './plan/plan.ts';
import { listSome } from './text.ts';
import type { Clean } from './text.ts';

/** How many scans a message names. */
const MAX_NAMED = 20;

/** A scan to be sent. */
export interface ReadyScan {
  readonly entry: ScanRequest;
  readonly plan: UploadPlan;
}

/** A scan whose files were inspected, or that ended before. */
export type PreparedScan = ReadyScan | ScanResult;

/** A scan with patterns that match no file. Its message needs the files of all scans. */
interface IncompleteScan {
  readonly entry: ScanRequest;
  readonly found: FindResult;
}

/** What the preparation of every scan needs. */
export interface Preparation {
  readonly inputs: Inputs;
  readonly scope: Scope;
  readonly signal: AbortSignal;
}

/** A preparation, and the paths that patterns match or name: a message must not propose the file of another scan. */
interface Shared extends Preparation {
  readonly taken: Set<string>;
}

/**
 * Finds, inspects and plans the files of all scans before anything is sent. If one scan is invalid, none
 * is sent. Rejects with the signal's reason, and with a StepError if `scans` is empty and
 * `if-no-files-found` is `error`.
 */
export async function prepareScans(
  entries: readonly ScanEntry[],
  preparation: Preparation,
  log: Log,
): Promise<readonly PreparedScan[]> {
  if (entries.length === 0) {
    skip(new StepError('files', '`scans` has no entries.'), preparation.inputs, log);
  }
  const phase = {
    title: `Inspecting ${entries.length} scans`,
    scans: entries.length,
    done: 'inspected',
  };
  const shared = { ...preparation, taken: listNamed(entries, preparation.scope) };
  const searched: (PreparedScan | IncompleteScan)[] = [];
  await narratePhase(phase, log, async (advance) => {
    // One after the other, because parsing a large file takes a lot of memory.
    for (const entry of entries) {
      searched.push(await prepareScan(entry, shared, log.named(entry.label)));
      advance();
    }
  });
  const prepared: PreparedScan[] = [];
  for (const scan of searched) {
    prepared.push(
      'found' in scan ? await explainIncomplete(scan, shared, log.named(scan.entry.label)) : scan,
    );
  }
  const invalid = prepared.filter((scan) => 'result' in scan && scan.failure !== undefined);
  if (invalid.length > 0) {
    const names = listSome(
      invalid.map(({ entry: { label = '' } }) => label),
      MAX_NAMED,
    );
    const error = new StepError(
      'other-scans',
      `Not sent: other scans in this step are invalid (${names}).`,
    );
    const ended = { result: 'not-sent', failure: explainError(error, log.clean) } as const;
    return prepared.map((scan) => ('result' in scan ? scan : { ...scan, ...ended }));
  }
  const keyed = prepared.flatMap(({ entry, plan }) =>
    'error' in entry ? [] : [{ ...entry, parts: plan?.parts ?? [] }],
  );
  const repeats = describeRepeats(keyed);
  if (repeats.length > 0) log.warning('Scan upload (scans)', repeats.join('\n'));
  return prepared;
}

/** The paths that invalid entries name: their patterns are not searched. */
function listNamed(entries: readonly ScanEntry[], { workspace }: Scope): Set<string> {
  const selections = entries.flatMap((entry) => ('error' in entry ? entry.selection : []));
  const includes = selections.flatMap(({ text }) => parsePatterns(text).includes);
  return new Set(includes.map(({ text }) => resolve(workspace, text)));
}

async function prepareScan(
  entry: ScanEntry,
  { inputs, scope, signal, taken }: Shared,
  log: Log,
): Promise<PreparedScan | IncompleteScan> {
  let plan: UploadPlan | undefined;
  try {
    if ('error' in entry) throw entry.error;
    const found = await settleWithin(findFiles(entry.selection, scope, signal), signal);
    for (const { path } of found.files) taken.add(path);
    if (found.unmatched.length > 0) return { entry, found };
    const read = await settleWithin(readScanFiles(found.files, scope, signal), signal);
    plan = planUpload(
      read.files.map((file) => cleanFile(file, log.clean)),
      read.unopened,
    );
    narrateParts(plan, log);
    const warn = (message: string): void => log.warning('Scan file', message);
    return { entry, plan: applyCheck(plan, inputs.contentCheck, warn) };
  } catch (error) {
    return failScan({ entry, plan }, error, signal, log);
  }
}

/** Ends a scan with patterns that match no file: with an error, unless none matches and `if-no-files-found` allows it. */
async function explainIncomplete(
  { entry, found }: IncompleteScan,
  { inputs, scope, signal, taken }: Shared,
  log: Log,
): Promise<PreparedScan> {
  try {
    const error = await settleWithin(explainUnmatched(found, scope, taken), signal);
    if (found.files.length > 0) throw error;
    const result = skip(error, inputs, log);
    return { entry, plan: undefined, result, skipped: showProblem(error.message, log) };
  } catch (error) {
    return failScan({ entry, plan: undefined }, error, signal, log);
  }
}

/** Ends a scan with an error that its author can fix; throws any other error. */
function failScan(
  scan: Pick<ScanResult, 'entry' | 'plan'>,
  error: unknown,
  signal: AbortSignal,
  log: Log,
): ScanResult {
  if (signal.aborted || !(error instanceof StepError)) throw error;
  return { ...scan, result: 'not-sent', failure: explainError(error, log.clean) };
}

/** Cleans a file's path and the texts from its contents, which come from outside. */
function cleanFile(file: ScanFile, clean: Clean): ScanFile {
  const { tool, specVersion } = file.content;
  return {
    ...file,
    displayPath: clean(file.displayPath),
    content: {
      ...file.content,
      ...(tool !== undefined && { tool: clean(tool) }),
      ...(specVersion !== undefined && { specVersion: clean(specVersion) }),
    },
  };
}

/** Applies `if-no-files-found` if there is no file at all: throws the error for `error`. */
function skip(error: StepError, { noFiles }: Inputs, log: Log): 'skipped' {
  if (noFiles === 'error') throw error;
  if (noFiles === 'warn') log.warning('Scan upload skipped', showProblem(error.message, log));
  else log.info(`Skipped: ${showProblem(error.message, log)}`);
  return 'skipped';
}

/** A problem contains the author's patterns. */
function showProblem(problem: string, log: Log): string {
  return cutWhole(log.clean(problem), MAX_HEADLINE_CHARACTERS);
}
