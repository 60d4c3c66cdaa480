import { describe, expect, test } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startService } from '../../local/service/index.ts';
import { toSafeName } from '../../local/service/safe-name.ts';
import { settle } from '../../local/service/settings.ts';
import { createStore } from '../../local/service/store.ts';
import { continueTrace } from '../../local/service/trace.ts';
import { listFiles, makeFolder } from '../support/directories.ts';
import { openService } from '../support/service.ts';

describe('settle', () => {
  test('fills in the defaults', () => {
    expect(settle({ folder: '.' })).toMatchObject({
      host: '127.0.0.1',
      port: 0,
      prefix: '',
      token: undefined,
      tokenHeader: 'Authorization',
      tokenPrefix: 'Bearer',
      maxBodyBytes: 30_000_000,
    });
  });

  test.each(['0.0.0.0', '::', 'localhost', '192.168.0.1', ''])(
    'refuses to listen on "%s"',
    (host) => {
      expect(() => settle({ folder: '.', host })).toThrow(/only 127\.0\.0\.1 or ::1/);
    },
  );

  test.each(['tenant', '/tenant/', '/a b', '//'])('refuses the prefix "%s"', (prefix) => {
    expect(() => settle({ folder: '.', prefix })).toThrow(/^prefix: /);
  });

  test.each([-1, 1.5, Number.NaN])('refuses a limit of %d bytes', (maxBodyBytes) => {
    expect(() => settle({ folder: '.', maxBodyBytes })).toThrow(/^maxBodyBytes: /);
  });

  test('refuses an empty token, which would let everyone in', () => {
    expect(() => settle({ folder: '.', token: '' })).toThrow(/^token: /);
  });
});

describe('startService', () => {
  test('speaks IPv6 loopback too', async () => {
    const service = await openService({ host: '::1' });
    expect(service.url).toBe(`http://[::1]:${service.port}`);
    expect((await fetch(service.url)).status).toBe(404);
  });

  test('says when its port is taken', async () => {
    const { port, folder } = await openService();
    await expect(startService({ folder, port })).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('createStore', () => {
  test('goes on behind the numbers a folder already has', async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, '0041-a'));
    const incoming = await (await createStore(folder)).open();
    await writeFile(incoming.place('part', 'name'), 'x');
    await incoming.keep('key');
    await incoming.discard();
    expect(await listFiles(folder)).toEqual(['0042-key/part/name']);
  });
});

describe('toSafeName', () => {
  test.each([
    ['scan.json', 'scan.json'],
    ['a/b\\c', 'c'],
    ['.', 'file'],
    ['a/', 'file'],
    ['name. . ', 'name'],
    ['.hidden', '.hidden'],
    ['CON.txt', '_CON.txt'],
    ['a:b?c*.json', 'a_b_c_.json'],
    ['a\u0000\u200b\u2028b', 'a___b'],
  ])('makes %j %j', (name, safe) => {
    expect(toSafeName(name)).toBe(safe);
  });
});

describe('continueTrace', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const span = 'b7ad6b7169203331';

  test('stays in a valid trace, in a span of its own', () => {
    const id = continueTrace(`00-${trace}-${span}-01`);
    expect(id).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(id).not.toContain(span);
  });

  test.each([
    undefined,
    '',
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01-x`,
  ])('begins a new one for %j', (traceparent) => {
    const id = continueTrace(traceparent);
    expect(id).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(id).not.toContain(trace);
  });
});
