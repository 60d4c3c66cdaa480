import type { IncomingHttpHeaders } from 'node:http';
import { isObject, tryJson } from '../json.ts';
import { listJsonTexts, looksLikeJson } from './explanation-json.ts';
import { isName, pickLine } from './explanation-line.ts';
import { listPageTexts, readTitle } from './explanation-page.ts';
import { isHtmlType } from './confirmation.ts';

const START_TAG = /^\s*<[a-z!?]/i;

/**
 * Reads what a response says, in texts of one line each, the most important first: the texts and field errors of
 * JSON, what a page says, or the first line of a text; then what its challenge says (RFC 6750, section 3). Never
 * JSON, tags or a stack, and nothing that only repeats the status. Of a page with a success only the title is read.
 */
export function readExplanation(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
): readonly string[] {
  const isHtml = isHtmlType(headers['content-type']) && !looksLikeJson(body);
  const isPage = isHtml ? /<[a-z!/]/i.test(body) : START_TAG.test(body);
  if (status < 300 && isPage) return readTitle(body);
  const texts = isPage ? listPageTexts(body, status) : listTexts(body);
  const said = texts.flatMap((text) => (START_TAG.test(text) ? listPageTexts(text, status) : text));
  const all = [...said, ...listChallenge(status, headers)];
  const lines = all.flatMap((text) => pickLine(text, status) ?? []);
  const keys = lines.map((line) => line.replace(/[.!]$/, '').toLowerCase());
  const unique = lines.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
  // A code such as `invalid_request` says less than the sentence after it.
  return [...unique.filter((line) => !isName(line)), ...unique.filter(isName)];
}

/** The texts of JSON, or else the whole text, unless it looks like JSON. */
function listTexts(body: string): readonly string[] {
  const json = tryJson(body.trim());
  if (isObject(json) || typeof json === 'string') return listJsonTexts(json);
  return looksLikeJson(body) ? [] : [body];
}

function listChallenge(status: number, headers: IncomingHttpHeaders): readonly string[] {
  const challenge = status === 401 || status === 403 ? headers['www-authenticate'] : undefined;
  return /\berror_description="([^"]*)"/.exec(challenge ?? '')?.slice(1) ?? [];
}
