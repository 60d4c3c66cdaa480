import { nameResult } from '../outcomes/failure.ts';
import { RANKED, toWords } from '../outcomes/results.ts';
import { getResult, hasOwnFailure, isInvalid, sortScans } from '../outcomes/scan-result.ts';
import type { ScanResult, StepResult } from '../outcomes/scan-result.ts';
import { joinTexts } from '../text.ts';
import { countScans, describeFindings } from './words.ts';

/** The result of a step, and the findings of what was uploaded, or would be. */
export function makeTitle(step: StepResult): string {
  const { scans } = step;
  const [scan] = scans;
  const result = getResult(step);
  const found = describeFindings(countScans(scans));
  const what = scans.length > 1 ? `${scans.length} scans` : 'Scan';
  if (result === 'dry-run') return joinTexts(['Dry run, nothing uploaded', found], ': ');
  if (result === 'accepted') return joinTexts([`${what} uploaded`, found], ': ');
  if (scans.length > 1) return `Scan uploads: ${countOutcomes(scans)}`;
  return `Scan upload ${nameResult(result, (scan ?? step).failure?.reason, scan?.status)}`;
}

/** `2 rejected, 28 uploaded`; `3 invalid, 27 not sent because of them`. */
function countOutcomes(scans: readonly ScanResult[]): string {
  const because = `because of ${scans.filter(hasOwnFailure).length === 1 ? 'it' : 'them'}`;
  const counts = new Map<string, number>();
  for (const rank of RANKED) {
    for (const scan of sortScans(scans).filter(({ result }) => result === rank)) {
      const outcome = isInvalid(scan) ? 'invalid' : toWords(rank);
      const cause = scan.failure?.reason === 'other-scans' ? because : '';
      const name = joinTexts([outcome, cause], ' ');
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return Array.from(counts, ([name, count]) => `${count} ${name}`).join(', ');
}
