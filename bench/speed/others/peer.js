// How uploads are usually written in an action: the whole file in memory, FormData and fetch().
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { getInput, info, setFailed, setOutput, setSecret } from '@actions/core';

async function run() {
  const token = getInput('token', { required: true });
  setSecret(token);
  const path = getInput('scan-file', { required: true });
  const form = new FormData();
  form.append('ScanKey', getInput('scan-key', { required: true }));
  form.append('ScanJsonFile', new Blob([await readFile(path)]), basename(path));
  info(`Uploading ${path}`);
  const response = await fetch(
    `${getInput('base-url', { required: true })}/v1/scanner/upload-file`,
    {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    },
  );
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.text();
  setOutput('uploaded', 'true');
  info('Uploaded');
}

try {
  await run();
} catch (error) {
  setFailed(error instanceof Error ? error : String(error));
}
