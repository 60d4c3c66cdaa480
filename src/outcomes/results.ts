import { safe } from '../redaction/gate.ts';
import type { SafeText } from '../redaction/gate.ts';
import type { UploadResult } from './situations.ts';

/** The result of a scan or of the step; the last two only if an input asked for it. */
export type ResultName = UploadResult | 'dry-run' | 'skipped';

interface Row {
  /** In messages. */
  readonly word: string;
  readonly icon: SafeText;
  /** Whether a scan or a step with this result succeeds. */
  readonly isSuccess: boolean;
}

/** All results from the worst to the best: the result of a step is the worst of its scans. */
export const RESULTS: Readonly<Record<ResultName, Row>> = {
  unconfirmed: { word: 'unconfirmed', icon: safe`❓`, isSuccess: false },
  rejected: { word: 'rejected', icon: safe`❌`, isSuccess: false },
  'not-sent': { word: 'not sent', icon: safe`❌`, isSuccess: false },
  skipped: { word: 'skipped', icon: safe`⏭️`, isSuccess: true },
  'dry-run': { word: 'dry run', icon: safe`☑️`, isSuccess: true },
  accepted: { word: 'accepted', icon: safe`✅`, isSuccess: true },
};

/** The names, the worst first. */
export const RANKED = Object.keys(RESULTS).filter((name): name is ResultName =>
  Object.hasOwn(RESULTS, name),
);
