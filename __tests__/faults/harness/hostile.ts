import { echoInHeader, echoSecrets } from './secrets.ts';
import type { Secrets } from './secrets.ts';
import type { Reply } from '../../support/peer.ts';

/** A marker in every command of a foreign text; no executed command may contain it. */
export const MARKER = 'PWNED';

const ESC = '\u001b';

/** Texts that the runner would read as commands if they were printed unchanged. */
export const PAYLOADS: readonly string[] = [
  `::set-output name=${MARKER}::x`,
  `   ::error::${MARKER}`,
  `\t::add-mask::${MARKER}`,
  `text\n::stop-commands::${MARKER}`,
  `text\r::add-path::${MARKER}`,
  `text\r\n::save-state name=${MARKER}::x`,
  `##[error]${MARKER}`,
  `text ##[set-output name=${MARKER}]x`,
  `##[add-mask]${MARKER}`,
  `text\u2028::error::${MARKER}`,
  `text\u0085::error::${MARKER}`,
  `text\v::error::${MARKER}`,
  `text\f::error::${MARKER}`,
  `\u3000::error::${MARKER}`,
  `\u00a0::error::${MARKER}`,
  `\ufeff::error::${MARKER}`,
  `\u202e::error::${MARKER}`,
  `:\u200b:error::${MARKER}`,
  `::error:\u00ad:${MARKER}`,
  `#\u200b#[error]${MARKER}`,
  `${ESC}[31m::error::${MARKER}`,
  `${ESC}]0;title\u0007::error::${MARKER}`,
  `\0::error::${MARKER}`,
  `\ud800::error::${MARKER}`,
  `%0A::error::${MARKER}`,
  `%0D%0A##[error]${MARKER}`,
  `::group::${MARKER}\n::endgroup::`,
  `::${MARKER}::x`,
  `::add-matcher::${MARKER}.json`,
  `::warning file=${MARKER},title=Scan upload::x`,
  `::echo::on\n::debug::${MARKER}`,
  `x\nEOF\n${MARKER}=1\nuploaded=true\nghadelimiter_0\n`,
];

/** Those that a reply of a case has that is about something else. */
const SOME = PAYLOADS.slice(0, 8);

/** Commands and all secrets in all forms, on several lines. */
export function hostileText(secrets: Secrets, payloads: readonly string[] = SOME): string {
  return ['Refused.', ...payloads, echoSecrets(secrets)].join('\n');
}

/** The same for a header: one line. */
export function hostileLine(
  secrets: Secrets,
  payloads: readonly string[] = [`::error::${MARKER}`],
): string {
  const safe = Array.from(payloads.join(' '), (char) =>
    /[\t\x20-\x7e\xa0-\xff]/.test(char) ? char : ' ',
  );
  return `${safe.join('')} ##[error]${MARKER} ${echoInHeader(secrets)}`;
}

/**
 * A refusal that repeats every secret in every place of a response, with commands in it. Of each text the
 * first line is shown: own commands are all in that of the detail, too.
 */
export function hostileReply(secrets: Secrets, own?: readonly string[]): Reply {
  const payloads = own ?? SOME;
  const text = hostileText(secrets, payloads);
  const all = payloads.join('\n');
  const problem = {
    type: 'about:blank',
    title: `Bad\n${all}`,
    detail: `${own?.join(' ').replaceAll(/[\r\n]/g, ' ') ?? 'The service said no.'}\n${text}`,
    errors: { ...Object.fromEntries(payloads.map((payload) => [payload, [payload]])), '': [text] },
    traceId: `trace\n${all}`,
    ...Object.fromEntries(payloads.map((payload) => [payload, payload])),
  };
  return { headers: hostileHeaders(secrets, own), body: JSON.stringify(problem) };
}

/** Headers that an action shows of a response, full of secrets and commands. */
export function hostileHeaders(
  secrets: Secrets,
  payloads?: readonly string[],
): Readonly<Record<string, string>> {
  const line = hostileLine(secrets, payloads);
  return {
    'Content-Type': 'application/problem+json',
    Server: line,
    Via: line,
    'X-Request-Id': line,
    'WWW-Authenticate': `Bearer ${line}`,
  };
}
