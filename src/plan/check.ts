import { extname } from 'node:path';
import { StepError } from '../errors.ts';
import type { Content } from '../formats/content.ts';
import { describeContent, describeCounts, describeStream } from '../formats/describe.ts';
import { findFormat } from '../formats/registry.ts';
import { cutAtWord } from '../text.ts';
import { describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';
import { findHolding, findRole, isSwapped, isUnscanned } from './role.ts';

/** What is wrong with the files' contents, or may be. */
interface Finding {
  /** A problem ends the scan with `content-check: error`, a warning never does. */
  readonly kind: 'problem' | 'warning';
  /** One sentence that names the file and its part. */
  readonly message: string;
  /** What to do about a problem; two problems may share one of them. */
  readonly fixes: readonly string[];
  /** The files it is about. */
  readonly parts: readonly PlannedPart[];
}

const SCAN_FIX = 'Fix the scan step: it failed, or is still writing the file.';
/** An empty file is the only one that is sensible to send: nobody should ship a broken scan. */
const EMPTY_FIX =
  'If the tool writes an empty file when it finds nothing, set `content-check: warn`.';
const ENCODING_FIX = 'Let the scan step write UTF-8.';
const LFS_FIX = 'Set `lfs: true` at the checkout.';
const SCALAR_FIX =
  'Let the scan step write its JSON as it is: JSON that is encoded twice is a string.';
const OUTPUT_FIX =
  'Write only the report to the file: by an option of the tool, or with `>` rather than `&>`, and `npm run --silent`.';
const SBOM_FIX =
  'Let the scan step write JSON, as `syft -o cyclonedx-json` does, or correct `dependencies-file`.';
const JSON_HINT =
  'The service may expect JSON: most tools write it with an option, such as `trivy --format json`';
const CYCLONEDX_HINT =
  'Most tools write CycloneDX too: `syft -o cyclonedx-json`, `trivy --format cyclonedx`';
/** Files that are never scans, though `*.json` matches them. */
const NEVER_SCANS = /^(?:package(?:-lock)?|npm-shrinkwrap|composer|tsconfig.*|.*\.schema)\.json$/;
/** How much of a text before or after JSON is shown. */
const MAX_STRAY_CHARACTERS = 80;

/**
 * Checks the planned files' contents. Problems are: a file that is empty, malformed or truncated; one that
 * does not fit its name, or is never a scan; a scan file that is not JSON; an SBOM that is text; an SBOM and a
 * report that are swapped. The interface does not limit the formats, so a well-formed file that is not recognised
 * is only a warning, and so is a stream of JSON documents, as many tools write it. `strictness` is `content-check`:
 * with `error` problems throw a StepError; otherwise they are warnings of the parts in the returned plan.
 */
export function checkContents(plan: UploadPlan, strictness: 'error' | 'warn' | 'off'): UploadPlan {
  if (strictness === 'off') return plan;
  const findings = findAll(plan);
  const problems = findings.filter(isProblem);
  if (strictness === 'error' && problems.length > 0) {
    const fixes = new Set(problems.flatMap((problem) => problem.fixes));
    throw new StepError(
      'contents',
      problems.map(({ message }) => message),
      [...fixes],
    );
  }
  const parts = plan.parts.map((planned) => {
    const own = findings.filter((finding) => finding.parts.includes(planned));
    return { ...planned, warnings: own.map(({ message }) => message) };
  });
  return { ...plan, parts };
}

function findAll({ parts }: UploadPlan): readonly Finding[] {
  const isSwap = isSwapped(parts);
  const findings = parts.flatMap((planned) => checkPart(planned, isSwap));
  return isSwap ? [...findings.filter(isProblem), reportSwap(parts)] : findings;
}

function checkPart(planned: PlannedPart, isSwap: boolean): readonly Finding[] {
  const { format, problem, stray, isMisencoded } = planned.file.content;
  if (problem === undefined) {
    const checks = [checkSyntax, checkChoice, checkStream, ...(isSwap ? [] : [checkRole])];
    const findings = checks.flatMap((check) => check(planned));
    // A problem says it all.
    const first = findings.find(isProblem);
    return first === undefined ? findings : [first];
  }
  if (format === 'empty') return report(planned, problem, SCAN_FIX, EMPTY_FIX);
  if (stray !== undefined) return report(planned, `${problem}: '${cutStray(stray)}'`, OUTPUT_FIX);
  return report(planned, problem, isMisencoded === true ? ENCODING_FIX : SCAN_FIX);
}

function report(
  planned: PlannedPart,
  what: string,
  ...fixes: readonly string[]
): readonly Finding[] {
  return warn(planned, what).map((finding) => ({ ...finding, kind: 'problem', fixes }));
}

function warn(planned: PlannedPart, what: string): readonly Finding[] {
  const message = `${describePart(planned)} ${what}.`;
  return [{ kind: 'warning', message, fixes: [], parts: [planned] }];
}

function isProblem({ kind }: Finding): boolean {
  return kind === 'problem';
}

/**
 * Finds an archive or other text with the name of a JSON or XML file, and a pointer, a single value, a login or an
 * error page that was saved instead of a scan.
 */
function checkSyntax(planned: PlannedPart): readonly Finding[] {
  const { part, file } = planned;
  const { content, name } = file;
  const wanted = part.isJson ? 'json' : findSyntax(name);
  const syntax = content.syntax === 'ndjson' ? 'json' : content.syntax;
  const fix = part.isJson
    ? `Let the scan step write JSON, or correct \`${file.input}\`.`
    : `Correct \`${file.input}\`, or the step that writes the file.`;
  if (content.kind === 'lfs') return report(planned, `is ${describeContent(content)}`, LFS_FIX);
  if (content.kind === 'scalar')
    return report(planned, `is ${describeContent(content)}`, SCALAR_FIX);
  if (wanted === undefined) {
    const isPage = content.kind === 'html' && !/\.x?html?$/i.test(name);
    return isPage ? report(planned, `is ${describeContent(content)}, not a scan`, fix) : [];
  }
  if (syntax === wanted) return [];
  // Some formats exist in JSON and in XML.
  const isNamed = syntax !== undefined && findFormat(content.format) !== undefined;
  if (content.stray !== undefined && wanted === 'json') {
    const what = `begins with '${cutStray(content.stray)}', which is not JSON`;
    return report(planned, what, OUTPUT_FIX);
  }
  const contrast = part.isJson ? 'not JSON' : `although its name ends in ${extname(name)}`;
  const what = `is ${describeContent(content)}${isNamed ? ` in ${syntax.toUpperCase()}` : ''}, ${contrast}`;
  return syntax !== undefined && !part.isJson ? warn(planned, what) : report(planned, what, fix);
}

function cutStray(line: string): string {
  return cutAtWord(line, MAX_STRAY_CHARACTERS);
}

/** The language that the name of a file promises. */
function findSyntax(name: string): 'json' | 'xml' | undefined {
  if (/\.(?:json|sarif)$/i.test(name)) return 'json';
  return /\.xml$/i.test(name) ? 'xml' : undefined;
}

/** Finds what a wildcard may have chosen by mistake: a file that is no scan, such as `package.json`, or half of a pair. */
function checkChoice(planned: PlannedPart): readonly Finding[] {
  const { content, input, name, chosenBy } = planned.file;
  if (chosenBy === undefined) return [];
  if (input === 'files' && planned.part.isJson && isUnscanned(content)) {
    const what = `is ${describeSbom(content)}, and the only match of \`files\`: its report may be missing. For an SBOM alone use \`scan-file\``;
    return warn(planned, what);
  }
  if (findFormat(content.format) !== undefined) return [];
  const what = `is ${describeContent(content)}, and a ${chosenBy} of \`${input}\` chose it`;
  const advice = `If it is the scan, write its name in place of the ${chosenBy}; if not, the scan step wrote no file here`;
  if (chosenBy === 'wildcard' && NEVER_SCANS.test(name)) return report(planned, what, `${advice}.`);
  if (content.kind !== undefined || planned.part.holds === 'SBOM') return [];
  return warn(planned, `${what}. ${advice}`);
}

/** Finds reports that were appended to a file, and streams where one document is expected. */
function checkStream(planned: PlannedPart): readonly Finding[] {
  const { content } = planned.file;
  const stream = `is ${describeStream(content)}`;
  if (content.isRepeated === true) {
    const what = `${stream}, several of them ${describeContent(content)}: the service may read only the first. Write each report to a file of its own, with \`>\` rather than \`>>\``;
    return warn(planned, what);
  }
  if (content.syntax !== 'ndjson' || !planned.part.isJson) return [];
  const what = `${stream}: the service may expect a single one. If it takes an array, \`jq --slurp\` writes one`;
  return warn(planned, what);
}

/**
 * Finds the report of a failed scan or of none, text, an SBOM that is none, or empty, and an SBOM in the place of a
 * report. One with an empty list of vulnerabilities may be a clean report.
 */
function checkRole(planned: PlannedPart): readonly Finding[] {
  const { part, file } = planned;
  const { content } = file;
  if (content.isFailed === true) {
    return warn(planned, 'states that its scan failed, so that findings may be missing');
  }
  if (content.isBlank === true && content.format === 'sarif') {
    return warn(planned, 'is SARIF without runs: check whether the repository was checked out');
  }
  if (part.holds === 'report') {
    if (content.kind === 'text') return warn(planned, `is text. ${JSON_HINT}`);
    const isReport = findHolding(content) !== 'SBOM' && !isUnscanned(content);
    return isReport ? [] : warn(planned, `is ${describeSbom(content)}, not a vulnerability report`);
  }
  if (part.holds === 'either') return [];
  if (content.kind === 'text') {
    const fix = content.stray === undefined ? SBOM_FIX : OUTPUT_FIX;
    return report(planned, 'is text, not an SBOM', fix);
  }
  if (content.format !== 'cyclonedx') {
    const hint = findHolding(content) === 'SBOM' ? `. ${CYCLONEDX_HINT}` : '';
    return warn(
      planned,
      `is not recognised as CycloneDX: it is ${describeContent(content)}${hint}`,
    );
  }
  return content.components === 0 ? warn(planned, 'is an SBOM without components') : [];
}

function reportSwap(parts: readonly PlannedPart[]): Finding {
  const taken = parts.map((planned) => `${describePart(planned)} is ${describeSwapped(planned)}`);
  const isInferred = parts.some(({ file }) => file.input === 'files');
  const inputs = parts.map(({ part }) => `\`${part.input}\``);
  const named = parts.map(({ part }) => `the ${part.holds} as \`${part.input}\``);
  const fix = isInferred
    ? `Set ${named.join(' and ')} instead of \`files\`.`
    : `Swap ${inputs.join(' and ')}.`;
  const message = `${taken.join(', and ')}: they are swapped.`;
  return { kind: 'problem', message, fixes: [fix], parts };
}

function describeSwapped({ part, file: { content } }: PlannedPart): string {
  if (part.holds === 'report') return describeSbom(content);
  if (findRole(content) === 'report') return `a report (${describeWhole(content)})`;
  return `${describeContent(content)}, not an SBOM`;
}

function describeSbom(content: Content): string {
  return `an SBOM (${describeWhole(content)})`;
}

function describeWhole(content: Content): string {
  const counts = describeCounts(content);
  return `${describeContent(content)}${counts === '' ? '' : `: ${counts}`}`;
}
