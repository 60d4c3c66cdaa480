/** What a header's name says in one of its words, which hyphens separate. */
const CREDENTIAL_WORDS = new Set(
  'authorization auth cookie token key secret password pass credential jwt session signature'.split(
    ' ',
  ),
);
/** What it says anywhere: `X-ApiKey`, `X-AuthToken`. */
const CREDENTIAL_PART =
  /auth|token|key|secret|\bpass\b|passw|pwd|credential|jwt|session|sig|cookie/;
/** It identifies a request and is not secret. */
const REQUEST_KEY = 'idempotency-key';

/** Whether a name, such as that of a header, says that its value is a credential. */
export function isCredentialName(name: string): boolean {
  const lower = name.toLowerCase();
  return lower !== REQUEST_KEY && lower.split('-').some((word) => CREDENTIAL_WORDS.has(word));
}

/** Whether a name says that its value may be a credential: it is removed from texts, but not masked in the whole job. */
export function mayBeCredentialName(name: string): boolean {
  const lower = name.toLowerCase();
  return lower !== REQUEST_KEY && CREDENTIAL_PART.test(lower);
}
