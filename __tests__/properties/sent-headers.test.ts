import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { InputError } from '../../src/errors.ts';
import type { Header } from '../../src/inputs/headers.ts';
import { parseHeaders } from '../../src/inputs/headers.ts';
import { makeBody } from '../support/bodies.ts';
import { exchangeWith, expectResponse } from '../support/exchanges.ts';
import { cleanUp } from '../support/scope.ts';

const NAME = fc.oneof(
  fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/),
  fc.constantFrom('__proto__', 'constructor', 'Cookie', 'Set-Cookie', 'Authorization', 'Date'),
);
const VALUE = fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{1,30}$/);
const LINES = fc.array(fc.tuple(NAME, VALUE), { maxLength: 5 });

interface Listener {
  readonly url: URL;
  /** Names and values of the last request's headers, in pairs, as they came. */
  readonly received: () => readonly (readonly [string, string])[];
}

async function listen(): Promise<Listener> {
  let raw: readonly string[] = [];
  const server = createServer((request, response) => {
    raw = request.rawHeaders;
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUp(async () => void server.close());
  const address = server.address();
  const port = isTcp(address) ? address.port : 0;
  return { url: new URL(`http://127.0.0.1:${port}/`), received: () => pairUp(raw) };
}

function isTcp(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

function pairUp(raw: readonly string[]): readonly (readonly [string, string])[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}

/** Each line alone, so that one that is refused takes no other with it. */
function takeLines(lines: readonly (readonly [string, string])[]): readonly Header[] {
  const taken: Header[] = [];
  for (const line of lines) {
    try {
      const known = taken.map(({ name, value }) => `${name}: ${value}`);
      taken.push(...parseHeaders([...known, line.join(': ')].join('\n'), undefined).slice(-1));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
  return taken;
}

describe('headers that are taken', () => {
  test('arrive as they were written', async () => {
    const listener = await listen();
    const body = await makeBody();
    await fc.assert(
      fc.asyncProperty(LINES, async (lines) => {
        const taken = takeLines(lines);
        const headers = Object.fromEntries(taken.map(({ name, value }) => [name, value]));
        const end = await exchangeWith(listener.url, { headers, body });
        expect(expectResponse(end).status).toBe(200);
        const sent = taken.map(({ name, value }) => [name, value]);
        expect(listener.received()).toEqual(expect.arrayContaining(sent));
      }),
      { numRuns: 100 },
    );
  });
});
