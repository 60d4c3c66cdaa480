/** The results of a scan from the worst to the best; that of a step is the worst of its scans. */
export const RANKED = [
  // The service may have the whole body, but did not confirm it.
  'unconfirmed',
  'rejected',
  // It cannot have the whole body.
  'not-sent',
  'skipped',
  'dry-run',
  'accepted',
] as const;
export type ResultName = (typeof RANKED)[number];
export type UploadResult = Exclude<ResultName, 'skipped' | 'dry-run'>;

/** The results with which a scan or a step succeeds; the first two only if an input asked for it. */
export const SUCCESSES: readonly ResultName[] = ['skipped', 'dry-run', 'accepted'];

export const ICONS: Readonly<Record<ResultName, string>> = {
  unconfirmed: '❓',
  rejected: '❌',
  'not-sent': '❌',
  skipped: '⏭️',
  'dry-run': 'ℹ️',
  accepted: '✅',
};

/** A result, or a reason, in a sentence: accepted findings would be accepted risks. */
export function toWords(name: string): string {
  return name === 'accepted' ? 'uploaded' : name.replaceAll('-', ' ');
}
