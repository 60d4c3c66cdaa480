import type { IncomingHttpHeaders } from 'node:http';
import { findConnectionError, isForeign } from '../service/attempt.ts';
import type { Attempt, ConnectionError } from '../service/attempt.ts';
import { readTarget } from '../service/headers.ts';
import { listLines } from '../text.ts';
import type { UploadTask } from './task.ts';

/** What an attempt shows: all that its situation, its causes and its words are read from. Without a response its members are empty. */
export interface Evidence {
  readonly task: UploadTask;
  readonly last: Attempt;
  /** A scan of the step that the service accepted with the same credential, if there is one. */
  readonly accepted: string | undefined;
  /** The error of the connection; empty without one. */
  readonly error: Partial<ConnectionError>;
  readonly headers: IncomingHttpHeaders;
  /** Where the response leads, by its Location or its only link. */
  readonly lead: URL | undefined;
  /** Its challenge, `WWW-Authenticate`. */
  readonly challenge: string;
  /** Its whole text, in lower case. */
  readonly text: string;
  /** What it says in lower case, a line each; of JSON only its messages. */
  readonly lines: readonly string[];
  /** What of it is shown. */
  readonly says: readonly string[];
  /** Whether a server in front of the service may have made it. */
  readonly isForeign: boolean;
}

export function readEvidence(last: Attempt, task: UploadTask, accepted?: string): Evidence {
  const { headers = {}, says = [], text = '', link = '', kind = 'other' } = last.response ?? {};
  const { location = link, 'www-authenticate': challenge = '' } = headers;
  const whole = text.toLowerCase();
  const isOfServer = isForeign({ kind });
  return {
    task,
    last,
    accepted,
    error: findConnectionError(last),
    headers,
    lead: readTarget({ location }, task.url),
    challenge,
    text: whole,
    lines: listLines(isOfServer ? whole : says.join('\n').toLowerCase()),
    says,
    isForeign: isOfServer,
  };
}
