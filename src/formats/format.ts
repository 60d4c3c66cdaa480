/**
 * A place in a document, from its root: names of members or elements, `*` for a member of any name,
 * `[]` for an item of a list, joined by `/` (`matches/[]/vulnerability/severity`). Paths of XML begin
 * with the root element; `@xmlns` below it stands for its namespace. Of several members of one name in
 * one object the last is read, as by JSON.parse.
 */
export type Path = string;

/** By what a format is known: anything at a place, or a text there that `is` like this. */
export interface Mark {
  readonly at: Path;
  readonly is?: RegExp;
}

/** A text of a document, or if it has to `match`, the first group. */
export interface TextAt {
  readonly at: Path;
  readonly match?: RegExp;
}

/** Things of which there may be many; the paths beside `each` are relative to it. */
export interface Rows {
  readonly each: Path;
  /** Only those that have all of these count; a text that is missing is empty. */
  readonly where?: readonly Required<Mark>[];
}

/** Findings. Of several severities of one finding the worst counts. */
export interface FindingRows extends Rows {
  readonly severity?: Path;
  /** Where a finding names the rule that states its severity; the first that is there. */
  readonly rule?: readonly Path[];
}

/** Rules that findings name by an `id` of theirs. */
interface RuleRows extends Rows {
  readonly id: Path;
  readonly severity: Path;
}

/** Tools that took part; without a name it is the one that the format is named after. */
export interface ToolRows extends Rows {
  /** An empty path is the row itself. */
  readonly name?: TextAt;
  /** The first that is there. */
  readonly version?: readonly Path[];
}

/** Where a format keeps what there is to know of a document. */
export interface Layout {
  /** A document that has all the marks of one of these lists is of the format. */
  readonly marks: readonly (readonly Mark[])[];
  /** The first that is there. */
  readonly specVersion?: readonly TextAt[];
  readonly tools?: readonly ToolRows[];
  readonly components?: readonly Rows[];
  readonly vulnerabilities?: readonly FindingRows[];
  readonly findings?: readonly FindingRows[];
  readonly rules?: readonly RuleRows[];
}

/** A format of scan files. */
export interface Format {
  /** As outputs show it. */
  readonly name: string;
  /** As people write it. */
  readonly label: string;
  /** What its documents are; `either` where one may be an inventory, a report, or the two in one. */
  readonly holds: 'inventory' | 'report' | 'either';
  readonly json?: Layout;
  readonly xml?: Layout;
}
