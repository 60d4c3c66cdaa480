import { STATUS_CODES } from 'node:http';
import { listLines, stripInvisible } from '../text.ts';

/** Words with which error pages fill their titles. */
const FILLER =
  /^[\w.-]+ \| |\b(?:https?|status|error|code|server|iis|oops|sorry|an?|has|occurred|detailed|exception|message|type|report)\b/gi;
/** Lines that frameworks and gateways write whatever the error is. */
const BOILERPLATE = new RegExp(
  [
    'requested URL could not be retrieved$|^The following error was encountered\\b',
    '^Whitelabel Error Page$|^This application has no explicit mapping for /error|^No message available$',
    '^There was an unexpected error \\(type=|^Problem accessing |^(?:Powered|Generated) by |^XID: ',
    '^Varnish cache server$|^Attention Required! \\||^Visit cloudflare\\.com |^That.s an error\\.$',
    '^(?:URI|STATUS|SERVLET|CAUSED BY):|^[\\w.:]+ at /\\S*$',
    // A time, and a stack.
    '^\\d{4}-\\d\\d-\\d\\d |^[A-Z]\\w\\w [A-Z]\\w\\w \\d\\d? |^at\\s',
  ].join('|'),
);

/** Whether a text only repeats the status of its response: `HTTP Status 404 – Not Found`. */
function isStatus(text: string, status: number): boolean {
  const name = STATUS_CODES[status] ?? '';
  const rest = text.toLowerCase().replace(name.toLowerCase(), '').replace(String(status), '');
  return !/\p{L}|\d{3}/u.test(rest.replace(FILLER, ''));
}

/** Whether a text is a name, an id or a product, rather than a sentence: `nginx/1.22.1`. */
export function isName(text: string): boolean {
  return /^[\x21-\x7e]*(?<![.!])$/.test(text);
}

/** The first line of a text that says more than the status of its response, without the status before it. */
export function pickLine(text: string, status: number): string | undefined {
  const all = listLines(stripInvisible(text));
  const lines = all[0]?.startsWith('Traceback (most recent call last)') ? all.slice(-1) : all;
  const telling = lines
    .filter((line) => !isStatus(line, status))
    .map((line) => trimStatus(line, status));
  return telling.find((line) => !BOILERPLATE.test(line));
}

function trimStatus(line: string, status: number): string {
  const name = STATUS_CODES[status] ?? '';
  const numbered = `^(?:(?:HTTP(?:/\\S+)?|status|error|code)[\\s:]+)*${status}(?:\\.\\d+)?(?!\\w)(?:\\s+${name}(?!\\w))?[\\s:.|–—-]*`;
  const named = `^${name}\\s*[:.|–—-]+\\s*`;
  const rest = line.replace(new RegExp(numbered, 'i'), '').replace(new RegExp(named, 'i'), '');
  return rest === '' ? line : rest;
}
