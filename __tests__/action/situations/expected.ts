import type { StepRun } from '../../../local/step/index.ts';
import { nameResult } from '../../../src/report/failure.ts';
import { fixAttempt } from '../../../src/report/fixes.ts';
import { describeAttempt } from '../../../src/report/headline.ts';
import { escapeWords } from '../../../src/report/markdown.ts';
import type { UploadSettings } from '../../../src/service/settings.ts';
import { followFrom, isFollowing } from '../../../src/situations.ts';
import type { Situation } from '../../../src/situations.ts';
import { SETTINGS, makeAttempt, makeConnectionError } from '../../support/attempts.ts';
import { SCAN_KEY } from '../../support/samples.ts';
import { readResults } from '../../support/results.ts';
import { ANY } from './case.ts';
import type { Setup } from './case.ts';

/** Stands for any lines in what is expected. */
const MORE = 'MORELINES';
/** The label of the scan that another one keeps from being sent. */
export const LAST = 'last';

/** What a step shows of a situation, or is expected to show, by name. */
export type Shown = Readonly<Record<string, string>>;

/** What a step shows that ended as in a case. */
export function listShown(run: StepRun, situation: Situation): Shown {
  const error = run.annotations.findLast(({ level }) => level === 'error');
  const scan = isFollowing(situation) ? readResults(run).at(-1) : undefined;
  const { reason, result } = scan ?? run.outputs;
  return {
    title: error?.title ?? '',
    message: error?.message ?? '',
    resultLine: run.stdout.split(/\r?\n/).findLast((line) => line.includes('Result: ')) ?? '',
    summary: run.summary,
    rerun: run.summary.split('\n').find((line) => line === RERUNS.others) ?? '',
    outputs: `${result}, ${reason}`,
  };
}

/** What the tables say of a situation, with what a case knows; `ANY` and `MORE` stand for the rest. */
export function expectShown(situation: Situation, setup: Setup): Shown {
  const settings = gatherSettings(setup);
  const { attempt, first, fixes: own = [] } = setup;
  const isError = attempt?.response === undefined;
  const error = makeConnectionError({ text: ANY });
  const failure = isError ? ({ kind: 'connection', error } as const) : undefined;
  const last = makeAttempt({ failure, isSent: attempt !== undefined, ...attempt });
  const hasProblem = last.response?.problem !== undefined;
  const { result, reason } = followFrom(situation, { isSent: last.isSent, hasProblem });
  const context = { last, settings, result };
  // Before the first attempt, an error says all that is known.
  const [headline] = attempt === undefined ? [ANY] : describeAttempt(situation, context);
  const advice = own.length > 0 ? own : fixAttempt(situation, context);
  const fixes = advice.map((fix) => fix.replace(String(settings.bodyBytes), ANY));
  const named = nameResult(result, { reason }, last.response?.status);
  const [label, prefix] = first === undefined ? ['', ''] : [` [${LAST}]`, `[${LAST}] `];
  return {
    title: `${TITLES[situation] ?? `Scan upload ${named}`}${label}`,
    message: `${prefix}${headline}${MORE}${fixes.join(' ')}${MORE}`,
    resultLine: `${prefix}Result: ${named}${describeEnd(setup)}`,
    summary:
      `${first === undefined ? `### ${ANY} Scan upload ${named}` : `${MORE}${escapeWords(LAST)}`}\n\n` +
      `${ANY}text\n${headline}\n${MORE}\n` +
      `${fixes.map((fix) => `- ${escapeWords(fix)}`).join('\n')}\n${MORE}`,
    rerun: RERUNS[result === 'unconfirmed' ? 'unconfirmed' : 'others'],
    outputs: `${result}, ${reason}`,
  };
}

/** The pattern of an expected text. */
export function toPattern(text: string): RegExp {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(ANY, '.*').replaceAll(MORE, '[^]*')}$`);
}

const TITLES: Readonly<Partial<Record<Situation, string>>> = {
  cancelled: 'Scan upload cancelled',
  unexpected: 'Scan upload failed unexpectedly',
};

function describeEnd({ attempt, first, hasNoScan }: Setup): string {
  if (hasNoScan === true) return '';
  const after = attempt === undefined ? '' : ` after 1 attempt, ${ANY}`;
  return `${after}, scan key ${first === undefined ? SCAN_KEY : ANY}`;
}

function gatherSettings({ inputs, env = {} }: Setup): UploadSettings {
  const { 'base-url': baseUrl = '', auth = 'token' } = inputs;
  const url = new URL(baseUrl);
  const isSecure = url.protocol === 'https:';
  const proxy = env['http_proxy'] ?? env['https_proxy'];
  return {
    ...SETTINGS,
    origin: url.origin,
    hostname: url.hostname,
    host: `${url.hostname}:${url.port || (isSecure ? 443 : 80)}`,
    address: `${url.origin}/v1/scanner/upload-file`,
    basePath: '/',
    isSecure,
    files: ANY,
    credentialKind: auth === 'oidc' ? auth : 'token',
    hasOwnCa: 'ca-cert' in inputs,
    hasClientCertificate: 'client-cert' in inputs,
    proxyHost: proxy && new URL(proxy).host,
  };
}

/** What a summary says of a re-run. */
const RERUNS = {
  unconfirmed: '',
  others: 'Re-runs use the original workflow and files: push a change of them to start a new run.',
};
