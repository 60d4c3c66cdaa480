import { randomBytes } from 'node:crypto';
import { findUnknownCommand, parseCommand } from '../../../local/step/commands.ts';
import type { ParsedCommand } from '../../../local/step/commands.ts';
import type { StepRun } from '../../../local/step/index.ts';
import { listOutputTexts } from '../../support/run-action.ts';
import type { Reply } from '../../support/servers.ts';

/** A secret that is searched for wherever the action writes. */
interface Canary {
  readonly name: string;
  /** As the action was given it. */
  readonly value: string;
  /**
   * Random letters and digits within the value. No encoding of text changes them, so that each is
   * found whatever was done to the value, also when only a part of it got out.
   */
  readonly cores: readonly string[];
}

type Name = 'token' | 'apiKey' | 'cookie' | 'proxyPassword' | 'idRequest' | 'idToken' | 'clientKey';

/** The secrets of one case. `idRequest`: the token by which a job asks for its OIDC token, `idToken`. */
export interface Secrets extends Readonly<Record<Name, Canary>> {
  /** Those that this case gives to the action. */
  readonly inUse: readonly Canary[];
  /** Texts of which any longer part may be asked to be masked. */
  readonly maskable: readonly string[];
}

/** Fresh secrets; characters that JSON, URLs and HTML escape stand between the cores. `further`: a case's own. */
export function makeSecrets(key: string, further: 'proxy' | 'identity' | 'none'): Secrets {
  const token = makeCanary('token', '/+"&<%=');
  const apiKey = makeCanary('X-Api-Key', '/+"&<=');
  const cookie = makeCanary('Cookie', '/+; csrf=', 'session=');
  const proxyPassword = makeCanary('proxy password', '/+&:@');
  const idRequest = makeCanary('identity request token', '.');
  const idToken = makeCanary('OIDC token', '._-');
  const clientKey: Canary = { name: 'client-key', value: key, cores: listKeyLines(key) };
  const own = { proxy: [proxyPassword], identity: [idRequest, idToken], none: [] };
  const inUse: readonly Canary[] = [token, apiKey, cookie, clientKey, ...own[further]];
  const values = inUse.map(({ value }) => value);
  const maskable = [...values, encodeURIComponent(proxyPassword.value)];
  const named = { token, apiKey, cookie, proxyPassword, idRequest, idToken, clientKey };
  return { ...named, inUse, maskable };
}

function makeCanary(name: string, between: string, before = ''): Canary {
  const cores = [randomText(), randomText()] as const;
  return { name, value: `${before}c${cores[0]}${between}${cores[1]}`, cores };
}

/** 20 random characters that read the same in JSON, URLs and HTML, and of which no 8 are words. */
function randomText(): string {
  const letters = randomBytes(40)
    .toString('base64')
    .replaceAll(/[^a-zA-Z]/g, '');
  return Array.from(randomBytes(10), (byte, at) => `${letters[at]}${byte % 10}`).join('');
}

function listKeyLines(pem: string): readonly string[] {
  const lines = pem.split('\n').filter((line) => !line.startsWith('-----'));
  return lines.map((line) => line.slice(-24)).filter((line) => line.length >= 16);
}

/** What may be an ordinary word, which stays. */
const WORD = /^(?:[A-Za-z][a-z]*|[A-Z]*)$/;

/** The names of the secrets of which a part shows in a text, in whatever encoding. */
function findLeaks(text: string, { inUse }: Secrets): readonly string[] {
  const shows = (core: string): boolean => listTraces(core).some((trace) => text.includes(trace));
  return inUse.filter(({ cores }) => cores.some(shows)).map(({ name }) => name);
}

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

/** The secrets that a run shows, and the commands in its output that the action did not intend. */
export function findSecrecyProblems(run: StepRun, secrets: Secrets): readonly string[] {
  const lines = [run.stdout, run.stderr].flatMap(splitLines);
  const outputs = listOutputTexts(run);
  // The runner hides the masks.
  const shown = run.commands.filter(({ command }) => command !== 'add-mask');
  const data = shown.flatMap(({ data: text, properties }) => [text, ...Object.values(properties)]);
  const unmasked = lines.filter((line) => !line.startsWith('::add-mask::')).join('\n');
  // The end of JSON's `\n` before 7 characters of a secret would be taken for its eighth.
  const texts = [unmasked, ...data, run.summary, ...outputs].map((text) =>
    text.replaceAll(/\\+n/g, '\n'),
  );
  const leaks = texts.flatMap((text) => findLeaks(text, secrets));
  const foreign = lines.filter((line) => {
    const command = readCommand(line);
    return command !== undefined && !isOwn(command, secrets);
  });
  const inOutputs = outputs.flatMap(splitLines).filter(readCommand);
  return [
    ...new Set(leaks.map((name) => `leaked: ${name}`)),
    ...foreign.map((line) => `foreign command: ${line.slice(0, 200)}`),
    ...inOutputs.map((line) => `a command in an output: ${line.slice(0, 200)}`),
  ];
}

/** What the runner reads, or could read, as a command. */
function readCommand(line: string): ParsedCommand | undefined {
  return parseCommand(line) ?? findUnknownCommand(line);
}

