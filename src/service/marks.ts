import { OPERATIONS } from './operations.ts';
import type { RawBody, ResponseKind } from './response-kind.ts';

/** What the texts of a refusal say, as far as it decides about its situation. */
export type Mark =
  /** The response has `WWW-Authenticate`. */
  | 'challenge'
  /** It says more than its status. */
  | 'text'
  /** IIS responds, which reports a body over its limit as a 404. */
  | 'iis'
  | 'too-large'
  /** It says that a page or a route was not found, or names the path of an operation. */
  | 'route'
  | 'scan-key'
  /** It speaks of HTTPS, TLS or SSL. */
  | 'tls'
  | 'client-certificate'
  | 'csrf'
  | 'sign-in'
  /** A gateway or a firewall writes such texts. */
  | 'gateway'
  /** A gateway sent the request to the service, but got no whole response. */
  | 'had-request';

/** What is said by the texts of a response. */
const LINES: readonly (readonly [Mark, RegExp])[] = [
  ['text', /\S/],
  [
    'too-large',
    /\b(?:body|file|files|entity|payload|upload|message|data|content|request|field) (?:is |was |are )?too (?:large|big)\b|\b(?:length|size) limit\b.{0,40}\bexceeded\b|\bmaximum\b.{0,60}\b(?:size|length)\b.{0,60}\bexceeded\b|\bexceed(?:s|ed)\b.{0,60}\b(?:size|length|maximum|DATA_UPLOAD_MAX)|\breached size limit\b|\brequest was larger than\b/i,
  ],
  [
    'route',
    /\b(?:pages?|routes?|url|uri|path|endpoint|web ?site|action|(?:static|requested) resource|file or directory)\b.{0,300}(?:\bnot (?:be )?found\b|\bdoes(?:n.t| not) exist\b)|\bno (?:HTTP |matching |static |such )?(?:route|resource|handler|endpoint|page|app|mapping)\b|\bCannot (?:POST|PUT)\b|\bnot find a current representation\b|\bcould not find resource for full path\b|\bknow this ditty\b|\bdefault backend\b|\bWeb App - Error 404\b/i,
  ],
  ['scan-key', /\bscan[ _-]?key\b/i],
  ['tls', /\b(?:HTTPS(?!:)|TLS|SSL)\b/i],
  [
    'csrf',
    /\bCSRF\b|\bcross-site request forgery\b|\bauthenticity token\b|^Page Expired$|^The change you wanted was rejected\b/i,
  ],
  ['sign-in', /\b(?:sign|log)(?:ged)?[ -]?(?:in|on)\b/i],
  [
    'gateway',
    /^RBAC: |\b(?:allow|block|deny|access)[ -]?list\b|\byour (?:IP|address|browser sent)\b|\bfirewall\b|\badministrative rules\b/i,
  ],
  [
    'had-request',
    /\bconnection termination\b|\bBackend fetch failed\b|\bserver closed connection\b|\bError reading from remote server\b/i,
  ],
];

const CLIENT_CERTIFICATE =
  /\bclient certificate\b|\bSSL certificate\b|\bPost-Handshake Authentication\b/i;
const PASSWORD_FIELD = /<input\b[^<>]{0,300}\btype=["']?password\b/i;
const IIS_SERVER = /\bMicrosoft-(?:IIS|HTTPAPI)\b/i;

/** What the marks of a response are read from. */
interface Marked extends RawBody {
  readonly kind: ResponseKind;
  /** The clean texts of the response: see `readExplanation`. */
  readonly says: readonly string[];
}

/** Reads the marks of a response: the raw headers and page decide, and what the clean texts say. */
export function readMarks({ headers, text = '', kind, says }: Marked): ReadonlySet<Mark> {
  const isHtml = kind === 'web-page';
  const paths = OPERATIONS.map(({ path }) => path.slice(1));
  const marks: readonly (readonly [Mark, boolean])[] = [
    ['challenge', headers['www-authenticate'] !== undefined],
    ['iis', IIS_SERVER.test(String(headers.server))],
    ['client-certificate', isHtml && CLIENT_CERTIFICATE.test(text)],
    ['sign-in', isHtml && PASSWORD_FIELD.test(text)],
    ['route', paths.some((path) => says.some((line) => line.includes(path)))],
    ...LINES.map(([mark, words]) => [mark, says.some((line) => words.test(line))] as const),
  ];
  return new Set(marks.flatMap(([mark, applies]) => (applies ? [mark] : [])));
}
