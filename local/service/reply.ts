import { randomBytes } from 'node:crypto';

/** A response before it is sent: with a problem as its body, another body or none. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly problem?: Readonly<Record<string, unknown>>;
}

/** Thrown to send this response and keep nothing of the request. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.reply = reply;
  }
}

// The titles that ASP.NET Core gives its errors (ApiBehaviorOptions.ClientErrorMapping).
const TITLES = {
  400: 'Bad Request',
  415: 'Unsupported Media Type',
  500: 'An error occurred while processing your request.',
};

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/;

/** A ProblemDetails response; `members` are added to those of its status, or replace them. */
export function makeProblem(
  status: keyof typeof TITLES,
  members: Readonly<Record<string, unknown>> = {},
): Reply {
  const headers = { 'Content-Type': 'application/problem+json; charset=utf-8' };
  return { status, headers, problem: { title: TITLES[status], status, ...members } };
}

/** The 400 of ASP.NET Core for fields; the empty name stands for the request as a whole. */
export function makeValidationProblem(errors: Readonly<Record<string, string>>): Reply {
  const lists = Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, [text]]));
  return makeProblem(400, { title: 'One or more validation errors occurred.', errors: lists });
}

/** The 400 for a body that cannot be read as a form, with ASP.NET Core's wording. */
export function makeUnreadableForm(reason: string): Reply {
  return makeValidationProblem({ '': `Failed to read the request form. ${reason}` });
}

/** The 400 for a body over the limit, with Kestrel's wording. */
export function makeTooLarge(maxBodyBytes: number): Reply {
  const limit = `The max request body size is ${maxBodyBytes} bytes.`;
  return makeUnreadableForm(`Request body too large. ${limit}`);
}

/** The body of a response; a problem has an id in the caller's trace (W3C Trace Context), if any. */
export function formatBody(
  { body = '', problem }: Reply,
  traceparent: string,
): string | Uint8Array {
  if (problem === undefined) return body;
  const [, trace = randomBytes(16).toString('hex'), flags = '00'] =
    TRACEPARENT.exec(traceparent) ?? [];
  const traceId = `00-${trace}-${randomBytes(8).toString('hex')}-${flags}`;
  return JSON.stringify({ ...problem, traceId });
}
