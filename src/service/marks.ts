import type { IncomingHttpHeaders } from 'node:http';
import { isHtmlType } from './confirmation.ts';
import type { ProblemDetails } from './problem.ts';

/** What the texts of a refusal say, as far as it decides about its situation. */
export type Mark =
  /** The body is declared as HTML. */
  | 'html'
  | 'problem'
  /** The problem is the service's own, not the default of its framework for the status. */
  | 'own-problem'
  | 'too-large'
  /** A plain HTTP request was sent to a TLS port. */
  | 'tls-port'
  /** The server asks for a client certificate. */
  | 'client-certificate';

/** The messages of ASP.NET Core for a body that is too large: Kestrel's, and its form reader's. */
const TOO_LARGE = /request body too large|multipart body length limit \d+ exceeded/i;
/** The error pages of nginx about requests that do not fit its TLS port. */
const CLIENT_CERTIFICATE = /<title>[^<]*\bSSL certificate\b/i;
const TLS_PORT = /\bplain HTTP request was sent to HTTPS port\b/i;

/** Reads the marks out of the raw texts of a response. */
export function readMarks(
  headers: IncomingHttpHeaders,
  body: string,
  problem: ProblemDetails | undefined,
): ReadonlySet<Mark> {
  const texts = [problem?.detail ?? '', ...(problem?.errors ?? []).map(({ message }) => message)];
  const marks: readonly (readonly [Mark, boolean])[] = [
    ['html', isHtmlType(headers['content-type'])],
    ['problem', problem !== undefined],
    ['own-problem', problem !== undefined && isOwn(problem)],
    ['too-large', texts.some((text) => TOO_LARGE.test(text))],
    ['tls-port', TLS_PORT.test(body)],
    ['client-certificate', CLIENT_CERTIFICATE.test(body)],
  ];
  return new Set(marks.flatMap(([mark, applies]) => (applies ? [mark] : [])));
}

function isOwn({ detail, type = 'about:blank' }: ProblemDetails): boolean {
  return (
    detail !== undefined || !/^(?:about:blank$|https:\/\/tools\.ietf\.org\/html\/rfc)/.test(type)
  );
}
