import { extname } from 'node:path';
import type { Content } from '../formats/content.ts';
import { STREAM, describeContent, isBareSbom, isJson } from '../formats/content.ts';
import type { InspectedFile } from '../formats/inspect.ts';
import { findKind } from '../formats/kinds.ts';
import { findFormat } from '../formats/registry.ts';
import type { Part } from '../service/operations.ts';
import type { PlannedPart } from './plan.ts';

/** What is said of a file: an error ends its scan with `content-check: error`, and is a warning otherwise. */
export interface Remark {
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
const STREAM_FIX =
  'Write them as an array (`jq --slurp`), or each to a file of its own (`>` rather than `>>`).';
/** What to do about a tool that read nothing, such as one in the wrong directory. */
const IDLE_FIX = 'Check what the scan step passes to its tool.';
const CHOICE_FIX =
  'Check the scan step, which may have written no file here; if this is the scan, write its path.';

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

/** A file, and its part if that is known. */
interface Checked {
  readonly file: InspectedFile;
  readonly part?: Part;
}

/** Whether a file is no scan, such as `package.json`, and a pattern matches it by mistake. */
export function isMistake({ name, isUnnamed, content }: InspectedFile): boolean {
  return isUnnamed === true && NEVER_SCANS.test(name) && findFormat(content.format) === undefined;
}

/** Finds a file that is no whole document, never a scan, or signed, whatever its part is. */
export function checkKind({ file: { content } }: Checked): Remark | undefined {
  const { level, fix } = findKind(content.kind);
  if (level === undefined || level === 'text') return undefined;
  return { level, text: content.problem ?? `is ${describeContent(content)}`, fix };
}

/** Finds a file that is not in the syntax that its part or its name demands, and a web page. */
export function checkSyntax({ file, part }: Checked): Remark | undefined {
  const reason = findDemand(file, part);
  if (reason === undefined) return undefined;
  const { fix = part?.isJson ? JSON_FIX : FILE_FIX } = findKind(file.content.kind);
  return { level: 'error', text: `is ${describeContent(file.content)}, ${reason}`, fix };
}

/** Why the syntax of a file is wrong; undefined if it is not. */
function findDemand({ name, content }: InspectedFile, part?: Part): string | undefined {
  if (part?.isJson) return isJson(content) ? undefined : 'not JSON';
  if (content.syntax !== undefined) return undefined;
  const ending = extname(name);
  if (SYNTAX_ENDINGS.includes(ending.toLowerCase())) return `although its name ends in ${ending}`;
  const isPage = content.kind === 'html' && !PAGE_ENDINGS.includes(ending.toLowerCase());
  return isPage ? 'not a scan' : undefined;
}

/** Finds what a pattern may match by mistake: a file of no known format, or half of a pair. */
function checkChoice({ part, file }: PlannedPart): Remark | undefined {
  const { input, isUnnamed, content } = file;
  if (!isUnnamed) return undefined;
  if (input === 'files' && part.isJson && isBareSbom(content)) {
    const text = `${describeSbom(content)}, and the only match of \`files\`: its report may be missing`;
    return { level: 'warning', text, fix: 'For an SBOM alone use `scan-file`.' };
  }
  const isKnown = findFormat(content.format) !== undefined || content.kind !== undefined;
  if (!isMistake(file) && (isKnown || part.expects === 'SBOM')) return undefined;
  const text = `is ${describeContent(content)}, and \`${input}\` does not name it`;
  return { level: isMistake(file) ? 'error' : 'warning', text, fix: CHOICE_FIX };
}

/** Finds reports that were appended to a file, and streams where one document is expected. */
function checkStream({ part, file: { content } }: PlannedPart): Remark | undefined {
  const format = findFormat(content.format);
  const isAppended = format !== undefined && format.isStream !== true;
  if (content.syntax !== 'ndjson' || !(isAppended || part.isJson)) return undefined;
  const text = `is ${STREAM}: the service may read only the first`;
  return { level: 'warning', text, fix: STREAM_FIX };
}

/** Finds a byte that is not UTF-8. */
function checkBytes({ file: { content } }: PlannedPart): Remark | undefined {
  const { invalidByte } = content;
  if (invalidByte === undefined) return undefined;
  return { level: 'warning', text: `has a byte that is not UTF-8 (at byte ${invalidByte})` };
}

/** Finds the report of a scan that failed or had nothing to read. */
function checkScan({ file: { content } }: PlannedPart): Remark | undefined {
  if (content.scan === 'idle') {
    return { level: 'warning', text: 'states that nothing was scanned', fix: IDLE_FIX };
  }
  if (content.scan !== 'failed') return undefined;
  const text = `states that its scan failed or did not run ("${content.firstError}"): findings may be missing`;
  return { level: 'warning', text };
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
    // What is no SBOM may be of a tool that writes none.
    return { level: 'warning', text, fix: content.role === 'SBOM' ? CYCLONEDX_HINT : undefined };
  }
  return content.components === 0 ? EMPTY_SBOM : undefined;
}

/** Finds text or XML of no known format, and an SBOM: one with an empty list of vulnerabilities may be a report. */
function checkReport(content: Content): Remark | undefined {
  if (content.format === 'xml' || findKind(content.kind).level === 'text') {
    return { level: 'warning', text: `is ${describeContent(content)}`, fix: JSON_HINT };
  }
  if (!isBareSbom(content) || content.mayBeReport) return undefined;
  return { level: 'warning', text: `${describeSbom(content)}, not a vulnerability report` };
}

function describeSbom(content: Content): string {
  return `is an SBOM (${describeContent(content)}) without a list of vulnerabilities`;
}

/** The checks of each file, in their order: the first error says it all. */
export const CHECKS = [
  checkChoice,
  checkKind,
  checkSyntax,
  checkStream,
  checkScan,
  checkBytes,
  checkRole,
];
