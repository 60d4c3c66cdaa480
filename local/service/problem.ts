/** An answer before it goes out. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Messages per field; the empty name stands for the request as a whole. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

interface ProblemKind {
  readonly section: string;
  readonly title: string;
}

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
const VALIDATION_TITLE = 'One or more validation errors occurred.';

// The links and titles ASP.NET Core gives its client errors (ApiBehaviorOptions.ClientErrorMapping).
const KINDS: Readonly<Record<400 | 415 | 500, ProblemKind>> = {
  400: { section: '15.5.1', title: 'Bad Request' },
  415: { section: '15.5.16', title: 'Unsupported Media Type' },
  500: { section: '15.6.1', title: 'An error occurred while processing your request.' },
};

/** An answer with a status and headers but no body. */
export function answerEmpty(status: number, headers: Answer['headers'] = {}): Answer {
  return { status, headers, body: '' };
}

/** A ProblemDetails answer with the title of its status and, where given, a detail. */
export function answerProblem(
  status: keyof typeof KINDS,
  traceId: string,
  detail?: string,
): Answer {
  const { section, title } = KINDS[status];
  const members = { type: linkTo(section), title, status, ...(detail !== undefined && { detail }) };
  return answerJson(status, { ...members, traceId });
}

/** A 400 in the shape of ASP.NET Core's ValidationProblemDetails. */
export function answerValidation(errors: FieldErrors, traceId: string): Answer {
  const type = linkTo(KINDS[400].section);
  return answerJson(400, { type, title: VALIDATION_TITLE, status: 400, errors, traceId });
}

/** The 400 for a body that could not be read as a form, with ASP.NET Core's wording. */
export function answerUnreadableForm(reason: string, traceId: string): Answer {
  return answerValidation({ '': [`Failed to read the request form. ${reason}`] }, traceId);
}

/** The 400 for a body over the limit, with Kestrel's wording. */
export function answerTooLarge(maxBodyBytes: number, traceId: string): Answer {
  const limit = `The max request body size is ${maxBodyBytes} bytes.`;
  return answerUnreadableForm(`Request body too large. ${limit}`, traceId);
}

function linkTo(section: string): string {
  return `https://tools.ietf.org/html/rfc9110#section-${section}`;
}

function answerJson(status: number, members: object): Answer {
  return { status, headers: { 'Content-Type': PROBLEM_TYPE }, body: JSON.stringify(members) };
}
