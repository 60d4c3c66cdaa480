import { randomBytes } from 'node:crypto';

/** A secret that is searched for wherever the action writes. */
export interface Canary {
  readonly name: string;
  /** As the action was given it. */
  readonly value: string;
  /**
   * Random letters and digits within the value. No encoding of text changes them, so that each is
   * found whatever was done to the value, also when only a part of it got out.
   */
  readonly cores: readonly string[];
}

/** The secrets of one case. */
export interface Secrets {
  readonly token: Canary;
  readonly apiKey: Canary;
  /** The two values of the Cookie header. */
  readonly cookies: readonly [Canary, Canary];
  readonly proxyPassword: Canary;
  /** The bearer token by which a job asks for its OIDC token. */
  readonly idRequest: Canary;
  /** The OIDC token itself. */
  readonly idToken: Canary;
  readonly clientKey: Canary;
  /** Those that this case gives to the action. */
  readonly inUse: readonly Canary[];
  /** The Cookie header's value. */
  readonly cookieHeader: string;
  /** The token as the password of a Basic credential, encoded. */
  readonly basic: string;
  /** Texts of which any longer part may be asked to be masked. */
  readonly maskable: readonly string[];
}

/** Which secrets a case has beside those that every case has. */
export interface SecretsInUse {
  readonly proxy: boolean;
  readonly identity: boolean;
}

/** Fresh secrets; characters that JSON, URLs and HTML escape stand between the cores. */
export function makeSecrets(clientKey: string, { proxy, identity }: SecretsInUse): Secrets {
  const token = makeCanary('token', '/+"&<%=');
  const apiKey = makeCanary('X-Api-Key', '/+"&<=');
  const cookies = [
    makeCanary('Cookie (first)', '/+'),
    makeCanary('Cookie (second)', '.-'),
  ] as const;
  const proxyPassword = makeCanary('proxy password', '/+&:@');
  const idRequest = makeCanary('identity request token', '.');
  const idToken = makeCanary('OIDC token', '._-');
  const key = { name: 'client-key', value: clientKey, cores: listKeyLines(clientKey) };
  const inUse = [
    token,
    apiKey,
    ...cookies,
    key,
    ...(proxy ? [proxyPassword] : []),
    ...(identity ? [idRequest, idToken] : []),
  ];
  const cookieHeader = `session=${cookies[0].value}; csrf=${cookies[1].value}`;
  const basic = Buffer.from(`user:${token.value}`).toString('base64');
  const values = inUse.map(({ value }) => value);
  const maskable = [...values, cookieHeader, encodeURIComponent(proxyPassword.value), basic];
  const named = { token, apiKey, cookies, proxyPassword, idRequest, idToken, clientKey: key };
  return { ...named, inUse, cookieHeader, basic, maskable };
}

/** Every form in which a server may repeat the secrets. */
export function echoSecrets({ inUse }: Secrets): string {
  return inUse.flatMap(({ value }) => listEchoes(value)).join(' ');
}

/** The same on one line, without what a header cannot carry. */
export function echoInHeader(secrets: Secrets): string {
  return secrets.inUse
    .map(({ value }) => value.replaceAll(/\s+/g, ' '))
    .concat(Buffer.from(`Bearer ${secrets.token.value}`).toString('base64'))
    .join(' ');
}

/** The names of the secrets of which a part shows in a text, in whatever encoding. */
export function findLeaks(text: string, { inUse }: Secrets): readonly string[] {
  return inUse.flatMap(({ name, cores }) =>
    cores.some((core) => listTraces(core).some((trace) => text.includes(trace))) ? [name] : [],
  );
}

function makeCanary(name: string, between: string): Canary {
  const cores = [randomText(), randomText()] as const;
  return { name, value: `c${cores[0]}${between}${cores[1]}`, cores };
}

/**
 * 20 random characters that read the same in JSON, URLs and HTML, and of which no 8 are words. Without `n`: the end of
 * JSON's `\n` before 7 others would be taken for a leak.
 */
function randomText(): string {
  const letters = randomBytes(40)
    .toString('base64')
    .replaceAll(/[^a-zA-Z]|n/g, '');
  return Array.from(randomBytes(10), (byte, at) => `${letters[at]}${byte % 10}`).join('');
}

function listKeyLines(pem: string): readonly string[] {
  const lines = pem.split('\n').filter((line) => !line.startsWith('-----'));
  return lines.map((line) => line.slice(-24)).filter((line) => line.length >= 16);
}

function listEchoes(value: string): readonly string[] {
  const percent = encodeURIComponent(value);
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const bytes = ['', 'x', 'Bearer '].map((prefix) => Buffer.from(`${prefix}${value}`));
  return [
    value,
    percent,
    percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    html,
    JSON.stringify(value),
    JSON.stringify(JSON.stringify(value)),
    // Shortened by pydantic, and divided.
    `${value.slice(0, 25)}...${value.slice(-24)}`,
    value.replaceAll(/.{9}/g, '$&\n'),
    value.replaceAll(/.{9}/g, '$&<wbr>'),
    ...bytes.map((text) => text.toString('base64')),
    ...bytes.map((text) => text.toString('base64').replaceAll(/.{19}/g, '$&\n')),
  ];
}

/** What may be an ordinary word, which stays. */
const WORD = /^(?:[A-Za-z][a-z]*|[A-Z]*)$/;

/** Any 8 characters of a core as it is, and of what is certain of it in Base64 at each of three alignments. */
function listTraces(core: string): readonly string[] {
  const encoded = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(core)])
      .toString('base64')
      .slice(4, -4),
  );
  return [core, ...encoded]
    .flatMap((text) => Array.from(text.slice(7), (_, start) => text.slice(start, start + 8)))
    .filter((part) => !WORD.test(part));
}
