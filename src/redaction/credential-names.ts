/** What a header's name says in one of its words, which hyphens separate. */
const WORD =
  /(?:^|-)(?:authorization|auth|cookie|token|key|secret|password|pass|credential|jwt|session|signature)(?:-|$)/i;
/** What it says anywhere: `X-ApiKey`, `X-AuthToken`. */
const PART = /auth|token|key|secret|\bpass\b|passw|pwd|credential|jwt|session|sig|cookie/i;
/** It identifies a request and is not secret. */
const NO_CREDENTIAL = /^idempotency-key$/i;

/** Whether a name, such as that of a header, says that its value is a credential. */
export function isCredentialName(name: string): boolean {
  return !NO_CREDENTIAL.test(name) && WORD.test(name);
}

/** Whether a name says that its value may be a credential: it is removed from texts, but not masked in the whole job. */
export function mayBeCredentialName(name: string): boolean {
  return !NO_CREDENTIAL.test(name) && PART.test(name);
}
