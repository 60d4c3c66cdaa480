import { errorMessage } from '../errors.ts';
import {
  EMPTY,
  MAX_HEADLINE_CHARACTERS,
  cutSafe,
  joinSafe,
  readJson,
  safe,
  showId,
  showPath,
  showText,
  showWord,
  toLine,
  writeJson,
} from '../redaction/gate.ts';
import type { CleanText, SafeJson, SafeText } from '../redaction/gate.ts';
import { appendFile, makePath, setOutput } from './log.ts';
import type { Log } from './log.ts';
import { findDecisive, getResult, hasOwnFailure, listParts } from '../outcomes/scan-result.ts';
import type { ReadPart, ScanResult, StepResult } from '../outcomes/scan-result.ts';

/**
 * The longest `problem-details`, in bytes. act, Gitea and Forgejo read GITHUB_OUTPUT in lines of at most
 * 64 KiB; a longer one fails the step and loses all outputs.
 */
const MAX_OUTPUT_BYTES = 60_000;

/** Sets the step's outputs, empty if not applicable; also on failure, so that later steps know what happened. */
export function setOutputs(step: StepResult, log: Log): void {
  const result = getResult(step);
  const decisive = findDecisive(step);
  const failure = decisive === undefined ? step.failure : decisive.failure;
  const { status, problem = EMPTY } = decisive ?? {};
  setOutput('uploaded', result === 'accepted' ? safe`true` : safe`false`);
  setOutput('result', showWord(result));
  setOutput('reason', failure === undefined ? EMPTY : showWord(failure.reason));
  setOutput('status-code', status === undefined ? EMPTY : safe`${status}`);
  setOutput('error', failure === undefined ? EMPTY : nameError(failure.headline, step, decisive));
  setOutput('problem-details', Buffer.byteLength(problem) > MAX_OUTPUT_BYTES ? EMPTY : problem);
  setOutput('results-path', writeResults(step.scans, log));
}

/** The headline with the label of the decisive scan if it has one, and the number of other failed scans. */
function nameError(headline: SafeText, { scans }: StepResult, decisive?: ScanResult): SafeText {
  const label = decisive?.entry.label;
  const failed = scans.filter(hasOwnFailure).length;
  const others = failed > 1 ? safe` (${failed - 1} more of ${scans.length} scans failed)` : EMPTY;
  const text = label === undefined ? headline : safe`${showText(label)}: ${headline}`;
  return safe`${shorten(text, MAX_HEADLINE_CHARACTERS - others.length)}${others}`;
}

/**
 * Writes the result of each scan to a file in RUNNER_TEMP, which the runner empties after the job. Returns its path,
 * empty if it cannot be written.
 */
function writeResults(scans: readonly ScanResult[], log: Log): CleanText {
  try {
    const { RUNNER_TEMP: parent = '' } = process.env;
    if (parent === '') throw new Error('RUNNER_TEMP is not set');
    const path = makePath(parent, 'results.json');
    appendFile(path, spellResults(scans));
    return showPath(path);
  } catch (error) {
    const text = `\`results-path\` is empty, because its file could not be written: ${errorMessage(error)}`;
    log.warning(safe`Scan upload (outputs)`, showText(text));
    return EMPTY;
  }
}

/** A JSON array with an object for each scan, one after the other: a problem may have many members. */
export function spellResults(scans: readonly ScanResult[]): SafeText {
  const entries = scans.map((scan) => writeJson(makeEntry(scan)));
  return safe`[${joinSafe(entries, safe`,`)}]`;
}

/** The result of a scan; undefined if not applicable. */
function makeEntry(scan: ScanResult): SafeJson {
  const { entry, plan, result, failure, startedAt = NaN, durationMs = NaN } = scan;
  return {
    name: mapMaybe(entry.name, showText),
    scanKey: mapMaybe(entry.scanKey || undefined, showId),
    uploaded: result === 'accepted',
    result: showWord(result),
    reason: mapMaybe(failure?.reason, showWord),
    operation: mapMaybe(plan?.operation.name, showWord),
    statusCode: scan.status,
    attempts: scan.attempts ?? 0,
    service: scan.service,
    traceId: scan.requestTraceId,
    startedAt: showDate(startedAt),
    finishedAt: showDate(startedAt + durationMs),
    manifest: listParts(scan).map(makeManifestEntry),
    error: failure && shorten(failure.headline, MAX_HEADLINE_CHARACTERS),
    problemDetails: mapMaybe(scan.problem, readJson),
  };
}

/** An entry of `manifest`. */
function makeManifestEntry({ part, file, digest, warnings = [] }: ReadPart): SafeJson {
  const { format, inspected, specVersion, tool, ...counts } = file.content;
  return {
    part: showWord(part.name),
    path: showPath(file.displayPath),
    bytes: file.size,
    sha256: mapMaybe(digest, showId),
    modified: showDate(Number(file.mtimeNs / 1_000_000n)),
    format: showWord(format),
    inspected: showWord(inspected),
    specVersion: mapMaybe(specVersion, showText),
    tool: mapMaybe(tool, showText),
    components: counts.components,
    vulnerabilities: counts.vulnerabilities,
    findings: counts.findings,
    severities: counts.severities,
    warnings: warnings.map((warning) => shorten(showText(warning), MAX_HEADLINE_CHARACTERS)),
  };
}

function mapMaybe<T, U>(value: T | undefined, show: (value: T) => U): U | undefined {
  return value === undefined ? undefined : show(value);
}

/** A time in milliseconds since 1970 as text; undefined if it is none, as some file systems have any. */
function showDate(milliseconds: number): SafeText | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : showText(date.toISOString());
}

function shorten(text: SafeText, maxCharacters: number): SafeText {
  return cutSafe(toLine(text), maxCharacters);
}
