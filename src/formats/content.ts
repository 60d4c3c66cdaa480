import type { FormatName } from './registry.ts';
import type { SeverityCounts } from './severity.ts';

/** What a document states. A member is absent if the format does not state it, or if it was not read. */
export interface Facts {
  readonly specVersion?: string;
  /** The tools that wrote it, with their versions: `syft 1.38.0`. */
  readonly tool?: string;
  /** Top-level components or packages of an SBOM. */
  readonly components?: number;
  /** Vulnerabilities of a format that also has components. */
  readonly vulnerabilities?: number;
  readonly findings?: number;
  readonly severities?: SeverityCounts;
  /** Whether a report states that nothing was scanned. */
  readonly isBlank?: true;
  /** Whether it states that its scan failed, though it may have findings. */
  readonly isFailed?: true;
}

/**
 * `full`, or `partial` if only the beginning was read, as of a stream, or if the file has more content than any scan.
 * In a partially inspected file nothing is counted.
 */
export type Inspected = 'full' | 'partial';

/** What a file can be if no format is recognised, and the words for it in messages; `bare` is `{}` or `[]`. */
export const KINDS = {
  gzip: 'gzip-compressed data',
  zip: 'a ZIP archive',
  html: 'a web page (HTML)',
  'utf-16': 'UTF-16 text',
  lfs: 'a Git LFS pointer',
  text: 'text',
  binary: 'binary data',
  bare: 'JSON without content',
  null: 'only `null`, as some tools write if they find nothing, and `jq` if a key is missing',
  scalar: 'only a JSON string, number or boolean',
} as const;

export type Kind = keyof typeof KINDS;

/** What a file's content is, as far as it was read. */
export interface Content extends Facts {
  readonly format: FormatName;
  /** The language of the file, well-formed or not; `ndjson` is a stream of JSON objects or lists, known by its first. */
  readonly syntax?: 'json' | 'xml' | 'ndjson';
  readonly inspected: Inspected;
  /** In words that nothing is counted, and why. */
  readonly uncounted?: string;
  /** What the file is if no format is recognised, and if it is known. */
  readonly kind?: Kind;
  /** A line of another program, before the JSON of a text or after it. */
  readonly stray?: string;
  /** The problem of the file: the rest of a sentence that begins with the file's name. */
  readonly problem?: string;
  /** Whether only its encoding is the problem. */
  readonly isMisencoded?: true;
}

/** The part of a file that is inspected. */
export interface Sample {
  /** All of the file, or the beginning of a large one. */
  readonly bytes: Buffer;
  readonly encoding: 'utf-8' | 'latin1';
  /** The bytes as text without a byte order mark; U+FFFD stands for bytes that are not UTF-8. */
  readonly text: string;
  /** The last bytes of a large file; undefined if `bytes` are the whole file. */
  readonly tail: Buffer | undefined;
  /** Of the whole file, in bytes. */
  readonly size: number;
}

/** Why a document is not one whole document. */
export interface Fault {
  /**
   * `truncated`: it ends too early. `several`: another JSON object or list follows the first value; `trailing`: a text
   * that is no JSON does.
   */
  readonly kind: 'truncated' | 'several' | 'trailing' | 'malformed';
  /** Where, in UTF-16 code units of its text, if that is known. */
  readonly position?: number | undefined;
}
