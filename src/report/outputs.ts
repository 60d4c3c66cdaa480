import * as core from '@actions/core';
import { breakCommands, cutText, joinLines } from './clean.ts';
import { findDecisive } from './result.ts';
import type { ManifestEntry, ScanResult, StepResult } from './result.ts';

/** Sets the step's outputs, on failure too, so that later steps can tell what happened. */
export function setOutputs(step: StepResult): void {
  for (const [name, value] of Object.entries(makeOutputs(step))) core.setOutput(name, value);
}

/** How many characters of problems `results` holds in all: a crowd of refusals would fill 6 MB. */
const MAX_PROBLEM_CHARACTERS = 256 * 1024;

/** The outputs by name, empty where not applicable. */
export function makeOutputs(step: StepResult): Readonly<Record<string, string>> {
  const { scans } = step;
  const decisive = findDecisive(step);
  const kept = keepProblems(scans);
  const results = scans.map((scan) => describeScan(scan, kept.has(scan)));
  const error = showLine(describeError(step, decisive));
  return {
    uploaded: String(step.result === 'accepted'),
    result: step.result,
    operation: decisive?.operation ?? '',
    'status-code': String(decisive?.statusCode ?? ''),
    attempts: String(scans.reduce((sum, { attempts }) => sum + attempts, 0)),
    manifest: JSON.stringify(results.flatMap(({ manifest }) => manifest)),
    'problem-details':
      decisive?.problem === undefined ? '' : JSON.stringify(decisive.problem.members),
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

/** An entry of `results`: the outputs that a step with this scan alone would set, as JSON. */
function describeScan(
  scan: ScanResult,
  showsProblem: boolean,
): { readonly manifest: readonly ManifestEntry[]; readonly [name: string]: unknown } {
  const { name, scanKey, result, operation, statusCode, attempts, manifest, problem } = scan;
  return {
    name: name === undefined ? null : breakCommands(name),
    'scan-key': scanKey ?? null,
    uploaded: result === 'accepted',
    result,
    operation: operation ?? null,
    'status-code': statusCode ?? null,
    attempts,
    manifest: manifest.map(showEntry),
    'problem-details': problem && showsProblem ? problem.members : null,
    error: showLine(scan.failure?.headline ?? ''),
  };
}

function showLine(text: string): string {
  return cutText(breakCommands(joinLines(text)));
}

/** The path has to stay what it is; tool and version are words for people. */
function showEntry(entry: ManifestEntry): ManifestEntry {
  const { tool, specVersion } = entry;
  return {
    ...entry,
    ...(tool !== undefined && { tool: breakCommands(tool) }),
    ...(specVersion !== undefined && { specVersion: breakCommands(specVersion) }),
  };
}
