import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { FormReader, MalformedFormError } from '../../local/service/form.ts';
import { createStore, type Incoming } from '../../local/service/store.ts';
import { listFiles, makeFolder } from '../support/directories.ts';
import { SCAN_KEY } from '../support/samples.ts';
import { buildForm, FORM_TYPE } from './http-client.ts';

const FORM = buildForm([
  { name: 'ScanKey', content: SCAN_KEY },
  { name: 'ScanJsonFile', content: 'x'.repeat(500_000), filename: 'scan.json' },
]);

async function openIncoming(): Promise<Incoming> {
  return (await createStore(await makeFolder())).open();
}

describe('FormReader', () => {
  test('gives the form at its end', async () => {
    const incoming = await openIncoming();
    const reader = new FormReader(FORM_TYPE, incoming);
    await reader.write(FORM);
    const form = await reader.end();
    expect([...form.fields]).toEqual([['ScanKey', SCAN_KEY]]);
    expect(form.parts).toMatchObject([
      { bytes: 500_000, path: join(incoming.folder, 'ScanJsonFile', 'scan.json') },
    ]);
  });

  test('throws a MalformedFormError at a premature end', async () => {
    const reader = new FormReader(FORM_TYPE, await openIncoming());
    await reader.write(FORM.subarray(0, -9));
    await expect(reader.end()).rejects.toThrow(MalformedFormError);
    await reader.abort();
  });

  test('throws a MalformedFormError at a text field beyond all measure', async () => {
    const reader = new FormReader(FORM_TYPE, await openIncoming());
    await reader.write(buildForm([{ name: 'a', content: 'x'.repeat(5_000_000) }]));
    await expect(reader.end()).rejects.toThrow(MalformedFormError);
  });

  test('stops writing when it is aborted', async () => {
    const incoming = await openIncoming();
    const reader = new FormReader(FORM_TYPE, incoming);
    await reader.write(FORM.subarray(0, 300_000));
    await reader.abort();
    await expect(reader.write(FORM.subarray(300_000))).rejects.toThrow(/aborted/);
    await incoming.discard();
    expect(await listFiles(join(incoming.folder, '..'))).toEqual([]);
  });

  test('throws when a file cannot be written instead of waiting', async () => {
    const incoming: Incoming = {
      ...(await openIncoming()),
      place: () => join('no', 'such', 'folder', 'file'),
    };
    const reader = new FormReader(FORM_TYPE, incoming);
    const writing = async (): Promise<void> => {
      for (let start = 0; start < FORM.length; start += 10_000) {
        await reader.write(FORM.subarray(start, start + 10_000));
      }
    };
    await expect(writing()).rejects.toThrow(/ENOENT|aborted/);
    await reader.abort();
  });
});
