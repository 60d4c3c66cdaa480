/** What must never be seen, found before any input is judged. */
export interface Secrets {
  /** Values to mask: single lines, none of them blank. */
  readonly values: readonly string[];
  /** Names of extra headers whose values are too short to mask. */
  readonly unmaskedHeaders: readonly string[];
}

/**
 * The shortest value that is masked besides the token. The runner drops every job output that
 * contains a masked value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_MASKED_CHARACTERS = 8;

/**
 * Lists the secrets in the texts of `token`, `headers` and `client-key`, also in texts that will be
 * refused as inputs. A token or key of several lines is masked line by line, as the runner masks.
 */
export function listSecrets(token: string, headers: string, clientKey: string): Secrets {
  const lines = splitLines(headers).map(splitHeader);
  const values = [
    ...splitLines(token),
    ...lines.flatMap(({ value }) => listHeaderSecrets(value)),
    ...listKeySecrets(clientKey),
  ];
  const unmasked = lines.filter(({ value }) => value.length < MIN_MASKED_CHARACTERS);
  return {
    values: [...new Set(values)],
    unmaskedHeaders: unmasked.map(({ name }) => name).filter((name) => name !== ''),
  };
}

/** Whether a value found elsewhere (a proxy's password) is long enough to be masked. */
export function isMaskable(value: string): boolean {
  return value.length >= MIN_MASKED_CHARACTERS;
}

function splitLines(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function splitHeader(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  // A line without a colon is refused later; until then it may be a secret on its own.
  return { name: line.slice(0, Math.max(colon, 0)).trim(), value: line.slice(colon + 1).trim() };
}

/** The whole value, and what follows a scheme in it (`Basic dXNlcg==`), which may be echoed alone. */
function listHeaderSecrets(value: string): readonly string[] {
  const credential = value.slice(value.lastIndexOf(' ') + 1);
  return [value, credential].filter(isMaskable);
}

function listKeySecrets(clientKey: string): readonly string[] {
  if (!clientKey.includes('-----BEGIN ')) return [];
  return splitLines(clientKey).filter((line) => !line.startsWith('-----') && isMaskable(line));
}
