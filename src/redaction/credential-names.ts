/** What the name of a credential has in it: `X-ApiKey`, `X-AuthToken`. */
const STEMS = 'auth cookie credential jwt key pass pwd secret session sig token'.split(' ');
/** What it is, or one of its words, which hyphens separate. */
const WORDS = [...STEMS, 'authorization', 'password', 'signature'];
/** It identifies a request and is not secret. */
const REQUEST_KEY = 'idempotency-key';

/** Whether a name, such as that of a header, says that its value is a credential. */
export function isCredentialName(name: string): boolean {
  const lower = name.toLowerCase();
  return lower !== REQUEST_KEY && lower.split('-').some((word) => WORDS.includes(word));
}

/** Whether a name says that its value may be a credential: it is removed from texts, but not masked in the whole job. */
export function mayBeCredentialName(name: string): boolean {
  const lower = name.toLowerCase();
  return lower !== REQUEST_KEY && STEMS.some((stem) => lower.includes(stem));
}
