/**
 * A path in a document, from its root: names of members or elements, `*` for a member of any name, `[]`
 * for an item of a list, joined by `/` (`matches/[]/vulnerability/severity`); empty for the root itself.
 * Paths of XML begin with the root element; `@name` below it is an attribute, `@xmlns` its namespace. A
 * stream of JSON documents is a list of them. If an object has several members of the same name,
 * JSON.parse keeps the last one.
 */
export type Path = string;

/** The texts at a path that match: of each the first group, if `is` has one. */
export interface Match {
  readonly at: Path;
  readonly is: RegExp;
}

/** Repeated items at the path `each`; all other paths are relative to an item. */
export interface Rows {
  readonly each: Path;
  /** Only items whose first text matches all of these are counted; a missing text counts as empty. */
  readonly where?: readonly Match[];
  /** Of the items with the same text there, one is counted. */
  readonly distinct?: Path;
  /** Items with a value at `by` are not counted, unless a text matches `unless`. */
  readonly ignored?: { readonly by: Path; readonly unless: Match };
}

/** Findings. If a finding has several severities, the worst counts. */
export interface FindingRows extends Rows {
  readonly severity?: Path;
  /** What the tool's codes for severities mean. */
  readonly words?: Readonly<Record<string, string>>;
  /** Whether the tool states severities only in some environments: then there are counts if a finding has one. */
  readonly isSeverityOptional?: boolean;
  /** Paths of the id of the rule that states the severity; the first that exists is used. */
  readonly rule?: readonly Path[];
  /** What a finding has instead of a severity if its rule states none. */
  readonly level?: Level;
}

/** Where a level is: at a path of the finding, else in its rule; else it is `none` if a text matches. */
export interface Level {
  readonly at: Path;
  readonly none: Match;
  readonly otherwise: string;
}

/** Rules that findings refer to by `id`. */
interface RuleRows {
  readonly each: Path;
  readonly id: Path;
  readonly severity: Path;
  readonly level?: Path;
}

/** Tools that wrote the document; without `name` it is the tool that the format is named after. */
export interface ToolRows {
  readonly each: Path;
  readonly name?: Path | Match;
  /** Stands before a name that says nothing without it. */
  readonly vendor?: Path;
  /** The first that exists is used. */
  readonly version?: readonly Path[];
}

/** The paths of a format's values in a document. */
export interface Layout {
  /** A document has this format if it has a value at all places of one of these lists. */
  readonly marks: readonly (readonly (Path | Match)[])[];
  /** The first that exists is used. */
  readonly specVersion?: readonly (Path | Match)[];
  readonly tools?: readonly ToolRows[];
  readonly components?: readonly Rows[];
  /** Not counted in a document without the list or element that they are in. */
  readonly vulnerabilities?: FindingRows;
  readonly findings?: readonly FindingRows[];
  readonly rules?: readonly RuleRows[];
  /** Why the scan failed, in a document that says so; the first that exists is used. */
  readonly failure?: readonly Path[];
}

/** A format of scan files. */
export interface Format {
  /** Its name in the outputs. */
  readonly name: string;
  /** Its name in messages. */
  readonly label: string;
  /** What its documents contain; `either` if one may be an SBOM, a report, or both. */
  readonly holds: 'SBOM' | 'report' | 'either';
  /** Whether it is a standard with versions of its own, not the format of one tool. */
  readonly isStandard?: true;
  /** Whether one document may be a stream of JSON objects, which is read as a list of them. */
  readonly isStream?: true;
  readonly json?: Layout;
  readonly xml?: Layout;
}
