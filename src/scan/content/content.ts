import type { FormatName } from '../formats/registry.ts';
import type { SeverityCounts } from '../formats/severity.ts';

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
 * How far a file was read: `whole`, or `ends` if only at its head and its tail, or no further than a
 * hostile document may cost. Then nothing is counted.
 */
export type Inspected = 'whole' | 'ends';

/** What a file's content is, as far as it was read. */
export interface Content extends Facts {
  readonly format: FormatName;
  /** What the bytes are meant as, well-formed or not; `ndjson` is one JSON value after the other. */
  readonly syntax?: 'json' | 'xml' | 'ndjson';
  readonly inspected: Inspected;
  /** What it is in words, where nothing was recognised: `a web page (HTML)`. */
  readonly kind?: string;
  /** What is plainly broken in it: the end of a sentence that begins with the file's name. */
  readonly fault?: string;
}

/** What a file is judged by. */
export interface Sample {
  /** Where the text begins, behind a byte order mark and white space, in bytes. */
  readonly start: number;
  /** Whether a byte order mark of UTF-8 stands before it. */
  readonly isMarked: boolean;
  /** The first bytes from there on. */
  readonly head: Buffer;
  /** Whether these are all there are, as of a small file. */
  readonly isAllInHead: boolean;
  /** Whether the pieces are all of the file, and not its head alone. */
  readonly isWhole: boolean;
  /** The bytes from there on in pieces. */
  readonly pieces: () => AsyncIterable<Buffer>;
  /** The last bytes of the file. */
  readonly tail: () => Promise<Buffer>;
  /** Of the whole file, in bytes. */
  readonly size: number;
}
