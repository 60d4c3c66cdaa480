import * as core from '@actions/core';
import { errorMessage } from '../errors.ts';
import { MAX_HEADLINE_CHARACTERS, breakCommands, cutText, joinLines } from './clean.ts';
import type { Log } from './log.ts';
import { findDecisive, hasOwnFailure } from './result.ts';
import type { ManifestEntry, ScanResult, StepResult } from './result.ts';
import { writeResultsFile } from './results-file.ts';

/** Sets the step's outputs, also on failure, so that later steps know what happened. */
export function setOutputs(step: StepResult, log: Log): void {
  const path = step.scans.length === 0 ? '' : tryResultsFile(step, log);
  for (const [name, value] of Object.entries(makeOutputs(step))) core.setOutput(name, value);
  core.setOutput('results-path', path);
}

/** How many characters of problems the output `results` has in total: those of many refusals could take 6 MB. */
const MAX_PROBLEM_CHARACTERS = 256 * 1024;
/**
 * The longest line of an output, in bytes. act, Gitea and Forgejo read GITHUB_OUTPUT in lines of at most
 * 64 KiB; a longer one fails the step and loses all outputs.
 */
const MAX_LINE_BYTES = 60_000;

/** The outputs by name, except `results-path`; empty if not applicable. */
export function makeOutputs(step: StepResult): Readonly<Record<string, string>> {
  const { scans } = step;
  const decisive = findDecisive(step);
  const kept = keepProblems(scans);
  const results = scans.map((scan) => describeScan(scan, kept.has(scan)));
  const failure = decisive === undefined ? step.failure : decisive.failure;
  return {
    uploaded: String(step.result === 'accepted'),
    result: step.result,
    operation: decisive?.operation ?? '',
    'status-code': String(decisive?.statusCode ?? ''),
    attempts: String(scans.reduce((sum, { attempts }) => sum + attempts, 0)),
    manifest: toJson(results.flatMap(({ manifest }) => manifest)),
    'problem-details': describeProblem(decisive?.problem),
    error: describeError(step, decisive),
    reason: failure?.reason ?? '',
    results: toJson(results),
  };
}

/** Writes `results` with problems of any size to a file. Returns its path, empty if it cannot be written. */
function tryResultsFile({ scans }: StepResult, log: Log): string {
  try {
    return writeResultsFile(stringify(scans.map((scan) => describeScan(scan, true))));
  } catch (error) {
    const text = `\`results-path\` is empty, because its file could not be written: ${log.clean(errorMessage(error))}`;
    log.warning('Scan upload: outputs', text);
    return '';
  }
}

/** The failure of the decisive scan, with its label if it has one; else that of the step. */
function describeError(step: StepResult, decisive: ScanResult | undefined): string {
  const failure = decisive === undefined ? step.failure : decisive.failure;
  if (failure === undefined) return '';
  const label = decisive?.label === undefined ? '' : `${decisive.label}: `;
  return showLine(`${label}${failure.headline}`) + countOthers(step);
}

function countOthers({ scans }: StepResult): string {
  const failed = scans.filter(hasOwnFailure).length;
  return failed > 1 ? ` (${failed - 1} more of ${scans.length} scans failed)` : '';
}

/** A problem as JSON; empty if there is none, or if it has a text that is too long for a line. */
function describeProblem(problem: ScanResult['problem']): string {
  const text = problem === undefined ? '' : toJson(problem.members);
  return text.split('\n').every(fitsLine) ? text : '';
}

/** The first scans whose problems together are within the limit, and whose texts each fit in a line. */
function keepProblems(scans: readonly ScanResult[]): ReadonlySet<ScanResult> {
  const kept = new Set<ScanResult>();
  let characters = 0;
  for (const scan of scans) {
    if (scan.problem === undefined || describeProblem(scan.problem) === '') continue;
    characters += JSON.stringify(scan.problem.members).length;
    if (characters > MAX_PROBLEM_CHARACTERS) break;
    kept.add(scan);
  }
  return kept;
}

/** An entry of `results`. Every key is always present, `null` if not applicable. */
function describeScan(
  scan: ScanResult,
  showsProblem: boolean,
): { readonly manifest: readonly object[]; readonly [name: string]: unknown } {
  const { name, scanKey, result, operation, statusCode, attempts, manifest, problem } = scan;
  return {
    name: name === undefined ? null : breakCommands(name),
    scanKey: scanKey ?? null,
    uploaded: result === 'accepted',
    result,
    reason: scan.failure?.reason ?? null,
    operation: operation ?? null,
    statusCode: statusCode ?? null,
    attempts,
    manifest: manifest.map(describeEntry),
    problemDetails: problem && showsProblem ? problem.members : null,
    error: scan.failure === undefined ? null : showLine(scan.failure.headline),
  };
}

/** An entry of `manifest`. The path must not be changed; the other texts are for people. */
function describeEntry(entry: ManifestEntry): object {
  const { part, path, bytes, sha256, format, inspected, specVersion, tool } = entry;
  const { components, vulnerabilities, findings, severities, warnings } = entry;
  return {
    part,
    path,
    bytes,
    sha256: sha256 ?? null,
    format,
    inspected,
    specVersion: specVersion === undefined ? null : breakCommands(specVersion),
    tool: tool === undefined ? null : breakCommands(tool),
    components: components ?? null,
    vulnerabilities: vulnerabilities ?? null,
    findings: findings ?? null,
    severities: severities ?? null,
    warnings: warnings.map(showLine),
  };
}

/** The JSON of an output: one line, or if that were too long, a line for each member. */
function toJson(value: unknown): string {
  const line = stringify(value);
  return fitsLine(line) ? line : stringify(value, 1);
}

/** JSON that contains no runner command, so that a later step may print it. */
function stringify(value: unknown, indent = 0): string {
  return JSON.stringify(value, undefined, indent).replaceAll('##[', String.raw`##\u005b`);
}

function fitsLine(line: string): boolean {
  return Buffer.byteLength(line) <= MAX_LINE_BYTES;
}

function showLine(text: string): string {
  return cutText(breakCommands(joinLines(text)), MAX_HEADLINE_CHARACTERS);
}
