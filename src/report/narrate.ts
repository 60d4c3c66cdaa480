import type { Content } from '../formats/content.ts';
import { describeContent, describeCounts } from '../formats/describe.ts';
import { describePart } from '../plan/plan.ts';
import type { UploadPlan } from '../plan/plan.ts';
import type { UploadTools } from '../service/upload.ts';
import { explainCause } from './explain-upload.ts';
import type { UploadFacts } from './explain-upload.ts';
import type { Log } from './log.ts';
import { formatBytes, formatDuration } from './units.ts';

/** How often a long upload says how far it is. */
const PROGRESS_MS = 5000;

/** The events of an upload, told to the log. */
export type Narration = Omit<UploadTools, 'clean' | 'fetchIdToken' | 'random'>;

/** Tells the log what the files were taken for. */
export function narrateParts(plan: UploadPlan, log: Log): void {
  for (const planned of plan.parts) {
    const { content, size } = planned.file;
    const known = [formatBytes(size), describeContent(content), ...describeInside(content)];
    log.info(`${describePart(planned)}: ${known.join(', ')}`);
  }
}

/** Tells the log that many scans are going to be sent. */
export function narrateBatch(scans: number, lanes: number, origin: string, log: Log): void {
  if (scans > 1) log.info(`Sending ${scans} scans to ${origin}, ${lanes} at a time ...`);
}

/** Tells the log where they are going to be sent. */
export function narrateOperation({ operation }: UploadPlan, facts: UploadFacts, log: Log): void {
  const way = facts.proxyHost === undefined ? '' : ` through the proxy ${facts.proxyHost}`;
  log.detail(`Operation: ${operation.name}, POST ${facts.address}${way}`);
}

function describeInside(content: Content): readonly string[] {
  const { tool } = content;
  const counts = describeCounts(content);
  return [...(tool === undefined ? [] : [`by ${tool}`]), ...(counts === '' ? [] : [counts])];
}

/** Tells the log what happens while the files are sent. */
export function narrateUpload(facts: UploadFacts, maxAttempts: number, log: Log): Narration {
  let attempt = 0;
  let sent = 0;
  let lastTold = 0;
  return {
    onAttempt: (number) => {
      attempt = number;
      lastTold = performance.now();
      const of = maxAttempts === 1 ? '' : ` of at most ${maxAttempts}`;
      const text = `Attempt ${attempt}${of}: sending ${formatBytes(facts.bodyBytes)} ...`;
      if (attempt === 1) log.detail(text);
      else log.info(text);
    },
    onSent: (bytes) => {
      sent += bytes;
      if (performance.now() - lastTold < PROGRESS_MS) return;
      lastTold = performance.now();
      const percent = Math.floor((sent / facts.bodyBytes) * 100);
      log.info(`Sent ${formatBytes(sent)} of ${formatBytes(facts.bodyBytes)} (${percent} %)`);
    },
    onRequest: (names) => {
      sent = 0;
      log.debug(`Request headers: ${log.clean(names.join(', '))}`);
    },
    onPhases: (phases) => {
      log.debug(`Phases: ${phases.map(({ phase, atMs }) => `${phase} at ${atMs} ms`).join(', ')}`);
    },
    onRetry: ({ result, cause }, waitMs) => {
      const { headline } = explainCause(cause, facts);
      log.info(`Attempt ${attempt}: ${result}. ${headline}`);
      log.info(`Waiting ${formatDuration(waitMs)} before the next attempt.`);
    },
  };
}
