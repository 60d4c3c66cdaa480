import { errorMessage } from '../errors.ts';
import { HEADINGS, SEVERITIES } from '../formats/severity.ts';
import { isObject, tryJson } from '../json.ts';
import { MAX_HEADLINE_CHARACTERS } from '../outcomes/failure.ts';
import { isCredentialMember } from '../redaction/credential-names.ts';
import { show, showForeign } from '../redaction/show.ts';
import type { Revision } from '../inputs/event.ts';
import { joinLines, joinTexts } from '../text.ts';
import { appendFile, makePath, setOutput } from './log.ts';
import type { Log } from './log.ts';
import {
  findDecisive,
  getResult,
  hasOwnFailure,
  isInvalid,
  listParts,
} from '../outcomes/scan-result.ts';
import type { ScanResult, StepResult } from '../outcomes/scan-result.ts';
import type { PlannedPart } from '../plan/plan.ts';
import { countScans, isUncounted, lacksFindings } from './words.ts';

/**
 * The longest `problem-details`, in bytes. act, Gitea and Forgejo read GITHUB_OUTPUT in lines of at most
 * 64 KiB; a longer one fails the step and loses all outputs.
 */
const MAX_OUTPUT_BYTES = 60_000;

/** An address in a text, and a text that is the path of one. */
const ADDRESS = /\bhttps?:\/\/\S+|^\/\S*$/gi;

