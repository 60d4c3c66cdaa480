import { extname } from 'node:path';
import { StepError } from '../errors.ts';
import type { Content, Kind } from '../formats/content.ts';
import { STREAM, describeContent, describeCounts } from '../formats/describe.ts';
import { findFormat } from '../formats/registry.ts';
import { cutAtWord } from '../text.ts';
import { describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';
import { findHolding, findRole, isSwapped, isUnscanned } from './role.ts';

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
/** An empty file is the only one that is sensible to send: nobody should ship a broken scan. */
const EMPTY_FIX =
  'If the tool writes an empty file when it finds nothing, set `content-check: warn`.';
const ENCODING_FIX = 'Let the scan step write UTF-8.';
const LFS_FIX = 'Set `lfs: true` at the checkout.';
const UNPACKERS: Partial<Record<Kind, string>> = { gzip: 'gunzip', zip: 'unzip' };
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
  const diagnostics = findAll(plan);
  const problems = diagnostics.filter(isProblem);
  if (strictness === 'error' && problems.length > 0) {
    const fixes = new Set(problems.flatMap((problem) => problem.fixes));
    throw new StepError(
      'contents',
      problems.map(({ message }) => message),
      [...fixes],
    );
  }
  const parts = plan.parts.map((planned) => {
    const own = diagnostics.filter((each) => each.parts.includes(planned));
    return { ...planned, warnings: own.map(({ message }) => message) };
  });
  return { ...plan, parts };
}

function findAll({ parts }: UploadPlan): readonly Diagnostic[] {
  const isSwap = isSwapped(parts);
  const all = parts.flatMap((planned) => checkPart(planned, isSwap));
  return isSwap ? [...all.filter(isProblem), describeSwap(parts)] : all;
}

function checkPart(planned: PlannedPart, isSwap: boolean): readonly Diagnostic[] {
  const role = isSwap ? [] : [checkRole];
  const checks = [checkState, checkSyntax, checkChoice, checkStream, ...role];
  const all = checks.flatMap((check) => {
    const [what, ...fixes] = check(planned);
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

/** What a check finds: the rest of a sentence that begins with the file, and fixes if it is a problem. Empty for nothing. */
type Found = readonly string[];

/** Finds what the inspection has found: a file that is empty, truncated or malformed. */
function checkState({ file: { content } }: PlannedPart): Found {
  const { format, problem, stray, isMisencoded } = content;
  if (problem === undefined) return [];
  if (format === 'empty') return [problem, SCAN_FIX, EMPTY_FIX];
  if (stray !== undefined) return [`${problem}: '${cutStray(stray)}'`, OUTPUT_FIX];
  return [problem, isMisencoded === true ? ENCODING_FIX : SCAN_FIX];
}

/**
 * Finds an archive or other text with the name of a JSON or XML file, and a pointer, a single value, a login or an
 * error page that was saved instead of a scan.
 */
function checkSyntax({ part, file }: PlannedPart): Found {
  const { content, name, input } = file;
  const { kind, stray } = content;
  const what = `is ${describeContent(content)}`;
  if (kind === 'lfs') return [what, LFS_FIX];
  if (kind === 'scalar') return [what, SCALAR_FIX];
  const wanted = part.isJson ? 'json' : findSyntax(name);
  const syntax = content.syntax === 'ndjson' ? 'json' : content.syntax;
  const isPage = kind === 'html' && !/\.x?html?$/i.test(name);
  if (wanted === undefined ? !isPage : syntax === wanted) return [];
  if (stray !== undefined && wanted === 'json') {
    return [`begins with '${cutStray(stray)}', which is not JSON`, OUTPUT_FIX];
  }
  // Some formats exist in JSON and in XML.
  const isNamed = syntax !== undefined && findFormat(content.format) !== undefined;
  const shown = isNamed ? `${what} in ${syntax.toUpperCase()}` : what;
  const unpacker = UNPACKERS[kind ?? 'text'];
  const fix = unpacker
    ? `Decompress it before this step (\`${unpacker}\`), and name the result in \`${input}\`.`
    : `Let the scan step write JSON, or correct \`${input}\`.`;
  if (part.isJson) return [`${shown}, not JSON`, fix];
  const contrast = wanted ? `although its name ends in ${extname(name)}` : 'not a scan';
  const change = `Correct \`${input}\`, or the step that writes the file.`;
  const fixes = syntax ? [] : [unpacker ? fix : change];
  return [`${shown}, ${contrast}`, ...fixes];
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
function checkChoice({ part, file: { content, input, name, chosenBy } }: PlannedPart): Found {
  if (chosenBy === undefined) return [];
  if (input === 'files' && part.isJson && isUnscanned(content)) {
    const what = `is ${describeAs('an SBOM', content)}, and the only match of \`files\`: its report may be missing. For an SBOM alone use \`scan-file\``;
    return [what];
  }
  if (findFormat(content.format) !== undefined) return [];
  const what = `is ${describeContent(content)}, and a ${chosenBy} of \`${input}\` chose it`;
  const advice = `If it is the scan, write its name in place of the ${chosenBy}; if not, the scan step wrote no file here`;
  if (chosenBy === 'wildcard' && NEVER_SCANS.test(name)) return [what, `${advice}.`];
  if (content.kind !== undefined || part.expects === 'SBOM') return [];
  return [`${what}. ${advice}`];
}

/** Finds reports that were appended to a file, and streams where one document is expected. */
function checkStream({ part, file: { content } }: PlannedPart): Found {
  if (content.syntax !== 'ndjson') return [];
  const format = findFormat(content.format);
  if (format !== undefined && format.isStream !== true) {
    const what = `is ${STREAM}, one of them ${describeContent(content)}: the service may read only the first. Write each report to a file of its own, with \`>\` rather than \`>>\``;
    return [what];
  }
  const what = `is ${STREAM}: the service may expect a single one. If it takes an array, \`jq --slurp\` writes one`;
  return part.isJson ? [what] : [];
}

/**
 * Finds the report of a failed scan or of none, text, an SBOM that is none, or empty, and an SBOM in the place of a
 * report. One with an empty list of vulnerabilities may be a clean report.
 */
function checkRole({ part, file: { content } }: PlannedPart): Found {
  if (content.isFailed) return ['states that its scan failed, so that findings may be missing'];
  if (content.isBlank === true && content.format === 'sarif') {
    return ['is SARIF without runs: check whether the repository was checked out'];
  }
  if (part.expects === 'report') {
    if (content.kind === 'text') return [`is text. ${JSON_HINT}`];
    const isReport = findHolding(content) !== 'SBOM' && !isUnscanned(content);
    return isReport ? [] : [`is ${describeAs('an SBOM', content)}, not a vulnerability report`];
  }
  if (part.expects === 'either') return [];
  const fix = content.stray === undefined ? SBOM_FIX : OUTPUT_FIX;
  if (content.kind === 'text') return ['is text, not an SBOM', fix];
  if (content.format !== 'cyclonedx') {
    const hint = findHolding(content) === 'SBOM' ? `. ${CYCLONEDX_HINT}` : '';
    return [`is not recognised as CycloneDX: it is ${describeContent(content)}${hint}`];
  }
  return content.components === 0 ? ['is an SBOM without components'] : [];
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
