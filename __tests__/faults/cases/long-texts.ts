import type { FaultCase } from '../harness/types.ts';
import { KEPT_BYTES, fill, said } from './said.ts';

const SLOW_BODIES: Readonly<Record<string, string>> = {
  'titles that never end': fill('<title '),
  'titles without text': fill('<title>'),
  'comments that never end': fill('<!--'),
  'empty comments': fill('<!---->'),
  spaces: fill(' '),
  'line feeds': fill('\n'),
  'carriage returns': fill('\r'),
  'tabs and colons': fill('\t::'),
  'escape sequences that never end': fill('\u001b[0;'),
  'escape sequences of the other kind': fill('\u001b]0;'),
  hashes: fill('##['),
  backticks: fill('`'),
  'one long word': fill('x', KEPT_BYTES * 2),
  'braces that never close': fill('{"a":'),
  'a long detail': JSON.stringify({ detail: fill('a b ', KEPT_BYTES - 100) }),
  'many errors': JSON.stringify({ errors: { '': Array.from({ length: 9000 }, () => 'x y') } }),
};

const SLOW_HEADERS: Readonly<Record<string, string>> = {
  'WWW-Authenticate': fill(' error_description="', 12_000),
  'Content-Type': fill('text/x; charset', 12_000),
  Server: fill(' \t', 12_000),
  'Retry-After': fill('9', 12_000),
};

/** S12: texts that a slow regular expression would need hours for. */
export const SLOW_TEXTS: readonly FaultCase[] = [
  ...Object.entries(SLOW_BODIES).map(([variant, body]) =>
    said({ row: 'S12', variant, reply: () => ({ body }) }),
  ),
  ...Object.entries(SLOW_HEADERS).map(([name, value]) =>
    said({
      row: 'S12',
      variant: `a long ${name}`,
      status: 401,
      reply: () => ({ headers: { [name]: `x${value}x` }, body: 'no' }),
    }),
  ),
];

/** F31: the action's own sentences are complete, however long the text of the service is. */
export const LONG_TEXTS: readonly FaultCase[] = [
  said({
    row: 'F31',
    variant: 'a detail of 64 KiB',
    reply: () => ({ body: JSON.stringify({ detail: fill('long story ', 60_000) }) }),
    says: /long story.*…\nCheck `scan-key`.*\nTrace id of the requests: [0-9a-f]{32}$/s,
    check: (_scene, { outputs }) =>
      outputs['error']?.endsWith('…') === true ? [] : ['the error output is not whole'],
  }),
  said({
    row: 'F31',
    variant: 'a 504 with 64 KiB in every place',
    status: 504,
    reply: () => ({
      headers: { Server: fill('long name ', 8000) },
      body: fill('long story ', KEPT_BYTES),
    }),
    says: /long story.*…\n.*may have the scan.*long name.*…\nTrace id of the requests: [0-9a-f]{32}$/s,
    result: 'unconfirmed',
  }),
  said({
    row: 'F31',
    variant: 'a 401 with long errors',
    status: 401,
    reply: () => ({
      body: JSON.stringify({
        detail: fill('long story ', 5000),
        errors: { '': [fill('one ', 2000), fill('two ', 2000)] },
        traceId: 'trace-4711',
      }),
    }),
    says: /long story.*…\nCheck `token`.*\nTrace id of the service: trace-4711\nTrace id/s,
  }),
];
