// Makes the tables of docs/troubleshooting.md from the tables of situations and of their words.
import { WORDS } from '../src/report/words/words.ts';
import type { UploadContext } from '../src/report/words/context.ts';
import { recordNoCredential } from '../src/service/attempt.ts';
import { REASONS, SITUATIONS, followFrom } from '../src/situations.ts';
import type { Situation } from '../src/situations.ts';

const CONTEXT: UploadContext = {
  problems: [],
  fixes: [],
  state: undefined,
  result: 'rejected',
  attempt: recordNoCredential(new Error('')),
  settings: {
    origin: 'ORIGIN',
    hostname: 'HOST',
    host: 'HOST:PORT',
    address: 'URL',
    basePath: '',
    isSecure: true,
    bodyBytes: 0,
    files: 'FILES',
    traceId: '',
    credentialKind: 'token',
    hasOwnCa: false,
    hasClientCertificate: false,
    proxyHost: undefined,
    retries: 0,
  },
};

/** The table of all situations: what happened, result, reason, fix. */
export function makeMessageTable(): string {
  const rows = SITUATIONS.flatMap((situation) => {
    const { means, fix } = WORDS[situation];
    return listResults(situation).map((result) => {
      const words = fix({ ...CONTEXT, result }).replaceAll('\n', ' ');
      return `| ${means} | ${code(result)} | ${listReasons(situation)} | ${words} |`;
    });
  });
  const heading = ['| what happened | result | reason | fix |', '| --- | --- | --- | --- |'];
  return [...heading, ...rows].join('\n');
}

/** The table of the reasons. */
export function makeReasonTable(): string {
  const rows = Object.entries(REASONS).map(([reason, means]) => `| ${code(reason)} | ${means} |`);
  return ['| reason | meaning |', '| --- | --- |', ...rows].join('\n');
}

function listResults(situation: Situation): readonly UploadContext['result'][] {
  const results = [false, true].map(
    (isSent) => followFrom(situation, { isSent, hasProblem: false }).result,
  );
  return [...new Set(results)];
}

function listReasons(situation: Situation): string {
  const reasons = [false, true].map(
    (hasProblem) => followFrom(situation, { isSent: false, hasProblem }).reason,
  );
  return [...new Set(reasons)].map(code).join(', ');
}

function code(text: string): string {
  return `\`${text}\``;
}
