import { statSync } from 'node:fs';
import * as core from '@actions/core';
import { breakCommands, cutText, joinLines } from './clean.ts';
import type { Json } from '../service/problem.ts';
import type { Log } from './log.ts';
import { findDecisive } from './result.ts';
import type { ManifestEntry, ScanResult, StepOutcome, StepResult } from './result.ts';

/** Redacts texts, in order. */
type RedactAll = (texts: readonly string[]) => readonly string[];

/** Sets the step's outputs, on failure too, so that later steps can tell what happened. */
export function setOutputs(step: StepResult, log: Log): void {
  checkOutputFile(process.env.GITHUB_OUTPUT);
  const outputs = makeOutputs(step, (texts) => log.redactAll(texts));
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value);
}

/** Opening a FIFO would wait for a reader, and no limit could end the process before it. */
function checkOutputFile(path: string | undefined): void {
  const isFifo = path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
  if (isFifo) throw new Error('GITHUB_OUTPUT is a FIFO');
}

/**
 * The outputs by name, empty where there is nothing to say. Text from outside is redacted before it
 * is cut or encoded; the step's own words and numbers never are, so that a secret `true` cannot
 * change what `uploaded` says.
 */
export function makeOutputs(
  step: StepResult,
  redactAll: RedactAll,
): Readonly<Record<string, string>> {
  const results = step.scans.map((scan) => describeScan(scan, redactAll));
  const decisive = findDecisive(step);
  const problem = decisive?.problem;
  return {
    uploaded: String(step.result === 'accepted'),
    result: step.result,
    operation: decisive?.operation ?? '',
    'status-code': String(decisive?.statusCode ?? ''),
    attempts: String(step.scans.reduce((sum, { attempts }) => sum + attempts, 0)),
    manifest: JSON.stringify(results.flatMap(({ manifest }) => manifest)),
    'problem-details':
      problem === undefined ? '' : JSON.stringify(redactJson(problem.members, redactAll)),
    error: describeError(step, decisive, redactAll),
    results: JSON.stringify(results),
  };
}

/** The failure of the decisive scan, with its label where there are others; else that of the step. */
function describeError(
  { scans, failure }: StepResult,
  decisive: ScanResult | undefined,
  redactAll: RedactAll,
): string {
  const told = decisive === undefined ? failure : decisive.failure;
  if (told === undefined) return '';
  const failed = scans.filter((scan) => scan.failure !== undefined).length;
  const label = decisive?.label === undefined ? '' : `${decisive.label}: `;
  const more = failed > 1 ? ` (${failed - 1} more of ${scans.length} scans failed)` : '';
  return showLine(`${label}${told.headline}`, redactAll) + more;
}

/** An entry of `results`: what the outputs of a step with this scan alone would say, as JSON. */
interface ScanOutputs {
  readonly name: string | null;
  readonly 'scan-key': string | null;
  readonly uploaded: boolean;
  readonly result: StepOutcome;
  readonly operation: string | null;
  readonly 'status-code': number | null;
  readonly attempts: number;
  readonly manifest: readonly ManifestEntry[];
  readonly 'problem-details': Json;
  readonly error: string;
}

function describeScan(scan: ScanResult, redactAll: RedactAll): ScanOutputs {
  const redact = (text: string): string => redactAll([text])[0] ?? '';
  const { name, scanKey, result, operation, statusCode, attempts, problem, failure } = scan;
  return {
    name: name === undefined ? null : breakCommands(redact(name)),
    'scan-key': scanKey ?? null,
    uploaded: result === 'accepted',
    result,
    operation: operation ?? null,
    'status-code': statusCode ?? null,
    attempts,
    manifest: scan.manifest.map((entry) => redactEntry(entry, redact)),
    'problem-details': problem === undefined ? null : redactJson(problem.members, redactAll),
    error: failure === undefined ? '' : showLine(failure.headline, redactAll),
  };
}

function showLine(text: string, redactAll: RedactAll): string {
  const redact = (line: string): string => redactAll([line])[0] ?? '';
  return cutText(breakCommands(redact(joinLines(redact(text)))));
}

/**
 * Path, tool and version are text from outside, of which the path has to stay what it is; the others
 * are the step's own words and numbers.
 */
function redactEntry(entry: ManifestEntry, redact: (text: string) => string): ManifestEntry {
  const { path, tool, specVersion } = entry;
  const show = (text: string): string => breakCommands(redact(text));
  return {
    ...entry,
    path: redact(path),
    ...(tool !== undefined && { tool: show(tool) }),
    ...(specVersion !== undefined && { specVersion: show(specVersion) }),
  };
}

/** Redacts names and values; a number that shows a secret becomes a text. */
function redactJson(value: Json, redactAll: RedactAll): Json {
  const redacted = redactAll(listTexts(value)).values();
  return rebuild(value, () => redacted.next().value ?? '');
}

/** Every name, text and number of a value, in the order in which it is built again. */
function listTexts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  if (isList(value)) return value.flatMap(listTexts);
  return Object.entries(value).flatMap(([name, entry]) => [name, ...listTexts(entry)]);
}

function rebuild(value: Json, takeNext: () => string): Json {
  if (typeof value === 'string') return takeNext();
  if (typeof value === 'number') {
    const shown = takeNext();
    return shown === String(value) ? value : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((entry) => rebuild(entry, takeNext));
  const entries = Object.entries(value).map(
    ([, entry]) => [takeNext(), rebuild(entry, takeNext)] as const,
  );
  return Object.fromEntries(entries);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
