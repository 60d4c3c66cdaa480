import { stat } from 'node:fs/promises';
import * as core from '@actions/core';
import { errorMessage } from '../errors.ts';
import type { Log } from './log.ts';
import { escapeCode, escapeText, fence } from './markdown.ts';
import type { Failure, ManifestEntry, StepOutcome, StepResult } from './result.ts';
import { formatBytes, formatDuration } from './units.ts';

const HEADINGS: Readonly<Record<StepOutcome, string>> = {
  accepted: '✅ Scan upload accepted',
  rejected: '❌ Scan upload rejected',
  'not-sent': '❌ Scan upload not sent',
  unconfirmed: '❓ Scan upload unconfirmed',
  'dry-run': '☑️ Scan upload dry run',
  skipped: '⏭️ Scan upload skipped',
};
const SHOWN_DIGEST_CHARACTERS = 12;

/**
 * Adds to the job summary. Where there is none (Gitea, a terminal) or it cannot be written, a word in
 * the log is all: the upload is what counts.
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

/** The summary as GitHub-flavoured markdown. Foreign text stands in cells or fences, escaped. */
export function makeSummary(step: StepResult, clean: (text: string) => string): string {
  const { failure, manifest } = step;
  return [
    `### ${HEADINGS[step.result]}`,
    describeRun(step, clean),
    ...(manifest.length > 0 ? [makeTable(manifest, clean)] : []),
    ...(failure === undefined ? [] : describeFailure(failure, clean)),
  ].join('\n\n');
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

function makeTable(manifest: readonly ManifestEntry[], clean: (text: string) => string): string {
  const rows = manifest.map(({ part, path, format, bytes, sha256 }) => {
    const digest = sha256 === undefined ? '' : `\`${sha256.slice(0, SHOWN_DIGEST_CHARACTERS)}…\``;
    return `| ${part} | ${escapeCode(clean(path))} | ${format} | ${formatBytes(bytes)} | ${digest} |`;
  });
  const head = ['| Part | File | Format | Size | SHA-256 |', '| --- | --- | --- | ---: | --- |'];
  return [...head, ...rows].join('\n');
}

function describeFailure(failure: Failure, clean: (text: string) => string): readonly string[] {
  const text = clean([failure.headline, ...failure.details].join('\n'));
  const advice = failure.advice.map((line) => `- ${escapeText(clean(line))}`).join('\n');
  return [fence(text), ...(advice === '' ? [] : [`What to do:\n\n${advice}`])];
}
