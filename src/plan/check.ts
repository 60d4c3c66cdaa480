import { extname } from 'node:path';
import { StepError } from '../errors.ts';
import type { Content, Kind } from '../formats/content.ts';
import { STREAM, describeContent, isBareSbom, isRecognised } from '../formats/content.ts';
import { findFormat } from '../formats/registry.ts';
import {
  ATTESTATIONS,
  CYCLONEDX_HINT,
  FAULT_FIXES,
  FILE_FIX,
  IDLE_FIX,
  JSON_FIX,
  JSON_HINT,
  KIND_FIXES,
  SBOM_FIX,
  SLURP,
  TEXT_FIXES,
} from './advice.ts';
import type { Remark } from './advice.ts';
import { describeFacts, describePart } from './plan.ts';
import type { PlannedPart, UploadPlan } from './plan.ts';

/** Files that are never scans, though `*.json` matches them. */
const NEVER_SCANS = /^(?:package(?:-lock)?|npm-shrinkwrap|composer|tsconfig.*|.*\.schema)\.json$/;
/** Endings of names that promise a syntax. */
const SYNTAX_ENDINGS = ['.json', '.sarif', '.xml'];
const PAGE_ENDINGS = ['.html', '.htm'];
/** What a report is that the service may not read. */
const TEXT_KINDS: readonly (Kind | undefined)[] = ['text', 'around', 'colored', 'html'];

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
  if (strictness === 'error' && errors.length > 0) {
    const faults = errors.map(({ text }) => text);
    throw new StepError('contents', faults, [...new Set(errors.flatMap(({ fix = [] }) => fix))]);
  }
  const parts = checked.map((each) => ({
    ...each.planned,
    warnings: each.remarks.map(({ text, fix }) => (fix === undefined ? text : `${text} ${fix}`)),
  }));
  return { ...plan, parts };
}

/** The first error of a file, which says it all, or each warning; in sentences. */
function checkPart(planned: PlannedPart): readonly Remark[] {
  const remarks = CHECKS.flatMap((check) => check(planned) ?? []);
  const error = remarks.find(({ level }) => level === 'error');
  const { input } = planned.file;
  return (error === undefined ? remarks : [error]).map(({ level, text, fix }) => ({
    level,
    text: `${describePart(planned)} ${text}.`,
    fix: fix?.replace('INPUT', `\`${input}\``),
  }));
}

/** Finds a file that is no whole document, or never a scan. */
function checkFault({ file: { content } }: PlannedPart): Remark | undefined {
  const { fault, problem, kind = 'text' } = content;
  const fix = fault === undefined ? KIND_FIXES[kind] : FAULT_FIXES[fault];
  if (fix === undefined) return undefined;
  return { level: 'error', text: problem ?? `is ${describeContent(content)}`, fix };
}

/** Finds a file that is not in the syntax that its part or its name demands, and a web page. */
function checkSyntax(planned: PlannedPart): Remark | undefined {
  const { part, file } = planned;
  const reason = findDemand(planned);
  if (reason === undefined) return undefined;
  const fix = TEXT_FIXES[file.content.kind ?? 'text'] ?? (part.isJson ? JSON_FIX : FILE_FIX);
  return { level: 'error', text: `is ${describeContent(file.content)}, ${reason}`, fix };
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
  if (input === 'files' && part.isJson && isBareSbom(content)) {
    const text = `is an SBOM (${describeFacts(content)}), and the only match of \`files\`: its report may be missing`;
    return { level: 'warning', text, fix: 'For an SBOM alone use `scan-file`.' };
  }
  if (findFormat(content.format) !== undefined) return undefined;
  const text = `is ${describeContent(content)}, and \`${input}\` does not name it`;
  const fix = 'If it is the scan, write its path; if not, the scan step wrote no file here.';
  if (NEVER_SCANS.test(name)) return { level: 'error', text, fix };
  if (content.kind !== undefined || part.expects === 'SBOM') return undefined;
  return { level: 'warning', text, fix };
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

/** Finds a signed attestation, in which the document is Base64. */
function checkSigned({ part, file: { content } }: PlannedPart): Remark | undefined {
  const path = ATTESTATIONS[content.kind ?? 'text'];
  if (path === undefined) return undefined;
  const noun = part.expects === 'either' ? 'scan' : part.expects;
  const fix = `Take the ${noun} out of it: \`jq -r '${path}.payload | @base64d | fromjson | .predicate'\`.`;
  return { level: 'warning', text: `is ${describeContent(content)}`, fix };
}

/** Finds what is no SBOM, or an empty one, and what is no report. */
function checkRole({ part, file: { content } }: PlannedPart): Remark | undefined {
  const { format, role, kind } = content;
  if (part.expects === 'either' || ATTESTATIONS[kind ?? 'text'] !== undefined) return undefined;
  if (part.expects === 'report') return checkReport(content);
  if (TEXT_KINDS.includes(kind) && kind !== 'html' && role !== 'SBOM') {
    const fix = TEXT_FIXES[kind ?? 'text'] ?? SBOM_FIX;
    return { level: 'error', text: `is ${describeContent(content)}, not an SBOM`, fix };
  }
  if (format !== 'cyclonedx') {
    const text = `is not recognised as CycloneDX: it is ${describeContent(content)}`;
    return { level: 'warning', text, fix: role === 'SBOM' ? CYCLONEDX_HINT : undefined };
  }
  if (content.components !== 0) return undefined;
  return { level: 'warning', text: 'is an SBOM without components', fix: IDLE_FIX };
}

/** Finds text or XML of no known format, and an SBOM: one with an empty list of vulnerabilities may be a report. */
function checkReport(content: Content): Remark | undefined {
  if (content.format === 'xml' || TEXT_KINDS.includes(content.kind)) {
    return { level: 'warning', text: `is ${describeContent(content)}`, fix: JSON_HINT };
  }
  if (!isBareSbom(content) || content.mayBeReport) return undefined;
  const text = `is an SBOM (${describeFacts(content)}), not a vulnerability report`;
  return { level: 'warning', text };
}

/** The checks of each file. */
const CHECKS = [
  checkFault,
  checkSyntax,
  checkChoice,
  checkStream,
  checkScan,
  checkBytes,
  checkSigned,
  checkRole,
];

/**
 * Finds an SBOM and a report that are in the part of the other one: a report, or what is no SBOM, beside an SBOM without
 * vulnerabilities. A file with a fault may be anything, and an attestation has anything in it.
 */
function findSwap(parts: readonly PlannedPart[]): Remark | undefined {
  const [sbom, report] = (['SBOM', 'report'] as const).map(
    (role) => parts.find(({ part }) => part.expects === role)?.file.content,
  );
  if (sbom === undefined || report === undefined) return undefined;
  const isUnclear = [sbom, report].some(
    ({ fault, kind = 'text' }) => fault !== undefined || ATTESTATIONS[kind] !== undefined,
  );
  const isSwapped =
    sbom.role === 'report' ? report.role === 'SBOM' : !isRecognised(sbom) && isBareSbom(report);
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
