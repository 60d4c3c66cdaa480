import { findKind } from './kinds.ts';
import type { KindName } from './kinds.ts';
import { findFormat } from './registry.ts';
import type { FormatName } from './registry.ts';
import type { SeverityCounts } from './severity.ts';

/** `full`, or `partial` if only a part of the file says what it is, as of XML its root. Then nothing is counted. */
export type Inspected = 'full' | 'partial';

/** What a document is: a list of components, of findings, or of both. */
export type Role = 'SBOM' | 'report' | 'both';

/** What a file's content is. A member is undefined if the format does not state it, or if it was not read. */
export interface Content {
  readonly format: FormatName;
  /** The language of the file, well-formed or not; `ndjson` is a stream of JSON objects or lists, known by its first. */
  readonly syntax?: 'json' | 'xml' | 'ndjson' | undefined;
  readonly inspected: Inspected;
  /** What the file is if it is no document of a scan, or not a whole one. */
  readonly kind?: KindName | undefined;
  /** What is wrong with it: the rest of a sentence that begins with the file's name. */
  readonly problem?: string | undefined;
  /** Absent if it may be either, or nothing of a scan. */
  readonly role?: Role | undefined;
  /** Whether it may be the report of a tool that found nothing, although it has only components. */
  readonly mayBeReport?: boolean | undefined;
  /** Where its first byte is that is not UTF-8. */
  readonly invalidByte?: number | undefined;
  readonly specVersion?: string | undefined;
  /** The tools that wrote it, with their versions: `syft 1.38.0`. */
  readonly tool?: string | undefined;
  /** What was scanned, as the file calls it: a project, an image, a directory. */
  readonly subject?: string | undefined;
  /** Top-level components or packages of an SBOM. */
  readonly components?: number | undefined;
  /** Vulnerabilities of a format that also has components. */
  readonly vulnerabilities?: number | undefined;
  readonly findings?: number | undefined;
  readonly severities?: SeverityCounts | undefined;
  /** Whether the severities are levels of SARIF, which say how sure or urgent a tool is, and no scores. */
  readonly isByLevel?: boolean | undefined;
  /** Whether it has no list of findings, or not of each run, as tools write it that find nothing: no zero is counted. */
  readonly hasNoList?: boolean | undefined;
  /** What it says of its own scan, unless that ran as a whole. */
  readonly scan?: ScanState | undefined;
  /** The first error that it states of its own scan, in one line. */
  readonly firstError?: string | undefined;
  /** How many such errors it states. */
  readonly errors?: number | undefined;
}

/**
 * `failed`: it failed, did not run, or could not read anything; it may have findings. `partial`: something was not read,
 * or a rule did not run. `idle`: there was nothing to read.
 */
export type ScanState = 'failed' | 'partial' | 'idle';

/** The part of a file that is inspected, as text without a byte order mark; U+FFFD stands for what is not UTF-8. */
export interface Sample {
  /** All of the file, or the beginning of a large one. */
  readonly text: string;
  /** The end of a large one; undefined if `text` is the whole file. */
  readonly tail: string | undefined;
  /** The size of the whole file, in bytes. */
  readonly size: number;
}

/** How much is read at the beginning and at the end of a file that is not parsed whole, in bytes or UTF-16 code units. */
export const END_LENGTH = 64 * 1024;

/** Adds what a document is by the facts that were read of it. */
export function conclude(facts: Content): Content {
  return { ...facts, role: facts.role ?? findRole(facts) };
}

function findRole({ format, components = 0, vulnerabilities = 0 }: Content): Role | undefined {
  const known = findFormat(format);
  if (known?.holds !== 'either') return known && (known.holds ?? 'report');
  if (components > 0) return vulnerabilities > 0 ? 'both' : 'SBOM';
  return vulnerabilities > 0 ? 'report' : undefined;
}

/** Whether a file is JSON, well-formed or not. */
export function isJson({ syntax }: Content): boolean {
  return syntax === 'json' || syntax === 'ndjson';
}

/** Whether it is known what a document is: by its format, or as an SBOM of another one. */
export function isRecognised({ format, role }: Content): boolean {
  return role !== undefined || findFormat(format) !== undefined;
}

/** Whether a document of a known format is an SBOM without a list of vulnerabilities, even an empty one. */
export function isBareSbom({ format, role, vulnerabilities }: Content): boolean {
  return role === 'SBOM' && vulnerabilities === undefined && findFormat(format) !== undefined;
}

/** What a stream of JSON documents is, whatever their format. */
export const STREAM = 'several JSON documents one after the other';

/** Describes what a file was recognised as: `CycloneDX 1.6`, `SPDX-2.3`, `Trivy (schema 2)`, `JSON of no known format`. */
export function describeContent({ format: name, specVersion, kind, syntax }: Content): string {
  const { words } = findKind(kind);
  if (words !== undefined) return words;
  const format = findFormat(name);
  if (format === undefined) {
    return syntax === 'ndjson' ? STREAM : `${name.toUpperCase()} of no known format`;
  }
  const { label, isStandard } = format;
  if (specVersion === undefined) return label;
  if (specVersion.startsWith(label)) return specVersion;
  return isStandard ? `${label} ${specVersion}` : `${label} (schema ${specVersion})`;
}

/** What a document with components lacks to be a report. */
export function describeGap({ mayBeReport }: Content): string {
  const cause = mayBeReport ? ': the tool found none, or wrote only an SBOM' : '';
  return `no list of vulnerabilities${cause}`;
}
