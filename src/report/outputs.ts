import * as core from '@actions/core';
import { errorMessage } from '../errors.ts';
import type { ProblemDetails } from '../service/problem.ts';
import { cutText } from '../text.ts';
import { MAX_HEADLINE_CHARACTERS, breakCommands, joinLines } from './clean.ts';
import type { Log } from './log.ts';
import { writeOutputsFile } from './outputs-file.ts';
import {
  findDecisive,
  getResult,
  getScanKey,
  getStatus,
  hasOwnFailure,
  listParts,
} from './scan-result.ts';
import type { ReadPart, ScanResult, StepResult } from './scan-result.ts';

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
  const results = scans.map((scan) => makeResultsEntry(scan, kept.has(scan)));
  const failure = decisive === undefined ? step.failure : decisive.failure;
  return {
    uploaded: String(getResult(step) === 'accepted'),
    result: getResult(step),
    operation: decisive?.plan?.operation.name ?? '',
    'status-code': String((decisive && getStatus(decisive)) ?? ''),
    attempts: String(scans.reduce((sum, { upload }) => sum + (upload?.attempts ?? 0), 0)),
    manifest: toJson(results.flatMap(({ manifest }) => manifest)),
    'problem-details': describeProblem(decisive && getProblem(decisive)),
    error: explainError(step, decisive),
    reason: failure?.reason ?? '',
    results: toJson(results),
  };
}

/** Writes `results` with problems of any size to a file. Returns its path, empty if it cannot be written. */
function tryResultsFile({ scans }: StepResult, log: Log): string {
  try {
    return writeOutputsFile(spellResults(scans));
  } catch (error) {
    const text = `\`results-path\` is empty, because its file could not be written: ${log.clean(errorMessage(error))}`;
    log.warning('Scan upload (outputs)', text);
    return '';
  }
}

/** Scan by scan, because the problems of all may take far more memory than their texts. */
function* spellResults(scans: readonly ScanResult[]): Generator<string> {
  for (const [index, scan] of scans.entries()) {
    yield `${index === 0 ? '[' : ','}${stringify(makeResultsEntry(scan, true))}`;
  }
  yield scans.length === 0 ? '[]' : ']';
}

/** The failure of the decisive scan, with its label if it has one; else that of the step. */
function explainError(step: StepResult, decisive: ScanResult | undefined): string {
  const failure = decisive === undefined ? step.failure : decisive.failure;
  if (failure === undefined) return '';
  const label = decisive?.entry.label;
  const prefix = label === undefined ? '' : `${label}: `;
  const others = countOthers(step);
  return showLine(`${prefix}${failure.headline}`, MAX_HEADLINE_CHARACTERS - others.length) + others;
}

function countOthers({ scans }: StepResult): string {
  const failed = scans.filter(hasOwnFailure).length;
  return failed > 1 ? ` (${failed - 1} more of ${scans.length} scans failed)` : '';
}

function getProblem({ upload }: ScanResult): ProblemDetails | undefined {
  return upload?.last.response?.problem;
}

/** A problem as JSON in one line; empty if there is none, or if it is too long for a line. */
function describeProblem(problem: ProblemDetails | undefined): string {
  const line = escapeCommands(problem?.json ?? '');
  return fitsLine(line) ? line : '';
}

/** The first scans whose problems together are within the limit, and which each fit in a line. */
function keepProblems(scans: readonly ScanResult[]): ReadonlySet<ScanResult> {
  const kept = new Set<ScanResult>();
  let characters = 0;
  for (const scan of scans) {
    const problem = getProblem(scan);
    if (problem === undefined || describeProblem(problem) === '') continue;
    characters += problem.json.length;
    if (characters > MAX_PROBLEM_CHARACTERS) break;
    kept.add(scan);
  }
  return kept;
}

/** An entry of `results`. Every key is always present, `null` if not applicable. */
function makeResultsEntry(
  scan: ScanResult,
  showsProblem: boolean,
): { readonly manifest: readonly object[]; readonly [name: string]: unknown } {
  const { entry, plan, upload, result, failure } = scan;
  const problem = getProblem(scan);
  return {
    name: entry.name === undefined ? null : breakCommands(entry.name),
    scanKey: getScanKey(scan) ?? null,
    uploaded: result === 'accepted',
    result,
    reason: failure?.reason ?? null,
    operation: plan?.operation.name ?? null,
    statusCode: getStatus(scan) ?? null,
    attempts: upload?.attempts ?? 0,
    manifest: listParts(scan).map(makeManifestEntry),
    problemDetails: showsProblem && problem !== undefined ? parse(problem) : null,
    error: failure === undefined ? null : showLine(failure.headline),
  };
}

/** An entry of `manifest`. The path must not be changed; the other texts are for people. */
function makeManifestEntry({ part, file, sha256, warnings = [] }: ReadPart): object {
  const { format, inspected, specVersion, tool, ...counts } = file.content;
  const { components, vulnerabilities, findings, severities } = counts;
  return {
    part: part.name,
    path: file.displayPath,
    bytes: file.size,
    sha256: sha256 ?? null,
    format,
    inspected,
    specVersion: specVersion === undefined ? null : breakCommands(specVersion),
    tool: tool === undefined ? null : breakCommands(tool),
    components: components ?? null,
    vulnerabilities: vulnerabilities ?? null,
    findings: findings ?? null,
    severities: severities ?? null,
    warnings: warnings.map((warning) => showLine(warning)),
  };
}

/** The JSON of an output: one line, or if that were too long, a line for each member. */
function toJson(value: unknown): string {
  const line = stringify(value);
  return fitsLine(line) ? line : stringify(value, 1);
}

function stringify(value: unknown, indent = 0): string {
  return escapeCommands(JSON.stringify(value, undefined, indent));
}

/** JSON that contains no runner command, so that a later step may print it. */
function escapeCommands(json: string): string {
  return json.replaceAll('##[', String.raw`##\u005b`);
}

function parse({ json }: ProblemDetails): unknown {
  return JSON.parse(json);
}

function fitsLine(line: string): boolean {
  return Buffer.byteLength(line) <= MAX_LINE_BYTES;
}

function showLine(text: string, maxCharacters = MAX_HEADLINE_CHARACTERS): string {
  return cutText(breakCommands(joinLines(text)), maxCharacters);
}
