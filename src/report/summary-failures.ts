import { nameResult } from '../outcomes/failure.ts';
import { ICONS } from '../outcomes/results.ts';
import { listLabels } from '../outcomes/scan-result.ts';
import type { FailureGroup } from '../outcomes/scan-result.ts';
import { writeCode, writeList, writeSentence } from './markdown.ts';

/** Equal failures of scans: what happened, what to do, and ids, each in a line of its own; with several scans under a heading. */
export function describeGroup({ failure, scans }: FailureGroup, isNamed: boolean): string {
  const { headline, details, fixes, traces } = failure;
  const blocks = [
    isNamed ? nameGroup({ failure, scans }) : '',
    writeSentence(headline),
    writeList(details.map(writeSentence)),
    fixes.length === 0 ? '' : `**Fix:** ${fixes.map(writeSentence).join(' ')}`,
    ...traces.map(writeSentence),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** `❌ catalog, payments: rejected (400)`; empty if the step itself failed. */
function nameGroup({ failure, scans }: FailureGroup): string {
  const [scan] = scans;
  if (scan === undefined) return '';
  const named = nameResult(scan.result, failure.reason, scan.status);
  return `#### ${ICONS[scan.result]} ${writeCode(listLabels(scans))}: ${writeSentence(named)}`;
}
