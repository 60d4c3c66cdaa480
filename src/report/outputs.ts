import * as core from '@actions/core';
import { breakCommands, cutText, joinLines } from './clean.ts';
import type { Json } from '../service/problem.ts';
import type { Log } from './log.ts';
import { findDecisive } from './result.ts';
import type { ManifestEntry, ResultName, ScanResult, StepResult } from './result.ts';

/** Redacts texts, in order. */
type RedactAll = (texts: readonly string[]) => readonly string[];

/** Sets the step's outputs, on failure too, so that later steps can tell what happened. */
export function setOutputs(step: StepResult, log: Log): void {
  const outputs = makeOutputs(step, (texts) => log.redactAll(texts));
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value);
}

/** How many characters of problems `results` holds in all: a crowd of refusals would fill 6 MB. */
const MAX_PROBLEM_CHARACTERS = 256 * 1024;

/**
 * The outputs by name, empty where there is nothing to say. Text from outside is redacted before it
 * is cut or encoded, of all scans at once; the step's own words and numbers never are, so that a
 * secret `true` cannot change what `uploaded` says.
 */
export function makeOutputs(
  step: StepResult,
  redactAll: RedactAll,
): Readonly<Record<string, string>> {
  const { scans } = step;
  const decisive = findDecisive(step);
  const headlines = scans.map(({ failure }) => failure?.headline ?? '');
  const [error = '', ...errors] = showLines(
    [describeError(step, decisive), ...headlines],
    redactAll,
  );
  const kept = keepProblems(scans);
  const results = redactWhole(
    (show) =>
      scans.map((scan, index) => describeScan(scan, errors[index] ?? '', kept.has(scan), show)),
    redactAll,
  );
  const problem = decisive?.problem;
  const problemDetails =
    problem && redactWhole((show) => rebuild(problem.members, show), redactAll);
  return {
    uploaded: String(step.result === 'accepted'),
    result: step.result,
    operation: decisive?.operation ?? '',
    'status-code': String(decisive?.statusCode ?? ''),
    attempts: String(scans.reduce((sum, { attempts }) => sum + attempts, 0)),
    manifest: JSON.stringify(results.flatMap(({ manifest }) => manifest)),
    'problem-details': problemDetails === undefined ? '' : JSON.stringify(problemDetails),
    error: error === '' ? '' : error + countOthers(step),
    results: JSON.stringify(results),
  };
}

/** The failure of the decisive scan, with its label where there are others; else that of the step. */
function describeError({ failure }: StepResult, decisive: ScanResult | undefined): string {
  const told = decisive === undefined ? failure : decisive.failure;
  const label = decisive?.label === undefined ? '' : `${decisive.label}: `;
  return told === undefined ? '' : `${label}${told.headline}`;
}

function countOthers({ scans }: StepResult): string {
  const failed = scans.filter(({ failure }) => failure !== undefined).length;
  return failed > 1 ? ` (${failed - 1} more of ${scans.length} scans failed)` : '';
}

/** The scans, from the first on, whose problems together are not too much. */
function keepProblems(scans: readonly ScanResult[]): ReadonlySet<ScanResult> {
  const kept = new Set<ScanResult>();
  let characters = 0;
  for (const scan of scans) {
    if (scan.problem === undefined) continue;
    characters += JSON.stringify(scan.problem.members).length;
    if (characters > MAX_PROBLEM_CHARACTERS) break;
    kept.add(scan);
  }
  return kept;
}

/** An entry of `results`: what the outputs of a step with this scan alone would say, as JSON. */
interface ScanOutputs {
  readonly name: string | null;
  readonly 'scan-key': string | null;
  readonly uploaded: boolean;
  readonly result: ResultName;
  readonly operation: string | null;
  readonly 'status-code': number | null;
  readonly attempts: number;
  readonly manifest: readonly ManifestEntry[];
  readonly 'problem-details': Json;
  readonly error: string;
}

function describeScan(
  scan: ScanResult,
  error: string,
  showsProblem: boolean,
  show: Show,
): ScanOutputs {
  const { name, scanKey, result, operation, statusCode, attempts, manifest, problem } = scan;
  return {
    name: name === undefined ? null : breakCommands(show(name)),
    'scan-key': scanKey ?? null,
    uploaded: result === 'accepted',
    result,
    operation: operation ?? null,
    'status-code': statusCode ?? null,
    attempts,
    manifest: manifest.map((entry) => showEntry(entry, show)),
    'problem-details': problem && showsProblem ? rebuild(problem.members, show) : null,
    error,
  };
}

/** Makes a text from outside fit to be shown. */
type Show = (text: string) => string;

/** What `build` makes of texts that are redacted all at once: it runs twice, first to tell which. */
function redactWhole<T>(build: (show: Show) => T, redactAll: RedactAll): T {
  const texts: string[] = [];
  build((text) => {
    texts.push(text);
    return text;
  });
  const redacted = redactAll(texts).values();
  return build(() => redacted.next().value ?? '');
}

/** Texts as one line each, redacted before the lines are joined, and after. */
function showLines(texts: readonly string[], redactAll: RedactAll): readonly string[] {
  const joined = redactAll(texts).map(joinLines);
  return redactAll(joined).map((text) => cutText(breakCommands(text)));
}

/**
 * Path, tool and version are text from outside, of which the path has to stay what it is; the others
 * are the step's own words and numbers.
 */
function showEntry(entry: ManifestEntry, show: Show): ManifestEntry {
  const { path, tool, specVersion } = entry;
  return {
    ...entry,
    path: show(path),
    ...(tool !== undefined && { tool: breakCommands(show(tool)) }),
    ...(specVersion !== undefined && { specVersion: breakCommands(show(specVersion)) }),
  };
}

/** Shows names and texts; a number that shows a secret becomes a text. */
function rebuild(value: Json, show: Show): Json {
  if (typeof value === 'string') return show(value);
  if (typeof value === 'number') {
    const shown = show(String(value));
    return shown === String(value) ? value : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((entry) => rebuild(entry, show));
  const entries = Object.entries(value).map(
    ([name, entry]) => [show(name), rebuild(entry, show)] as const,
  );
  return Object.fromEntries(entries);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
