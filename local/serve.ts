// Runs the Scan Upload Service on this machine until a signal, and prints a line for each request.
import { parseArgs } from 'node:util';
import { startService } from './service/index.ts';
import type { RecordedRequest, ScriptedResponse, ServiceOptions } from './service/index.ts';

const HELP = `usage: npm run service -- --directory DIR [options]

  --directory DIR       where uploads are kept, byte for byte
  --port N              TCP port; 0, the default, takes a free one
  --token T             credential every caller has to send; SCAN_UPLOAD_TOKEN does the same
  --token-header H      header that carries it; Authorization by default
  --token-prefix P      word before it, "none" for none; by default Bearer in ...Authorization, else none
  --max-body-bytes N    largest request body; 30000000 by default, Infinity for no limit
  --prefix /PATH        path before /v1
  --scan-key UUID       a scan it knows, may be repeated; without any it knows every scan
  --status N            responds to the next requests with this status instead of handling them
  --retry-after S       ... with this Retry-After
  --delay-ms N          ... after this many milliseconds
  --times N             ... this many of them; 1 by default
  --help                this text`;

const OPTIONS = Object.fromEntries(
  [...HELP.matchAll(/^ {2}--([a-z-]+) +[A-Z/]/gm)].map(
    ([, name = '']) => [name, { type: 'string', multiple: true } as const] as const,
  ),
);

try {
  if (process.argv.includes('--help')) console.log(HELP);
  else await serve(readOptions());
} catch (error) {
  // Node explains a wrong option in several lines; the first one is enough.
  const [message] = (error instanceof Error ? error.message : String(error)).split('\n');
  console.error(`${message} (--help lists the options)`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}

/** The service's options from the command line. Throws a TypeError for an invalid one. */
function readOptions(): ServiceOptions {
  const { values } = parseArgs({ options: OPTIONS });
  const text = (name: string): string | undefined => values[name]?.at(-1);
  const number = (name: string): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (/^(?:\d+|Infinity)$/.test(value)) return Number(value);
    throw new TypeError(`--${name}: a whole number, not "${value}"`);
  };
  const directory = text('directory');
  if (directory === undefined) throw new TypeError('--directory is missing');
  const [status, delayMs] = [number('status'), number('delay-ms')];
  const retryAfter = text('retry-after');
  const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
  const script: ScriptedResponse = { status, delayMs, headers };
  return {
    directory,
    port: number('port'),
    prefix: text('prefix'),
    token: (text('token') ?? process.env['SCAN_UPLOAD_TOKEN']) || undefined,
    tokenHeader: text('token-header'),
    tokenPrefix: text('token-prefix')?.replace(/^none$/, ''),
    maxBodyBytes: number('max-body-bytes'),
    scanKeys: values['scan-key'],
    responses: Array.from({ length: number('times') ?? 1 }, () => script),
  };
}

async function serve(options: ServiceOptions): Promise<void> {
  const service = await startService({ ...options, onRequest: showRequest });
  console.log(service.url);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void service.close());
}

function showRequest({ method, path, status, bodyBytes, upload }: RecordedRequest): void {
  const head = `${method} ${quote(path)} ${status ?? 'no response'} ${bodyBytes} bytes`;
  const parts = (upload?.parts ?? []).map((part) => {
    return `${quote(part.name)} ${quote(part.filename)} ${part.bytes} bytes sha256:${part.sha256}`;
  });
  console.log([head, ...parts].join(' | '));
}

/** A received text, as JSON if it may contain an escape sequence for the terminal. */
function quote(text: string): string {
  return /^[\w./~%?&=+@,-]+$/.test(text) ? text : JSON.stringify(text).replace(/[^ -~]/g, '?');
}
