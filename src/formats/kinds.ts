/** What a file is that is no whole document of a scan, or may be none. */
export interface Kind {
  /** What messages call it, if its format does not say it. */
  readonly words?: string;
  /** How wrong it is, in any part. `text`: an error where JSON or an SBOM is expected, a warning as a report. */
  readonly level?: 'error' | 'warning' | 'text';
  /** What to do; INPUT stands for the input that names the file. */
  readonly fix?: string;
}

const REDIRECT_FIX =
  'Write only the report to the file: by an option of the tool, or with `>` rather than `&>`, and `npm run --silent`.';
const COLOR_FIX = 'Set `NO_COLOR: 1` for the scan step, or correct INPUT.';

const KINDS = {
  // `Content.problem` says what is wrong with these.
  empty: {
    words: 'empty',
    level: 'error',
    fix: 'Fix the scan step. If its tool writes an empty file when it finds nothing, set `content-check: warn`.',
  },
  truncated: {
    level: 'error',
    fix: 'Fix the scan step: it failed, or is still writing the file.',
  },
  malformed: {
    level: 'error',
    fix: 'The tool wrote invalid JSON: update it, or report it to its authors.',
  },
  'colored-inside': { level: 'error', fix: COLOR_FIX },
  trailing: { level: 'error', fix: REDIRECT_FIX },
  appended: {
    level: 'error',
    fix: "Another report was in this file, or was written to it at the same time: give each job's file a name of its own (`merge-multiple`).",
  },
  'appended-sarif': {
    level: 'error',
    fix: "Several projects or tools of a build wrote this file at once: give each a file of its own (a relative `ErrorLog` is written beside each project), and each job's file a name of its own (`merge-multiple`).",
  },
  error: { level: 'error', fix: 'Fix the scan step: it failed.' },

  // Other JSON.
  scalar: {
    words: 'only a JSON string, number or boolean',
    level: 'error',
    fix: 'Let the scan step write its JSON as it is: JSON that is encoded twice is a string.',
  },
  null: {
    words: 'only `null`, as some tools write if they find nothing, and `jq` if a key is missing',
  },
  /** `{}` or `[]`. */
  bare: { words: 'JSON without content' },
  dsse: {
    words: 'a signed attestation (DSSE)',
    level: 'warning',
    fix: "Take the document out of it: `jq -r '.payload | @base64d | fromjson | .predicate'`.",
  },
  bundle: {
    words: 'a signed attestation (Sigstore bundle)',
    level: 'warning',
    fix: "Take the document out of it: `jq -r '.dsseEnvelope.payload | @base64d | fromjson | .predicate'`.",
  },

  // What is neither JSON nor XML.
  'utf-16': {
    words:
      "UTF-16 text, as Windows PowerShell's > writes it: write it with Out-File -Encoding utf8",
    level: 'error',
    fix: 'Let the scan step write UTF-8.',
  },
  lfs: { words: 'a Git LFS pointer', level: 'error', fix: 'Set `lfs: true` at the checkout.' },
  mixed: { words: 'text with JSON after it', level: 'error', fix: REDIRECT_FIX },
  script: {
    words: 'JavaScript with JSON in it',
    level: 'text',
    fix: 'Remove its first line: `tail -n +2`.',
  },
  around: { words: 'text with JSON in it', level: 'text', fix: REDIRECT_FIX },
  colored: {
    words: 'text with terminal colours (escape sequences)',
    level: 'text',
    fix: COLOR_FIX,
  },
  html: { words: 'a web page (HTML)', level: 'text' },
  text: { words: 'text', level: 'text' },
  gzip: {
    words: 'gzip-compressed data',
    fix: 'Decompress it before this step (`gunzip`), and name the result in INPUT.',
  },
  zip: {
    words: 'a ZIP archive',
    fix: 'Decompress it before this step (`unzip`), and name the result in INPUT.',
  },
  nul: { words: 'data with a NUL byte' },
  binary: { words: 'binary data' },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

/** The row of a kind; an empty one for a file that has none. */
export function findKind(name: KindName | undefined): Kind {
  return name === undefined ? {} : KINDS[name];
}
