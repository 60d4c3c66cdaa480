import { parseArgs } from 'node:util';
import type { ScriptedAnswer, ServiceOptions } from '../service/index.ts';

/** One line that names every flag. */
export const USAGE =
  'usage: node local/serve.ts --folder DIR [--port N] [--host 127.0.0.1|::1] [--token T] ' +
  '[--token-header H] [--token-prefix P] [--max-body-bytes N|Infinity] [--prefix /PATH] ' +
  '[--scan-key UUID]... [--latency-ms N] ' +
  '[--status N] [--times N] [--retry-after SECONDS] [--delay-ms N]';

/** What `--help` prints. */
export const HELP = `${USAGE}

Runs the Scan Upload Service on this machine and prints one line per request.

  --folder DIR          where uploads are kept, byte for byte
  --port N              TCP port; 0, the default, takes a free one
  --host H              127.0.0.1 (default) or ::1
  --token T             credential every caller has to send; SCAN_UPLOAD_TOKEN does the same
  --token-header H      header that carries it; Authorization by default
  --token-prefix P      scheme before it; Bearer by default, "none" for none
  --max-body-bytes N    largest request body; 30000000 by default
  --prefix /PATH        path before /v1
  --scan-key UUID       a scan it knows, may be repeated; without any it knows every scan
  --latency-ms N        milliseconds that every answer takes longer; 0 by default
  --status N            answers the next requests with this status instead of handling them
  --retry-after S       ... with this Retry-After
  --delay-ms N          ... after this many milliseconds
  --times N             ... this many of them; 1 by default
  --help                this text`;

/** The command line is wrong; the message says how. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

const FLAGS = {
  'delay-ms': { type: 'string' },
  folder: { type: 'string' },
  help: { type: 'boolean' },
  host: { type: 'string' },
  'latency-ms': { type: 'string' },
  'max-body-bytes': { type: 'string' },
  port: { type: 'string' },
  prefix: { type: 'string' },
  'retry-after': { type: 'string' },
  'scan-key': { type: 'string', multiple: true },
  status: { type: 'string' },
  times: { type: 'string' },
  token: { type: 'string' },
  'token-header': { type: 'string' },
  'token-prefix': { type: 'string' },
} as const;

type TextFlag = Exclude<keyof typeof FLAGS, 'help' | 'scan-key'>;
type Flags = Readonly<Partial<Record<TextFlag, string>>> & {
  readonly 'scan-key'?: readonly string[];
};

/** The service's options from a command line, or `help`. Throws a FlagError. */
export function readFlags(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ServiceOptions | 'help' {
  const { help, ...flags } = parseFlags(args);
  if (help === true) {
    return 'help';
  }
  const { folder, host, prefix, token = env['SCAN_UPLOAD_TOKEN'] } = flags;
  if (folder === undefined) {
    throw new FlagError('--folder is missing');
  }
  const header = flags['token-header'];
  const scheme = flags['token-prefix'];
  const scanKeys = flags['scan-key'];
  const latencyMs = readNumber(flags, 'latency-ms', 0, 2 ** 31 - 1);
  return {
    folder,
    port: readNumber(flags, 'port', 0, 65_535) ?? 0,
    answers: readAnswers(flags),
    ...(host !== undefined && { host }),
    ...(prefix !== undefined && { prefix }),
    ...(token !== undefined && token !== '' && { token }),
    ...(header !== undefined && { tokenHeader: header }),
    ...(scheme !== undefined && { tokenPrefix: scheme === 'none' ? '' : scheme }),
    ...(scanKeys !== undefined && { scanKeys }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...readLimit(flags),
  };
}

function parseFlags(args: readonly string[]): Flags & { readonly help?: boolean } {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (cause) {
    // Node explains some mistakes in several lines; the first one says it.
    const [message] = String(cause)
      .replace(/^\w+(?: \[\w+\])?: /, '')
      .split('\n');
    throw new FlagError(message, { cause });
  }
}

function readLimit(flags: Flags): { readonly maxBodyBytes?: number } {
  if (flags['max-body-bytes'] === 'Infinity') {
    return { maxBodyBytes: Infinity };
  }
  const maxBodyBytes = readNumber(flags, 'max-body-bytes', 0, Number.MAX_SAFE_INTEGER);
  return maxBodyBytes === undefined ? {} : { maxBodyBytes };
}

function readAnswers(flags: Flags): ScriptedAnswer[] {
  const status = readNumber(flags, 'status', 200, 599);
  const delayMs = readNumber(flags, 'delay-ms', 0, 2 ** 31 - 1);
  const retryAfter = flags['retry-after'];
  const answer: ScriptedAnswer = {
    ...(status !== undefined && { status }),
    ...(delayMs !== undefined && { delayMs }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
  const times = readNumber(flags, 'times', 1, 1_000_000) ?? 1;
  return Object.keys(answer).length === 0 ? [] : Array.from({ length: times }, () => answer);
}

function readNumber(flags: Flags, name: TextFlag, min: number, max: number): number | undefined {
  const text = flags[name];
  if (text === undefined) {
    return undefined;
  }
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new FlagError(`--${name}: a whole number from ${min} to ${max}, not "${text}"`);
  }
  return value;
}
