import { extname } from 'node:path';
import { StepError } from '../errors.ts';
import type { Content, Kind } from '../formats/content.ts';
import { STREAM, describeContent, describeCounts } from '../formats/describe.ts';
import { findFormat } from '../formats/registry.ts';
import { findHolding, findRole, isUnscanned } from '../formats/role.ts';
import { describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';

/** What is wrong with the files' contents, or may be. */
interface Diagnostic {
  /** Names the file and its part; of a warning, what to do as well. */
  readonly message: string;
  /** What to do about a problem, which ends the scan with `content-check: error`; a warning has none, and never does. */
  readonly fixes: readonly string[];
  /** The files it is about. */
  readonly parts: readonly PlannedPart[];
}

const SCAN_FIX = 'Fix the scan step: it failed, or is still writing the file.';
const OUTPUT_FIX =
  'Write only the report to the file: by an option of the tool, or with `>` rather than `&>`, and `npm run --silent`.';
const SBOM_FIX =
  'Let the scan step write JSON, as `syft -o cyclonedx-json` does, or correct `dependencies-file`.';
/** An empty file is the only one that is sensible to send: nobody should ship a broken scan. */
const EMPTY_FIX =
  'If the tool writes an empty file when it finds nothing, set `content-check: warn`.';
const FAULT_FIXES = {
  empty: [SCAN_FIX, EMPTY_FIX],
  truncated: [SCAN_FIX],
  malformed: ['The tool wrote invalid JSON: update it, or report it to its authors.'],
  trailing: [OUTPUT_FIX],
  error: ['Fix the scan step: it failed.'],
} as const;
/** What to do about a file that is no scan, whatever its part and name are. */
const KIND_FIXES: Partial<Record<Kind, string>> = {
  'utf-16': 'Let the scan step write UTF-8.',
  lfs: 'Set `lfs: true` at the checkout.',
  scalar: 'Let the scan step write its JSON as it is: JSON that is encoded twice is a string.',
};
/** What to do about a file that should be JSON or XML; INPUT stands for the input that names it. */
const JSON_FIX = 'Let the scan step write JSON, or correct INPUT.';
const FILE_FIX = 'Correct INPUT, or the step that writes the file.';
const TEXT_FIXES: Partial<Record<Kind, string>> = {
  gzip: 'Decompress it before this step (`gunzip`), and name the result in INPUT.',
  zip: 'Decompress it before this step (`unzip`), and name the result in INPUT.',
  colored: 'Set `NO_COLOR: 1` for the scan step, or correct INPUT.',
  mixed: OUTPUT_FIX,
};
const JSON_HINT =
  'The service may expect JSON: most tools write it with an option, such as `trivy --format json`';
const CYCLONEDX_HINT =
  'Most tools write CycloneDX too: `syft -o cyclonedx-json`, `trivy --format cyclonedx`';
/** Files that are never scans, though `*.json` matches them. */
const NEVER_SCANS = /^(?:package(?:-lock)?|npm-shrinkwrap|composer|tsconfig.*|.*\.schema)\.json$/;

/** A planned file, and what it was recognised as: the beginning of what most checks say. */
interface Subject extends PlannedPart {
  readonly content: Content;
  readonly is: string;
}

/** What a check finds: the rest of a sentence that begins with the file, and fixes if it is a problem. Empty for nothing. */
type Found = readonly string[];

/**
 * Checks the planned files' contents. The interface does not limit the formats, so a well-formed file that is not
 * recognised is only a warning. `strictness` is `content-check`: with `error` problems throw a StepError; otherwise they
 * are warnings of the parts in the returned plan.
 */
export function checkContents(plan: UploadPlan, strictness: 'error' | 'warn' | 'off'): UploadPlan {
  if (strictness === 'off') return plan;
  const isSwap = isSwapped(plan.parts);
  // That files are swapped explains what they are not.
  const checks = isSwap ? CHECKS : [...CHECKS, checkRole];
  const found = plan.parts.flatMap((planned) => checkPart(planned, checks));
  const diagnostics = isSwap ? [...found.filter(isProblem), describeSwap(plan.parts)] : found;
  const problems = diagnostics.filter(isProblem);
  if (strictness === 'error' && problems.length > 0) {
    const fixes = new Set(problems.flatMap((problem) => problem.fixes));
    const messages = problems.map(({ message }) => message);
    throw new StepError('contents', messages, [...fixes]);
  }
  const parts = plan.parts.map((planned) => {
    const own = diagnostics.filter((each) => each.parts.includes(planned));
    return { ...planned, warnings: own.map(({ message }) => message) };
  });
  return { ...plan, parts };
}

function checkPart(planned: PlannedPart, checks: typeof CHECKS): readonly Diagnostic[] {
  const { content } = planned.file;
  const subject = { ...planned, content, is: `is ${describeContent(content)}` };
  const all = checks.flatMap((check) => {
    const [what, ...fixes] = check(subject);
    const message = `${describePart(planned)} ${what}.`;
    return what === undefined ? [] : { message, fixes, parts: [planned] };
  });
  // A problem says it all.
  const first = all.find(isProblem);
  return first === undefined ? all : [first];
}

function isProblem({ fixes }: Diagnostic): boolean {
  return fixes.length > 0;
}

/** Finds a file that is no whole document, or never a scan. */
function checkFault({ content: { fault, problem, kind = 'text' }, is }: Subject): Found {
  if (fault !== undefined && problem !== undefined) return [problem, ...FAULT_FIXES[fault]];
  const fix = KIND_FIXES[kind];
  return fix === undefined ? [] : [is, fix];
}

/** Finds a file that is not in the language that its part or its name demands, and a web page. */
function checkSyntax({ part, file: { name, input }, content, is }: Subject): Found {
  const { kind = 'text' } = content;
  const wanted = part.isJson ? 'json' : findSyntax(name);
  const syntax = content.syntax === 'ndjson' ? 'json' : content.syntax;
  const isPage = kind === 'html' && !/\.x?html?$/i.test(name);
  if (wanted === undefined ? !isPage : syntax === wanted) return [];
  const ending = wanted === undefined ? 'not a scan' : `although its name ends in ${extname(name)}`;
  // Some formats exist in JSON and in XML.
  const isNamed = syntax !== undefined && findFormat(content.format) !== undefined;
  const shown = isNamed ? `${is} in ${syntax.toUpperCase()}` : is;
  const what = `${shown}, ${part.isJson ? 'not JSON' : ending}`;
  if (syntax !== undefined && !part.isJson) return [what];
  const fix = TEXT_FIXES[kind] ?? (part.isJson ? JSON_FIX : FILE_FIX);
  return [what, fix.replace('INPUT', `\`${input}\``)];
}

/** The language that the name of a file promises. */
function findSyntax(name: string): 'json' | 'xml' | undefined {
  if (/\.(?:json|sarif)$/i.test(name)) return 'json';
  return /\.xml$/i.test(name) ? 'xml' : undefined;
}

/** Finds what a wildcard may have chosen by mistake: a file that is no scan, such as `package.json`, or half of a pair. */
function checkChoice({ part, file: { input, name, chosenBy }, content, is }: Subject): Found {
  if (chosenBy === undefined) return [];
  if (input === 'files' && part.isJson && isUnscanned(content)) {
    const what = `is ${describeAs('an SBOM', content)}, and the only match of \`files\`: its report may be missing. For an SBOM alone use \`scan-file\``;
    return [what];
  }
  if (findFormat(content.format) !== undefined) return [];
  const what = `${is}, and a ${chosenBy} of \`${input}\` chose it`;
  const advice = `If it is the scan, write its name in place of the ${chosenBy}; if not, the scan step wrote no file here`;
  if (chosenBy === 'wildcard' && NEVER_SCANS.test(name)) return [what, `${advice}.`];
  if (content.kind !== undefined || part.expects === 'SBOM') return [];
  return [`${what}. ${advice}`];
}

/** Finds reports that were appended to a file, and streams where one document is expected. */
function checkStream({ part, content }: Subject): Found {
  if (content.syntax !== 'ndjson') return [];
  const format = findFormat(content.format);
  if (format !== undefined && format.isStream !== true) {
    const what = `is ${STREAM}, one of them ${describeContent(content)}: the service may read only the first. Write each report to a file of its own, with \`>\` rather than \`>>\``;
    return [what];
  }
  const what = `is ${STREAM}: the service may expect a single one. If it takes an array, \`jq --slurp\` writes one`;
  return part.isJson ? [what] : [];
}

function checkEncoding({ content: { invalidByte } }: Subject): Found {
  return invalidByte === undefined ? [] : [`has a byte that is not UTF-8 (at byte ${invalidByte})`];
}

/**
 * Finds the report of a failed scan or of none, text, an SBOM that is none, or empty, and an SBOM in the place of a
 * report. One with an empty list of vulnerabilities may be a clean report.
 */
function checkRole({ part, content, is }: Subject): Found {
  const { format, kind = '', isFailed, isSbom } = content;
  const isText = ['text', 'mixed', 'colored'].includes(kind);
  if (isFailed) return ['states that its scan failed or did not run: findings may be missing'];
  if (part.expects === 'report') {
    if (isText) return [`is text. ${JSON_HINT}`];
    const isReport = findFormat(format)?.holds !== 'SBOM' && !isUnscanned(content);
    return isReport ? [] : [`is ${describeAs('an SBOM', content)}, not a vulnerability report`];
  }
  if (part.expects === 'either') return [];
  if (isText && isSbom !== true) {
    return ['is text, not an SBOM', kind === 'mixed' ? OUTPUT_FIX : SBOM_FIX];
  }
  if (format !== 'cyclonedx') {
    const hint = findHolding(content) === 'SBOM' ? `. ${CYCLONEDX_HINT}` : '';
    return [`is not recognised as CycloneDX: it ${is}${hint}`];
  }
  return content.components === 0 ? ['is an SBOM without components'] : [];
}

/** The checks of each file. Only its first problem is reported, and if it has none, each warning. */
const CHECKS: readonly ((subject: Subject) => Found)[] = [
  checkFault,
  checkSyntax,
  checkChoice,
  checkStream,
  checkEncoding,
];

/**
 * Whether an SBOM and a report are in the part of the other one: a report, or what is no SBOM, beside an SBOM without
 * vulnerabilities.
 */
function isSwapped(parts: readonly PlannedPart[]): boolean {
  const sbom = parts.find(({ part }) => part.expects === 'SBOM')?.file.content;
  const report = parts.find(({ part }) => part.expects === 'report')?.file.content;
  if (sbom === undefined || report === undefined) return false;
  if (findRole(sbom) === 'report') return findRole(report) === 'SBOM';
  return findHolding(sbom) === undefined && isUnscanned(report);
}

function describeSwap(parts: readonly PlannedPart[]): Diagnostic {
  const taken = parts.map((planned) => `${describePart(planned)} is ${describeSwapped(planned)}`);
  const named = parts.map(({ part }) => `the ${part.expects} as \`${part.input}\``);
  const fix = parts.some(({ file }) => file.input === 'files')
    ? `Set ${named.join(' and ')} instead of \`files\`.`
    : `Swap ${parts.map(({ part }) => `\`${part.input}\``).join(' and ')}.`;
  return { message: `${taken.join(', and ')}: they are swapped.`, fixes: [fix], parts };
}

function describeSwapped({ part, file: { content } }: PlannedPart): string {
  if (part.expects === 'report') return describeAs('an SBOM', content);
  if (findRole(content) === 'report') return describeAs('a report', content);
  return `${describeContent(content)}, not an SBOM`;
}

/** `an SBOM (CycloneDX 1.6: 3 components)`. */
function describeAs(role: string, content: Content): string {
  const whole = [describeContent(content), describeCounts(content)].filter((text) => text !== '');
  return `${role} (${whole.join(': ')})`;
}
