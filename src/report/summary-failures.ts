import { listLabels } from '../outcomes/scan-result.ts';
import type { FailureGroup } from '../outcomes/scan-result.ts';
import { joinTexts } from '../text.ts';
import { writeCode, writeLines, writeList, writeSentence } from './markdown.ts';
import { showOutcome } from './summary-rows.ts';

/** In a longer text, too many words would be code of their own. */
const MAX_SENTENCE_CHARACTERS = 300;

/** Equal failures of scans: what happened, what to do, and ids; below the names of the scans that have one. */
export function describeGroup({ failure, scans }: FailureGroup): string {
  const { headline, details, fixes, traces } = failure;
  const named = scans.filter(({ entry }) => entry.label !== undefined);
  const names = writeCode(listLabels(named));
  const write = scans.some(({ status }) => status !== undefined) ? writeForeign : writeSentence;
  const blocks = [
    ...named.slice(0, 1).map((scan) => `#### ${showOutcome(scan)}: ${names}`),
    write(headline),
    writeList(details.map(write)),
    fixes.length === 0 ? '' : `**Fix:** ${fixes.map(writeSentence).join(' ')}`,
    traces.map(writeSentence).join(' · ').replaceAll(' · Trace id of', ' · of'),
  ];
  return joinTexts(blocks, '\n\n');
}

/** What a response says, which may be long. */
function writeForeign(text: string): string {
  return text.length > MAX_SENTENCE_CHARACTERS ? writeLines(text) : writeSentence(text);
}
