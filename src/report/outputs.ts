import { appendFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setOutput } from '@actions/core';
import { errorMessage } from '../errors.ts';
import { cutText, joinLines } from '../text.ts';
import { MAX_HEADLINE_CHARACTERS, showJson, showText } from '../redaction/gate.ts';
import type { Log } from './log.ts';
import {
  findDecisive,
  getResult,
  getStatus,
  hasOwnFailure,
  listParts,
} from '../results/scan-result.ts';
import type { ReadPart, ScanResult, StepResult } from '../results/scan-result.ts';

/**
 * The longest `problem-details`, in bytes. act, Gitea and Forgejo read GITHUB_OUTPUT in lines of at most
 * 64 KiB; a longer one fails the step and loses all outputs.
 */
const MAX_PROBLEM_BYTES = 60_000;

/** Sets the step's outputs, empty if not applicable; also on failure, so that later steps know what happened. */
export function setOutputs(step: StepResult, log: Log): void {
  const decisive = findDecisive(step);
  const failure = decisive === undefined ? step.failure : decisive.failure;
  const problem = escapeCommands(decisive?.upload?.last.response?.problem?.json ?? '');
  const outputs = {
    uploaded: String(getResult(step) === 'accepted'),
    result: getResult(step),
    reason: failure?.reason ?? '',
    'status-code': String((decisive && getStatus(decisive)) ?? ''),
    error: failure === undefined ? '' : spellError(failure.headline, step, decisive),
    'problem-details': Buffer.byteLength(problem) > MAX_PROBLEM_BYTES ? '' : problem,
    'results-path': writeResults(step.scans, log),
  };
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

/** The headline with the label of the decisive scan if it has one, and the number of other failed scans. */
function spellError(headline: string, { scans }: StepResult, decisive?: ScanResult): string {
  const label = decisive?.entry.label;
  const failed = scans.filter(hasOwnFailure).length;
  const others = failed > 1 ? ` (${failed - 1} more of ${scans.length} scans failed)` : '';
  const text = label === undefined ? headline : `${label}: ${headline}`;
  return showText(shorten(text, MAX_HEADLINE_CHARACTERS - others.length)) + others;
}

/**
 * Writes the result of each scan to a file that only this user can read, in a directory with a hidden random name in
 * RUNNER_TEMP, which the runner empties after the job. Returns its path, empty if it cannot be written.
 */
function writeResults(scans: readonly ScanResult[], log: Log): string {
  try {
    const { RUNNER_TEMP: parent = '' } = process.env;
    if (parent === '') throw new Error('RUNNER_TEMP is not set');
    const path = join(mkdtempSync(join(parent, '.scan-upload-')), 'results.json');
    for (const piece of spellResults(scans)) appendFileSync(path, piece, { mode: 0o600 });
    return path;
  } catch (error) {
    const text = `\`results-path\` is empty, because its file could not be written: ${errorMessage(error)}`;
    log.warning('Scan upload (outputs)', text);
    return '';
  }
}

/** JSON scan by scan, because the problems of all may take far more memory than their texts. */
export function* spellResults(scans: readonly ScanResult[]): Generator<string> {
  yield '[';
  for (const [index, scan] of scans.entries()) {
    const json = showJson(makeResultsEntry(scan)).slice(0, -1);
    const problem = escapeCommands(scan.upload?.last.response?.problem?.json ?? 'null');
    yield `${index === 0 ? '' : ','}${json},"problemDetails":${problem}}`;
  }
  yield ']';
}

/** The result of a scan without its problem; undefined if not applicable, as JSON makes null of an invalid date. */
function makeResultsEntry(scan: ScanResult): object {
  const { entry, plan, upload, result, failure, startedAt = NaN, durationMs = NaN } = scan;
  return {
    name: entry.name,
    scanKey: entry.scanKey,
    uploaded: result === 'accepted',
    result,
    reason: failure?.reason,
    operation: plan?.operation.name,
    statusCode: getStatus(scan),
    attempts: upload?.attempts ?? 0,
    service: upload?.settings.origin,
    traceId: upload?.settings.traceId,
    startedAt: new Date(startedAt),
    finishedAt: new Date(startedAt + durationMs),
    manifest: listParts(scan).map(makeManifestEntry),
    error: failure && shorten(failure.headline),
  };
}

/** An entry of `manifest`. */
function makeManifestEntry({ part, file, digest, warnings = [] }: ReadPart): object {
  const { format, inspected, specVersion, tool, ...counts } = file.content;
  const { components, vulnerabilities, findings, severities } = counts;
  return {
    part: part.name,
    path: file.displayPath,
    bytes: file.size,
    sha256: digest,
    // Some file systems have any time.
    modified: new Date(Number(file.mtimeNs / 1_000_000n)),
    format,
    inspected,
    specVersion,
    tool,
    components,
    vulnerabilities,
    findings,
    severities,
    warnings: warnings.map((warning) => shorten(warning)),
  };
}

/** JSON that contains no runner command, so that a later step may print it. */
function escapeCommands(json: string): string {
  return json.replaceAll('##[', String.raw`##\u005b`);
}

function shorten(text: string, maxCharacters: number = MAX_HEADLINE_CHARACTERS): string {
  return cutText(joinLines(text), maxCharacters);
}
