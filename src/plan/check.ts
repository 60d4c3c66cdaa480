import { extname } from 'node:path';
import { StepError } from '../errors.ts';
import type { Content, Kind } from '../formats/content.ts';
import {
  STREAM,
  describeContent,
  findRole,
  isRecognised,
  isUnscanned,
} from '../formats/content.ts';
import { findFormat } from '../formats/registry.ts';
import { describeFacts, describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';

/** What ends the scan with `content-check: error`: the rest of a sentence that begins with the file. */
interface Problem {
  readonly text: string;
  readonly fix: string;
}

/** A problem, or the text of a warning, which ends no scan and says what to do itself. */
type Remark = Problem | string;

const REDIRECT_FIX =
  'Write only the report to the file: by an option of the tool, or with `>` rather than `&>`, and `npm run --silent`.';
const SBOM_FIX =
  'Let the scan step write JSON, as `syft -o cyclonedx-json` does, or correct `dependencies-file`.';
/** What to do about a file that is no scan, whatever its part and name are: by its fault, or what it is. */
const FIXES: Partial<Record<Kind | NonNullable<Content['fault']>, string>> = {
  empty:
    'Fix the scan step. If its tool writes an empty file when it finds nothing, set `content-check: warn`.',
  truncated: 'Fix the scan step: it failed, or is still writing the file.',
  malformed: 'The tool wrote invalid JSON: update it, or report it to its authors.',
  trailing: REDIRECT_FIX,
  error: 'Fix the scan step: it failed.',
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
  mixed: REDIRECT_FIX,
};
const JSON_HINT =
  'The service may expect JSON: most tools write it with an option, such as `trivy --format json`';
const CYCLONEDX_HINT =
  'Most tools write CycloneDX too: `syft -o cyclonedx-json`, `trivy --format cyclonedx`';
/** Files that are never scans, though `*.json` matches them. */
const NEVER_SCANS = /^(?:package(?:-lock)?|npm-shrinkwrap|composer|tsconfig.*|.*\.schema)\.json$/;
/** Endings of names that promise a syntax. */
const SYNTAX_ENDINGS = ['.json', '.sarif', '.xml'];
const PAGE_ENDINGS = ['.html', '.htm'];

/**
 * Checks the planned files' contents. The interface does not limit the formats, so a well-formed file that is not
 * recognised is only a warning. `strictness` is `content-check`: with `error` problems throw a StepError; otherwise they
 * are warnings of the parts in the returned plan.
 */
export function checkContents(plan: UploadPlan, strictness: 'error' | 'warn' | 'off'): UploadPlan {
  if (strictness === 'off') return plan;
  const swap = findSwap(plan.parts);
  const checked = plan.parts.map((planned) => {
    // That files are swapped explains what they are not.
    return { planned, remarks: swap === undefined ? checkPart(planned) : [swap] };
  });
  const remarks = new Set(checked.flatMap((each) => each.remarks));
  const problems = [...remarks].filter((remark) => typeof remark !== 'string');
  if (strictness === 'error' && problems.length > 0) {
    const fixes = new Set(problems.map(({ fix }) => fix));
    throw new StepError('contents', problems.map(getSentence), [...fixes]);
  }
  const parts = checked.map((each) => ({
    ...each.planned,
    warnings: each.remarks.map(getSentence),
  }));
  return { ...plan, parts };
}

function getSentence(remark: Remark): string {
  return typeof remark === 'string' ? remark : remark.text;
}

/** The first problem of a file, which says it all, or each warning; in sentences. */
function checkPart(planned: PlannedPart): readonly Remark[] {
  const remarks = CHECKS.flatMap((check) => check(planned) ?? []);
  const problem = remarks.find((remark) => typeof remark !== 'string');
  const name = describePart(planned);
  if (problem === undefined) return remarks.map((remark) => `${name} ${getSentence(remark)}.`);
  return [{ ...problem, text: `${name} ${problem.text}.` }];
}

/** Finds a file that is no whole document, or never a scan. */
function checkFault({ file: { content } }: PlannedPart): Remark | undefined {
  const { fault, problem, kind = 'text' } = content;
  const fix = FIXES[fault ?? kind];
  return fix === undefined ? undefined : { text: problem ?? `is ${describeContent(content)}`, fix };
}

/** Finds a file that is not in the syntax that its part or its name demands, and a web page. */
function checkSyntax(planned: PlannedPart): Remark | undefined {
  const { part, file } = planned;
  const { input, content } = file;
  const reason = findDemand(planned);
  if (reason === undefined) return undefined;
  const fix = TEXT_FIXES[content.kind ?? 'text'] ?? (part.isJson ? JSON_FIX : FILE_FIX);
  return {
    text: `is ${describeContent(content)}, ${reason}`,
    fix: fix.replace('INPUT', `\`${input}\``),
  };
}

/** Why the syntax of a file is wrong; undefined if it is not. */
function findDemand({ part, file: { name, content } }: PlannedPart): string | undefined {
  const { syntax, kind } = content;
  if (part.isJson) return syntax === 'json' || syntax === 'ndjson' ? undefined : 'not JSON';
  if (syntax !== undefined) return undefined;
  const ending = extname(name);
  if (SYNTAX_ENDINGS.includes(ending.toLowerCase())) return `although its name ends in ${ending}`;
  const isPage = kind === 'html' && !PAGE_ENDINGS.includes(ending.toLowerCase());
  return isPage ? 'not a scan' : undefined;
}

/** Finds what a pattern may match by mistake: a file that is no scan, such as `package.json`, or half of a pair. */
function checkChoice({ part, file }: PlannedPart): Remark | undefined {
  const { input, name, isUnnamed, content } = file;
  if (!isUnnamed) return undefined;
  if (input === 'files' && part.isJson && isUnscanned(content)) {
    return `is an SBOM (${describeFacts(content)}), and the only match of \`files\`: its report may be missing. For an SBOM alone use \`scan-file\``;
  }
  if (findFormat(content.format) !== undefined) return undefined;
  const text = `is ${describeContent(content)}, and \`${input}\` does not name it`;
  const advice = 'If it is the scan, write its path; if not, the scan step wrote no file here';
  if (NEVER_SCANS.test(name)) return { text, fix: `${advice}.` };
  if (content.kind !== undefined || part.expects === 'SBOM') return undefined;
  return `${text}. ${advice}`;
}

/** Finds reports that were appended to a file, and streams where one document is expected. */
function checkStream({ part, file: { content } }: PlannedPart): Remark | undefined {
  const format = findFormat(content.format);
  const isAppended = format !== undefined && format.isStream !== true;
  if (content.syntax !== 'ndjson' || !(isAppended || part.isJson)) return undefined;
  return `is ${STREAM}: the service may read only the first. Write each to a file of its own (\`>\` rather than \`>>\`), or all as an array (\`jq --slurp\`)`;
}

/** Finds the report of a failed scan, and a byte that is not UTF-8. */
function checkState({ file: { content } }: PlannedPart): Remark | undefined {
  const { isFailed, invalidByte } = content;
  if (isFailed) return 'states that its scan failed or did not run: findings may be missing';
  if (invalidByte === undefined) return undefined;
  return `has a byte that is not UTF-8 (at byte ${invalidByte})`;
}

/** Finds text, an SBOM that is none, or empty, and an SBOM as report: one with an empty list of vulnerabilities may be one. */
function checkRole({ part, file: { content } }: PlannedPart): Remark | undefined {
  const { format, kind = '' } = content;
  if (part.expects === 'either') return undefined;
  const isText = ['text', 'mixed', 'colored'].includes(kind);
  if (part.expects === 'report') {
    if (isText) return `is text. ${JSON_HINT}`;
    const isReport = findFormat(format)?.holds !== 'SBOM' && !isUnscanned(content);
    return isReport
      ? undefined
      : `is an SBOM (${describeFacts(content)}), not a vulnerability report`;
  }
  if (isText && content.isSbom !== true) return { text: 'is text, not an SBOM', fix: SBOM_FIX };
  if (format !== 'cyclonedx') {
    const hint = findRole(content) === 'SBOM' ? `. ${CYCLONEDX_HINT}` : '';
    return `is not recognised as CycloneDX: it is ${describeContent(content)}${hint}`;
  }
  return content.components === 0 ? 'is an SBOM without components' : undefined;
}

/** The checks of each file. */
const CHECKS = [checkFault, checkSyntax, checkChoice, checkStream, checkState, checkRole];

/**
 * Finds an SBOM and a report that are in the part of the other one: a report, or what is no SBOM, beside an SBOM without
 * vulnerabilities. A file with a fault may be anything.
 */
function findSwap(parts: readonly PlannedPart[]): Problem | undefined {
  const [sbom, report] = (['SBOM', 'report'] as const).map(
    (role) => parts.find(({ part }) => part.expects === role)?.file.content,
  );
  if (sbom === undefined || report === undefined) return undefined;
  const isFaulty = sbom.fault !== undefined || report.fault !== undefined;
  const isSwapped =
    findRole(sbom) === 'report'
      ? findRole(report) === 'SBOM'
      : !isRecognised(sbom) && isUnscanned(report);
  if (isFaulty || !isSwapped) return undefined;
  const taken = parts.map((planned) => `${describePart(planned)} is ${describeSwapped(planned)}`);
  const named = parts.map(({ part }) => `the ${part.expects} as \`${part.input}\``);
  return {
    text: `${taken.join(', and ')}: they are swapped.`,
    fix: `Set ${named.join(' and ')}.`,
  };
}

function describeSwapped({ part, file: { content } }: PlannedPart): string {
  if (part.expects === 'report') return `an SBOM (${describeFacts(content)})`;
  if (findRole(content) === 'report') return `a report (${describeFacts(content)})`;
  return `${describeContent(content)}, not an SBOM`;
}
