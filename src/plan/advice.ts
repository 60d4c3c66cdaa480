import type { Content, Kind } from '../formats/content.ts';

/** What is said of a file: an error ends its scan with `content-check: error`, and is a warning otherwise. */
export interface Remark {
  readonly level: 'error' | 'warning';
  /** The rest of a sentence that begins with the file. */
  readonly text: string;
  /** What to do, in a sentence of its own. */
  readonly fix?: string | undefined;
}

const REDIRECT_FIX =
  'Write only the report to the file: by an option of the tool, or with `>` rather than `&>`, and `npm run --silent`.';
const COLOR_FIX = 'Set `NO_COLOR: 1` for the scan step, or correct INPUT.';
export const SBOM_FIX =
  'Let the scan step write JSON, as `syft -o cyclonedx-json` does, or correct `dependencies-file`.';
/** What to do about a file that is no whole document, or none of a scan. */
export const FAULT_FIXES: Record<NonNullable<Content['fault']>, string> = {
  empty:
    'Fix the scan step. If its tool writes an empty file when it finds nothing, set `content-check: warn`.',
  truncated: 'Fix the scan step: it failed, or is still writing the file.',
  malformed: 'The tool wrote invalid JSON: update it, or report it to its authors.',
  colored: COLOR_FIX,
  trailing: REDIRECT_FIX,
  appended:
    "Another report was in this file, or was written to it at the same time: give each job's file a name of its own (`merge-multiple`).",
  error: 'Fix the scan step: it failed.',
};
/** What to do about a file that is never a scan, whatever its part and name are. */
export const KIND_FIXES: Partial<Record<Kind, string>> = {
  'utf-16': 'Let the scan step write UTF-8.',
  lfs: 'Set `lfs: true` at the checkout.',
  mixed: REDIRECT_FIX,
  scalar: 'Let the scan step write its JSON as it is: JSON that is encoded twice is a string.',
};
/** What to do about a file that should be JSON or XML; INPUT stands for the input that names it. */
export const JSON_FIX = 'Check that the scan step did not fail and writes JSON, or correct INPUT.';
export const FILE_FIX = 'Correct INPUT, or the step that writes the file.';
export const TEXT_FIXES: Partial<Record<Kind, string>> = {
  gzip: 'Decompress it before this step (`gunzip`), and name the result in INPUT.',
  zip: 'Decompress it before this step (`unzip`), and name the result in INPUT.',
  colored: COLOR_FIX,
  around: REDIRECT_FIX,
};
/** What to do about a tool that read nothing, such as one in the wrong directory. */
export const IDLE_FIX = 'Check what the scan step passes to its tool.';
/** How to take what was signed out of an attestation. */
export const ATTESTATIONS: Partial<Record<Kind, string>> = { dsse: '', bundle: '.dsseEnvelope' };
export const JSON_HINT =
  'The service may expect JSON: most tools write it with an option, such as `trivy --format json`.';
export const CYCLONEDX_HINT =
  'Most tools write CycloneDX too: `syft -o cyclonedx-json`, `trivy --format cyclonedx`.';
export const SLURP = 'as an array (`jq --slurp`).';
