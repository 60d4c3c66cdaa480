import { describeCounts } from '../formats/describe.ts';
import { labelFormat } from '../formats/registry.ts';
import { PARTS } from '../service/operations.ts';
import { cutText, showText } from './clean.ts';
import type { Column } from './markdown.ts';
import { escapeCode, escapeWords, makeTable } from './markdown.ts';
import type { ManifestEntry } from './result.ts';
import { formatBytes } from './units.ts';

/** Marks what has warnings. */
export const WARNED = '⚠️';

const MAX_PATH_CHARACTERS = 48;
const MAX_TOOL_CHARACTERS = 40;
const MAX_FORMAT_CHARACTERS = 32;
const SHOWN_DIGEST_CHARACTERS = 12;

/** The files of an upload, a row each. */
export function makeFileTable(manifest: readonly ManifestEntry[]): string {
  const list = (show: (entry: ManifestEntry) => string): Pick<Column, 'cells'> => ({
    cells: manifest.map(show),
  });
  return makeTable([
    { heading: 'Part', ...list(({ part }) => part) },
    { heading: 'File', ...list(showPath) },
    {
      heading: 'Size',
      align: 'right',
      ...list(({ bytes }) => showBytes(bytes)),
    },
    { heading: 'Format', ...list((entry) => describeFormat(entry)) },
    { heading: 'Tool', ...list(({ tool = '' }) => escapeCut(showText(tool), MAX_TOOL_CHARACTERS)) },
    { heading: 'Contents', ...list(describeContents) },
    // With a hyphen, Gitea may take it for an issue of another tracker.
    { heading: 'SHA256', ...list(({ sha256 }) => shortenDigest(sha256)) },
  ]);
}

/** The path, marked where its file has warnings. */
function showPath({ path, warnings }: ManifestEntry): string {
  return `${warnings.length === 0 ? '' : `${WARNED} `}${escapeCode(cutStart(showText(path)))}`;
}

function describeFormat({ format, specVersion }: ManifestEntry): string {
  return escapeCut(showText(labelFormat(format, specVersion)), MAX_FORMAT_CHARACTERS);
}

/** A size that is not broken over two lines. */
export function showBytes(bytes: number): string {
  return formatBytes(bytes).replace(' ', '&nbsp;');
}

/** What is in a file, as far as it says something of its part. */
export function describeContents(entry: ManifestEntry): string {
  const { vulnerabilities, ...others } = entry;
  // That an inventory lists no vulnerabilities says nothing of them.
  const isInventory = PARTS.some(({ name, holds }) => name === entry.part && holds === 'inventory');
  const isSilent = isInventory && vulnerabilities === 0;
  return describeCounts(isSilent ? others : entry);
}

function shortenDigest(sha256: string | undefined): string {
  return sha256 === undefined ? '' : `\`${sha256.slice(0, SHOWN_DIGEST_CHARACTERS)}…\``;
}

/** A foreign text of a cell, cut to so many characters. */
export function escapeCut(text: string, maxCharacters: number): string {
  return escapeWords(cutText(text, maxCharacters));
}

/** Cuts a path at its start: the name at its end is what tells files apart. */
function cutStart(path: string): string {
  if (path.length <= MAX_PATH_CHARACTERS) return path;
  // A cut inside a surrogate pair would leave half a character.
  return `…${path.slice(1 - MAX_PATH_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '')}`;
}
