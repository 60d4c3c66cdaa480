import { extname } from 'node:path';
import { StepError } from '../errors.ts';
import type { Content } from '../formats/content.ts';
import { STREAM, describeContent, isBareSbom, isRecognised } from '../formats/content.ts';
import type { InspectedFile } from '../formats/inspect.ts';
import { findKind } from '../formats/kinds.ts';
import { findFormat } from '../formats/registry.ts';
import type { Part } from '../service/operations.ts';
import { describeFacts, describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';

/** What is said of a file: an error ends its scan with `content-check: error`, and is a warning otherwise. */
interface Remark {
  readonly level: 'error' | 'warning';
  /** The rest of a sentence that begins with the file. */
  readonly text: string;
  /** What to do, in a sentence of its own; INPUT stands for the input that names the file. */
  readonly fix?: string | undefined;
}

const JSON_FIX = 'Check that the scan step did not fail and writes JSON, or correct INPUT.';
const FILE_FIX = 'Correct INPUT, or the step that writes the file.';
const SBOM_FIX =
  'Let the scan step write JSON, as `syft -o cyclonedx-json` does, or correct `dependencies-file`.';
const JSON_HINT =
  'The service may expect JSON: most tools write it with an option, such as `trivy --format json`.';
const CYCLONEDX_HINT =
  'Most tools write CycloneDX too: `syft -o cyclonedx-json`, `trivy --format cyclonedx`.';
const SLURP = 'as an array (`jq --slurp`).';
/** What to do about a tool that read nothing, such as one in the wrong directory. */
const IDLE_FIX = 'Check what the scan step passes to its tool.';
const CHOICE_FIX = 'If it is the scan, write its path; if not, the scan step wrote no file here.';

const EMPTY_SBOM: Remark = {
  level: 'warning',
  text: 'is an SBOM without components',
  fix: IDLE_FIX,
};

/** Files of npm, Composer, TypeScript and .NET that are never scans, though `*.json` matches them. */
const NEVER_SCANS =
  /^(?:package(?:-lock)?|npm-shrinkwrap|composer|tsconfig.*|.*\.schema|packages\.lock|project\.assets|.*\.nuget\.dgspec|global|appsettings(?:\..*)?|local\.settings|secrets|launchsettings|.*\.(?:deps|runtimeconfig))\.json$/i;
/** Endings of names that promise a syntax. */
const SYNTAX_ENDINGS = ['.json', '.sarif', '.xml'];
const PAGE_ENDINGS = ['.html', '.htm'];

/**
 * Checks the planned files' contents. The interface does not limit the formats, so a well-formed file that is not
 * recognised is only a warning. `strictness` is `content-check`: with `error` an error throws a StepError; otherwise all
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
  const errors = [...remarks].filter(({ level }) => level === 'error');
  if (strictness === 'error' && errors.length > 0) throw makeError(errors);
  const parts = checked.map((each) => ({
    ...each.planned,
    warnings: each.remarks.map(({ text, fix = '' }) => `${text} ${fix}`.trim()),
  }));
  return { ...plan, parts };
}

/** The error for files that fail whatever their parts are; undefined if there are none. */
export function findFaults(files: readonly InspectedFile[]): StepError | undefined {
  const faults = files.flatMap((file) => {
    const planned = { part: { isJson: false }, file };
    const remark = checkKind(planned) ?? checkSyntax(planned);
    // A file that is no scan, and that a pattern matches by mistake, is no scan that failed.
    const isFault = remark?.level === 'error' && checkMistake(planned) === undefined;
    return isFault ? [spell(remark, `'${file.displayPath}'`, file)] : [];
  });
  return faults.length === 0 ? undefined : makeError(faults);
}

function makeError(errors: readonly Remark[]): StepError {
  const faults = errors.map(({ text }) => text);
  return new StepError('contents', faults, [...new Set(errors.flatMap(({ fix = [] }) => fix))]);
}

/** A remark in sentences, with what messages call the file. */
function spell({ level, text, fix }: Remark, name: string, { input }: InspectedFile): Remark {
  return { level, text: `${name} ${text}.`, fix: fix?.replace('INPUT', `\`${input}\``) };
}

/** The first error of a file, which says it all, or each warning. */
function checkPart(planned: PlannedPart): readonly Remark[] {
  const remarks = CHECKS.flatMap((check) => check(planned) ?? []);
  const error = remarks.find(({ level }) => level === 'error');
  return (error === undefined ? remarks : [error]).map((remark) =>
    spell(remark, describePart(planned), planned.file),
  );
}

/** A file of which it may not be known whether it is an SBOM or a report. */
interface Checked {
  readonly part: Pick<Part, 'isJson'>;
  readonly file: InspectedFile;
}

/** Finds a file that is no scan, such as `package.json`, and that a pattern matches by mistake. */
function checkMistake({ file }: Checked): Remark | undefined {
  const { name, isUnnamed, content } = file;
  const isKnown = findFormat(content.format) !== undefined;
  if (isUnnamed !== true || isKnown || !NEVER_SCANS.test(name)) return undefined;
  return { level: 'error', text: describeChoice(file), fix: CHOICE_FIX };
}

function describeChoice({ input, content }: InspectedFile): string {
  return `is ${describeContent(content)}, and \`${input}\` does not name it`;
}

/** Finds a file that is no whole document, never a scan, or signed, whatever its part is. */
function checkKind({ file: { content } }: Checked): Remark | undefined {
  const { level, fix } = findKind(content.kind);
  if (level === undefined || level === 'text') return undefined;
  return { level, text: content.problem ?? `is ${describeContent(content)}`, fix };
}

/** Finds a file that is not in the syntax that its part or its name demands, and a web page. */
function checkSyntax({ part, file }: Checked): Remark | undefined {
  const { content } = file;
  const reason = findDemand({ part, file });
  if (reason === undefined) return undefined;
  const { fix = part.isJson ? JSON_FIX : FILE_FIX } = findKind(content.kind);
  return { level: 'error', text: `is ${describeContent(content)}, ${reason}`, fix };
}

/** Why the syntax of a file is wrong; undefined if it is not. */
function findDemand({ part, file: { name, content } }: Checked): string | undefined {
  const { syntax, kind } = content;
  if (part.isJson) return syntax === 'json' || syntax === 'ndjson' ? undefined : 'not JSON';
  if (syntax !== undefined) return undefined;
  const ending = extname(name);
  if (SYNTAX_ENDINGS.includes(ending.toLowerCase())) return `although its name ends in ${ending}`;
  const isPage = kind === 'html' && !PAGE_ENDINGS.includes(ending.toLowerCase());
  return isPage ? 'not a scan' : undefined;
}

/** Finds what a pattern may match by mistake: a file of no known format, or half of a pair. */
function checkChoice({ part, file }: PlannedPart): Remark | undefined {
  const { input, isUnnamed, content } = file;
  if (!isUnnamed) return undefined;
  if (input === 'files' && part.isJson && isBareSbom(content)) {
    const text = `is an SBOM (${describeFacts(content)}), and the only match of \`files\`: its report may be missing`;
    return { level: 'warning', text, fix: 'For an SBOM alone use `scan-file`.' };
  }
  const isKnown = findFormat(content.format) !== undefined || content.kind !== undefined;
  if (isKnown || part.expects === 'SBOM') return undefined;
  return { level: 'warning', text: describeChoice(file), fix: CHOICE_FIX };
}

/** Finds reports that were appended to a file, and streams where one document is expected. */
function checkStream({ part, file: { content } }: PlannedPart): Remark | undefined {
  const format = findFormat(content.format);
  const isAppended = format !== undefined && format.isStream !== true;
  if (content.syntax !== 'ndjson' || !(isAppended || part.isJson)) return undefined;
  const fix =
    format?.isStream === true
      ? `Write them ${SLURP}`
      : `Write each to a file of its own (\`>\` rather than \`>>\`), or all ${SLURP}`;
  return { level: 'warning', text: `is ${STREAM}: the service may read only the first`, fix };
}

/** Finds a byte that is not UTF-8. */
function checkBytes({ file: { content } }: PlannedPart): Remark | undefined {
  const { invalidByte } = content;
  if (invalidByte === undefined) return undefined;
  return { level: 'warning', text: `has a byte that is not UTF-8 (at byte ${invalidByte})` };
}

/** Finds the report of a scan that failed or had nothing to read. */
function checkScan({ file: { content } }: PlannedPart): Remark | undefined {
  const { scan, firstError } = content;
  if (scan === 'failed') {
    const text = `states that its scan failed or did not run ("${firstError}"): findings may be missing`;
    return { level: 'warning', text };
  }
  if (scan !== 'idle') return undefined;
  return { level: 'warning', text: 'states that nothing was scanned', fix: IDLE_FIX };
}

/** Finds what is not the document that its part expects. What is signed may be any. */
function checkRole(planned: PlannedPart): Remark | undefined {
  if (checkKind(planned) !== undefined) return undefined;
  return ROLE_CHECKS[planned.part.expects](planned.file.content);
}

const ROLE_CHECKS: Record<Part['expects'], (content: Content) => Remark | undefined> = {
  SBOM: checkSbom,
  report: checkReport,
  either: ({ components, vulnerabilities = 0 }) =>
    components === 0 && vulnerabilities === 0 ? EMPTY_SBOM : undefined,
};

/** Finds what is no SBOM in CycloneDX, or an empty one. */
function checkSbom(content: Content): Remark | undefined {
  const { level, fix = SBOM_FIX } = findKind(content.kind);
  if (level === 'text' && content.role !== 'SBOM') {
    return { level: 'error', text: `is ${describeContent(content)}, not an SBOM`, fix };
  }
  if (content.format !== 'cyclonedx') {
    const text = `is not recognised as CycloneDX: it is ${describeContent(content)}`;
    return { level: 'warning', text, fix: CYCLONEDX_HINT };
  }
  return content.components === 0 ? EMPTY_SBOM : undefined;
}

/** Finds text or XML of no known format, and an SBOM: one with an empty list of vulnerabilities may be a report. */
function checkReport(content: Content): Remark | undefined {
  if (content.format === 'xml' || findKind(content.kind).level === 'text') {
    return { level: 'warning', text: `is ${describeContent(content)}`, fix: JSON_HINT };
  }
  if (!isBareSbom(content) || content.mayBeReport) return undefined;
  const text = `is an SBOM (${describeFacts(content)}), not a vulnerability report`;
  return { level: 'warning', text };
}

/** The checks of each file. */
const CHECKS = [
  checkMistake,
  checkKind,
  checkSyntax,
  checkChoice,
  checkStream,
  checkScan,
  checkBytes,
  checkRole,
];

/**
 * Finds an SBOM and a report that are in the part of the other one: a report, or what is no SBOM, beside an SBOM without
 * vulnerabilities; a report also beside an empty SBOM, which a tool writes that found no project. A file that is not
 * whole may be anything, and what is signed too.
 */
function findSwap(parts: readonly PlannedPart[]): Remark | undefined {
  const [sbom, report] = (['SBOM', 'report'] as const).map(
    (role) => parts.find(({ part }) => part.expects === role)?.file.content,
  );
  if (sbom === undefined || report === undefined) return undefined;
  const isEmpty = report.format === 'cyclonedx' && report.components === 0;
  const isSbom = report.role === 'SBOM' || (isEmpty && report.vulnerabilities === undefined);
  const isSwapped = sbom.role === 'report' ? isSbom : !isRecognised(sbom) && isBareSbom(report);
  const isUnclear = parts.some((planned) => checkKind(planned) !== undefined);
  if (isUnclear || !isSwapped) return undefined;
  const taken = parts.map((planned) => `${describePart(planned)} is ${describeSwapped(planned)}`);
  const named = parts.map(({ part }) => `the ${part.expects} as \`${part.input}\``);
  return {
    level: 'error',
    text: `${taken.join(', and ')}: they are swapped.`,
    fix: `Set ${named.join(' and ')}.`,
  };
}

function describeSwapped({ part, file: { content } }: PlannedPart): string {
  if (part.expects === 'report') return `an SBOM (${describeFacts(content)})`;
  if (content.role === 'report') return `a report (${describeFacts(content)})`;
  return `${describeContent(content)}, not an SBOM`;
}
