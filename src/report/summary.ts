import { stat } from 'node:fs/promises';
import * as core from '@actions/core';
import { errorMessage } from '../errors.ts';
import type { Log } from './log.ts';
import { escapeCode, escapeWords, fence } from './markdown.ts';
import type { Failure, StepOutcome, StepResult } from './result.ts';
import { makeFileTable } from './summary-files.ts';
import { makeSeverityTable } from './summary-severities.ts';
import { formatDuration } from './units.ts';

const HEADINGS: Readonly<Record<StepOutcome, string>> = {
  accepted: '✅ Scan upload accepted',
  rejected: '❌ Scan upload rejected',
  'not-sent': '❌ Scan upload not sent',
  unconfirmed: '❓ Scan upload unconfirmed',
  'dry-run': '☑️ Scan upload dry run',
  skipped: '⏭️ Scan upload skipped',
};

/** The last thing to do about a failure, whatever it was. */
const NEXT_STEPS: Readonly<Partial<Record<StepOutcome, string>>> = {
  rejected: 'Once that is mended, re-run the failed jobs.',
  'not-sent':
    'Once that is mended, re-run the failed jobs. That is safe: the service cannot have the whole upload.',
  unconfirmed:
    'Look at the service first: it may have the scan, and re-running the failed jobs sends it again.',
};

/**
 * Adds to the job summary. Where there is none (Gitea before 1.27, a terminal) or it cannot be
 * written, a word in the log is all: the upload is what counts.
 */
export async function writeSummary(step: StepResult, log: Log): Promise<void> {
  try {
    await checkSummaryFile(process.env.GITHUB_STEP_SUMMARY);
    await core.summary
      .addRaw(
        makeSummary(step, (text) => log.clean(text)),
        true,
      )
      .write();
  } catch (error) {
    log.info(`No job summary was written: ${errorMessage(error)}`);
  }
}

/** Opening a FIFO would wait for a reader, and no limit could end the process before it. */
async function checkSummaryFile(path: string | undefined): Promise<void> {
  if (path === undefined || path === '') throw new Error('GITHUB_STEP_SUMMARY is not set');
  if (!(await stat(path)).isFile()) throw new Error('GITHUB_STEP_SUMMARY is not a regular file');
}

/** The summary as GitHub-flavoured markdown. Foreign text stands in it escaped, or in a fence. */
export function makeSummary(step: StepResult, clean: (text: string) => string): string {
  const { result, failure, manifest } = step;
  const blocks = [
    `### ${HEADINGS[result]}`,
    describeRun(step, clean),
    ...(failure === undefined ? [] : describeFailure(failure, NEXT_STEPS[result], clean)),
    manifest.length === 0 ? undefined : makeFileTable(manifest, clean),
    makeSeverityTable(manifest),
  ];
  return blocks.filter((block) => block !== undefined).join('\n\n');
}

function describeRun(step: StepResult, clean: (text: string) => string): string {
  const { operation, origin, statusCode, attempts, durationMs } = step;
  const facts = [
    operation === undefined ? undefined : `\`${operation}\``,
    origin === undefined ? undefined : `to ${escapeCode(clean(origin))}`,
    statusCode === undefined ? undefined : `status ${statusCode}`,
    attempts === 0 ? undefined : `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    formatDuration(durationMs),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function describeFailure(
  { headline, details, advice }: Failure,
  nextStep: string | undefined,
  clean: (text: string) => string,
): readonly string[] {
  const text = clean([headline, ...details].join('\n'));
  const steps = [...advice.map(clean), ...(nextStep === undefined ? [] : [nextStep])];
  if (steps.length === 0) return [fence(text)];
  return [fence(text), '**What to do**', steps.map((line) => `- ${escapeWords(line)}`).join('\n')];
}
