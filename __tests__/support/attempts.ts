import { Foreign, cleanAttempt } from '../../src/service/attempt.ts';
import type { Attempt, RawAttempt, ResponseFacts } from '../../src/service/attempt.ts';
import { readExplanation } from '../../src/service/explanation.ts';
import { readMarks } from '../../src/service/marks.ts';
import { parseProblem } from '../../src/service/problem.ts';
import type { UploadSettings } from '../../src/service/settings.ts';
import type { Upload } from '../../src/service/upload-result.ts';

export const SETTINGS: UploadSettings = {
  origin: 'https://scan.example',
  hostname: 'scan.example',
  host: 'scan.example:443',
  address: 'https://scan.example/tenant/v1/scanner/upload-file',
  basePath: '/tenant',
  isSecure: true,
  bodyBytes: 1500,
  files: 'scan.json (1.2 KiB)',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  credentialKind: 'token',
  hasOwnCa: false,
  hasClientCertificate: false,
  proxyHost: undefined,
  retries: 8,
};

/** What a test says of a response. */
export interface ResponseSpec extends Partial<ResponseFacts> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a test says of an attempt: it sent everything and got no response, unless it says otherwise. */
export interface AttemptSpec extends Partial<Omit<RawAttempt, 'foreign' | 'response'>> {
  readonly response?: ResponseSpec | undefined;
  /** The text of its error. */
  readonly error?: string | undefined;
  /** The headers and the body of a proxy's response. */
  readonly headers?: ResponseSpec['headers'];
  readonly body?: string;
}

export function makeRawAttempt(given: AttemptSpec = {}): RawAttempt {
  const { response: spec, error, headers: proxys = {}, body: text = '', ...facts } = given;
  const { headers = proxys, body = text, ...stated } = spec ?? {};
  const { status = 200 } = stated;
  const problem = parseProblem(headers['content-type'], body);
  const explanation = readExplanation(status, headers, body);
  const response = spec && {
    status,
    complete: true,
    confirmation: 'success' as const,
    marks: readMarks({ headers, body, problem, explanation }),
    retryAfterMs: undefined,
    ...stated,
  };
  return {
    state: spec === undefined ? 'waiting' : 'ended',
    states: [],
    sentBytes: 1500,
    isSent: true,
    digests: facts.isSent === false ? undefined : [],
    isExpectIgnored: false,
    failure: undefined,
    ...facts,
    response,
    foreign: new Foreign({ error, headers, body, problem, explanation }),
  };
}

export function makeAttempt(spec: AttemptSpec = {}): Attempt {
  return cleanAttempt(makeRawAttempt(spec), new URL(SETTINGS.address), (text) => text);
}

/** The upload of one attempt, unless `upload` says otherwise. */
export function makeUpload(last: Attempt, upload: Partial<Upload> = {}): Upload {
  return {
    result: 'accepted',
    situation: undefined,
    last,
    attempts: 1,
    wasUnconfirmed: false,
    stop: { reason: 'final', remainingMs: 870_000, isCancelled: false },
    digests: undefined,
    settings: SETTINGS,
    ...upload,
  };
}