/** Lines as the runner reads them. */
function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Whether a command is one that the action intended. */
function isOwn({ command, properties, data }: ParsedCommand, { maskable }: Secrets): boolean {
  const names = Object.keys(properties).join();
  // Debug lines of the toolkit's modules, which the runner hides without debug logging.
  if (command === 'debug') return names === '' && !data.startsWith(MARKER);
  if (command === 'add-mask') {
    const isSecret = maskable.some((text) => text.includes(data) || data.includes(text));
    return names === '' && isSecret && data.length >= 8;
  }
  const { title = '' } = properties;
  const isAnnotation = /^(?:error|warning|notice)$/.test(command) && names === 'title';
  return isAnnotation && /^Scan (?:upload|file)\b/.test(title) && !title.includes(MARKER);
}

/** A marker in every command of a foreign text; no executed command may contain it. */
export const MARKER = 'PWNED';

/** Texts that the runner would read as commands if they were printed unchanged. */
export const PAYLOADS: readonly string[] = [
  `::set-output name=${MARKER}::x`,
  `   ::error::${MARKER}`,
  `\t::add-mask::${MARKER}`,
  `text\n::stop-commands::${MARKER}`,
  `text\r::add-path::${MARKER}`,
  `text\r\n::save-state name=${MARKER}::x`,
  `##[error]${MARKER}`,
  `text ##[set-output name=${MARKER}]x`,
  `text\u2028::error::${MARKER}`,
  `text\u0085::error::${MARKER}`,
  `text\v::error::${MARKER}`,
  `\u3000::error::${MARKER}`,
  `\ufeff::error::${MARKER}`,
  `\u202e::error::${MARKER}`,
  `:\u200b:error::${MARKER}`,
  `#\u200b#[error]${MARKER}`,
  `\u001b[31m::error::${MARKER}`,
  `\0::error::${MARKER}`,
  `\ud800::error::${MARKER}`,
  `%0A::error::${MARKER}`,
  `%0D%0A##[error]${MARKER}`,
  `::group::${MARKER}\n::endgroup::`,
  `::${MARKER}::x`,
  `::warning file=${MARKER},title=Scan upload::x`,
  `::echo::on\n::debug::${MARKER}`,
  `x\nEOF\n${MARKER}=1\nuploaded=true\nghadelimiter_0\n`,
];
/** Those that a reply of a case has that is about something else. */
const SOME = PAYLOADS.slice(0, 8);

/** Commands and all secrets in all forms in which a server may repeat them, on several lines. */
export function hostileText({ inUse }: Secrets, payloads: readonly string[] = SOME): string {
  const echoes = inUse.flatMap(({ value }) => listEchoes(value));
  return ['Refused.', ...payloads, echoes.join(' ')].join('\n');
}

/** The same for a header: one line, without what a header cannot carry. */
export function hostileLine({ inUse, token }: Secrets, payloads: readonly string[] = SOME): string {
  const safe = payloads.join(' ').replaceAll(/[^\t\x20-\x7e\xa0-\xff]/g, ' ');
  const echoes = inUse.map(({ value }) => value.replaceAll(/\s+/g, ' '));
  const basic = Buffer.from(`Bearer ${token.value}`).toString('base64');
  return [safe, `##[error]${MARKER}`, ...echoes, basic].join(' ');
}

/** Some of the forms; `__tests__/redaction` has all. */
function listEchoes(value: string): readonly string[] {
  const bearer = Buffer.from(`Bearer ${value}`).toString('base64');
  return [
    value,
    encodeURIComponent(value),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    JSON.stringify(JSON.stringify(value)),
    // Shortened by pydantic, and divided.
    `${value.slice(0, 25)}...${value.slice(-24)}`,
    value.replaceAll(/.{9}/g, '$&<wbr>'),
    bearer.replaceAll(/.{19}/g, '$&\n'),
  ];
}

/**
 * A refusal that repeats every secret in every place of a response, with commands in it. Of each text the
 * first line is shown: that of the detail has all commands.
 */
export function hostileReply(secrets: Secrets, payloads: readonly string[] = SOME): Reply {
  const text = hostileText(secrets, payloads);
  const all = payloads.join('\n');
  const problem = {
    type: 'about:blank',
    title: `Bad\n${all}`,
    detail: `${payloads.join(' ').replaceAll(/[\r\n]/g, ' ')}\n${text}`,
    errors: { ...Object.fromEntries(payloads.map((payload) => [payload, [payload]])), '': [text] },
    traceId: `trace\n${all}`,
    // Names of members of the file of results, and one that is a secret.
    ...Object.fromEntries(
      ['reason', 'format', 'path', secrets.token.value].map((name) => [name, text]),
    ),
    ...Object.fromEntries(payloads.map((payload) => [payload, payload])),
  };
  return { headers: hostileHeaders(secrets, payloads), body: JSON.stringify(problem) };
}

/** Headers that an action shows of a response, full of secrets and commands. */
export function hostileHeaders(
  secrets: Secrets,
  payloads?: readonly string[],
): Readonly<Record<string, string>> {
  const line = hostileLine(secrets, payloads);
  return {
    'Content-Type': 'application/problem+json',
    Server: line,
    Via: line,
    'X-Request-Id': line,
    'WWW-Authenticate': `Bearer ${line}`,
  };
}
