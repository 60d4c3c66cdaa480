/** What a file's content is, as far as it was read. */
export interface Content {
  readonly format: 'cyclonedx' | 'json' | 'xml' | 'empty' | 'unknown';
  /** Whether the bytes are meant as JSON or XML; undefined for neither. */
  readonly syntax?: 'json' | 'xml';
  /** Version of the format, where the document states one. */
  readonly specVersion?: string;
  /** Top-level components of a CycloneDX document, where they were counted. */
  readonly components?: number;
  /** Vulnerabilities of a CycloneDX document, where they were counted. */
  readonly vulnerabilities?: number;
  /** What is plainly broken in it: the end of a sentence that begins with the file's name. */
  readonly fault?: string;
}

/** What one bounded read of a file gave. */
export interface Sample {
  /** The first bytes as text, without a byte order mark: all of them if `whole`. */
  readonly head: string;
  /** The last bytes as text; `head` again if `whole`. */
  readonly tail: string;
  /** Whether `head` is the whole file. */
  readonly whole: boolean;
  /** Bytes of the byte order mark that `head` lacks. */
  readonly bomBytes: number;
  /** Whether the bytes that were read are valid UTF-8. */
  readonly validUtf8: boolean;
}
