/** What the name of a credential has in it: `X-ApiKey`, `X-AuthToken`. */
const STEMS = 'auth cookie credential jwt key pass pwd secret session sig token'.split(' ');
/** What it is, or one of its words, which hyphens separate. */
const WORDS = [...STEMS, 'authorization', 'password', 'signature'];
/** It identifies a request and is not secret. */
const REQUEST_KEY = 'idempotency-key';

/** The words of a credential's name in JSON. Longer ones also end words, and begin them: `accesstoken`, `sessionid`. */
const JSON_WORDS = [...WORDS, 'accesskey', 'apikey', 'passphrase', 'privatekey'].flatMap((word) => [
  word,
  `${word}s`,
]);
const MIN_ENDING = 5;
const MIN_BEGINNING = 6;
/** Ids that have such a word. */
const IDS = ['idempotency-key', 'scan-key', 'project-key'];
/** Between words: white space, `-`, `_`, and before a capital letter, as in `accessToken` and `APIKey`. */
const WORD_BREAK = /[\s_-]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

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

/** Whether a name in the JSON of a response says that its value may be a credential; `keywords` and `passed` do not. */
export function isCredentialMember(name: string): boolean {
  const words = name.split(WORD_BREAK).map((word) => word.toLowerCase());
  return !IDS.includes(words.join('-')) && words.some(isCredentialWord);
}

function isCredentialWord(word: string): boolean {
  return JSON_WORDS.some(
    (known) =>
      word === known ||
      (known.length >= MIN_ENDING && word.endsWith(known)) ||
      (known.length >= MIN_BEGINNING && word.startsWith(known)),
  );
}