/** A leaf of our own JSON that is shown as it is: a path, an id or a word of ours, or JSON that is safe already. */
class AsIs {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** JSON of our own: its names are ours, and its texts are made safe. */
type OwnJson =
  | string
  | number
  | boolean
  | undefined
  | AsIs
  | readonly OwnJson[]
  | { readonly [name: string]: OwnJson };

/** Sets the step's outputs, empty if not applicable; also on failure, so that later steps know what happened. */
export function setOutputs(step: StepResult, log: Log): void {
  const result = getResult(step);
  const { entry, failure, status, problem = '' }: Partial<ScanResult> = findDecisive(step) ?? step;
  const details = problem === '' ? '' : writeJson(readForeign(problem));
  setOutput('uploaded', String(result === 'accepted'));
  setOutput('result', result);
  setOutput('reason', failure?.reason ?? '');
  setOutput('status-code', String(status ?? ''));
  setOutput('error', failure === undefined ? '' : nameError(failure.headline, step, entry?.label));
  setOutput('problem-details', Buffer.byteLength(details) > MAX_OUTPUT_BYTES ? '' : details);
  setOutput('findings', spellFindings(step));
  setOutput('results-path', writeResults(step, log));
}

/** The headline with the label of the decisive scan if it has one, and the number of other failed scans. */
function nameError(headline: string, { scans }: StepResult, label = ''): string {
  const failed = scans.filter(hasOwnFailure).length;
  const others = failed > 1 ? ` (${failed - 1} more of ${scans.length} scans failed)` : '';
  const text = joinTexts([label, headline], ': ');
  return `${showLine(text, MAX_HEADLINE_CHARACTERS - others.length)}${others}`;
}

/**
 * The sums of all scans as JSON, whose order and spelling stay the same, because a gate searches it for a text. Empty
 * unless every scan was inspected and is valid.
 */
function spellFindings({ scans }: StepResult): string {
  const isWhole = scans.every((scan) => scan.plan && !isInvalid(scan));
  if (!isWhole || scans.length === 0) return '';
  const sums = countScans(scans).severities;
  const counts = SEVERITIES.map((each) => [HEADINGS[each].toLowerCase(), sums[each] ?? 0] as const);
  const parts = scans.flatMap(listParts);
  // An SBOM without its report is not marked, but a gate must not take it for a report.
  const uncounted = parts.filter((part) => isUncounted(part) || lacksFindings(part));
  const marked = parts.filter((part) => uncounted.includes(part) || part.marks?.length);
  return JSON.stringify({
    ...Object.fromEntries(counts),
    uncounted: uncounted.length,
    marked: marked.length,
    scans: scans.length,
  });
}

/**
 * Writes the result of each scan to a file in RUNNER_TEMP, which the runner empties after the job. Returns its path,
 * empty if it cannot be written.
 */
function writeResults(step: StepResult, log: Log): string {
  try {
    const { RUNNER_TEMP: parent = '' } = process.env;
    if (parent === '') throw new Error('RUNNER_TEMP is not set');
    const path = makePath(parent, 'results.json');
    appendFile(path, spellResults(step));
    return path;
  } catch (error) {
    const text = `\`results-path\` is empty, because its file could not be written: ${errorMessage(error)}`;
    log.warning('Scan upload (outputs)', text);
    return '';
  }
}

/** A JSON array with an object for each scan, one after the other: a problem may have many members. */
export function spellResults({ scans, revision }: StepResult): string {
  const entries = scans.map((scan) => writeJson(showOwn(makeEntry(scan, revision))));
  return `[${entries.join(',')}]`;
}

/** The result of a scan; undefined if not applicable. */
function makeEntry(scan: ScanResult, revision: Revision | undefined): OwnJson {
  const { entry, plan, result, failure, problem = '', response = '' } = scan;
  const { startedAt = NaN, durationMs = NaN } = scan;
  return {
    name: entry.name,
    scanKey: new AsIs(entry.scanKey || undefined),
    uploaded: result === 'accepted',
    result: new AsIs(result),
    reason: new AsIs(failure?.reason),
    operation: new AsIs(plan?.operation.name),
    statusCode: scan.status,
    ref: revision?.ref,
    sha: new AsIs(revision?.sha),
    pullRequest: revision?.pullRequest,
    attempt: revision?.attempt,
    attempts: scan.attempts ?? 0,
    service: scan.service,
    traceId: new AsIs(scan.requestTraceId),
    startedAt: formatDate(startedAt),
    finishedAt: formatDate(startedAt + durationMs),
    manifest: listParts(scan).map(makeManifestEntry),
    error: failure && showLine(failure.headline, MAX_HEADLINE_CHARACTERS),
    problemDetails: new AsIs(readForeign(problem)),
    response: new AsIs(showForeign(withoutCredentials(tryJson(response)))),
  };
}

/** An entry of `manifest`. */
function makeManifestEntry({ part, file, marks = [], warnings = [] }: PlannedPart): OwnJson {
  const { format, inspected, specVersion, tool, subject, ...counts } = file.content;
  return {
    part: new AsIs(part.name),
    path: new AsIs(file.displayPath),
    bytes: file.size,
    sha256: new AsIs(file.digest),
    modified: formatDate(Number(file.mtimeNs / 1_000_000n)),
    format: new AsIs(format),
    inspected: new AsIs(inspected),
    specVersion,
    tool,
    subject,
    components: counts.components,
    vulnerabilities: counts.vulnerabilities,
    findings: counts.findings,
    severities: counts.severities,
    marks: marks.map(({ name }) => new AsIs(name)),
    warnings: warnings.map((warning) => showLine(warning, MAX_HEADLINE_CHARACTERS)),
  };
}

/** JSON of a service, as it is shown. */
function readForeign(json: string): unknown {
  return showForeign(tryJson(json));
}

/**
 * What a success said, without credentials: teams publish the file of results as an artifact. Members whose names say
 * that they may be credentials are left out, and of addresses all that may sign them.
 */
function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(ADDRESS, shortenAddress);
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !isCredentialMember(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutCredentials(member)]));
}

/** An address without credentials, query and fragment. */
function shortenAddress(address: string): string {
  const url = URL.parse(address, 'http://relative.invalid');
  if (url === null) return '';
  return url.host === 'relative.invalid' ? url.pathname : `${url.origin}${url.pathname}`;
}

/** A value of our own as it is shown: every text is made safe, unless the place where it is made says otherwise. */
function showOwn(value: OwnJson): unknown {
  if (value instanceof AsIs) return value.value;
  if (typeof value === 'string') return show(value);
  if (Array.isArray(value)) return value.map(showOwn);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, showOwn(member)]));
}

/** Every member is present, with null for what is undefined. No runner command is in it: a later step may print it. */
function writeJson(value: unknown): string {
  const json = JSON.stringify(value, (_, member: unknown) => member ?? null);
  return json.replaceAll('##[', String.raw`##\u005b`);
}

/** A time in milliseconds since 1970 as text; undefined if it is none, as some file systems have any. */
function formatDate(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function showLine(text: string, maxCharacters: number): string {
  return show(joinLines(text), maxCharacters);
}
