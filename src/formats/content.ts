import type { FormatName } from './registry.ts';
import type { SeverityCounts } from './severity.ts';

/** What a document says of itself. Absent is what its format does not state or was not read. */
export interface Facts {
  /** Version of the format. */
  readonly specVersion?: string;
  /** The tools that wrote it, with their versions: `syft 1.38.0`. */
  readonly tool?: string;
  /** Top-level components or packages of an inventory. */
  readonly components?: number;
  /** Vulnerabilities of a document that may have components beside them. */
  readonly vulnerabilities?: number;
  /** Findings of a report. */
  readonly findings?: number;
  /** Vulnerabilities or findings by severity. */
  readonly severities?: SeverityCounts;
}

/**
 * How far a file was read: `full`, or `partial` if only its beginning was, or if it has more in it than
 * any scan. Then nothing is counted.
 */
export type Inspected = 'full' | 'partial';

/** What a file's content is, as far as it was read. */
export interface Content extends Facts {
  readonly format: FormatName;
  /** What the bytes are meant as, well-formed or not; `ndjson` is one JSON value after the other. */
  readonly syntax?: 'json' | 'xml' | 'ndjson';
  readonly inspected: Inspected;
  /** What it is in words, where nothing was recognised: `a web page (HTML)`. */
  readonly kind?: string;
  /** What is plainly wrong with it: the end of a sentence that begins with the file's name. */
  readonly fault?: string;
}

/** What a file is judged by. */
export interface Sample {
  /** All of the file, or the beginning of a large one. */
  readonly bytes: Buffer;
  /** The bytes as UTF-8 without a byte order mark; U+FFFD stands for what is not UTF-8. */
  readonly text: string;
  /** The last bytes of a large file; undefined where `bytes` are all of it. */
  readonly tail: Buffer | undefined;
  /** Of the whole file, in bytes. */
  readonly size: number;
}
