// How uploads are usually written in an action: the whole file in memory, FormData and fetch().
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { getInput, info, setFailed, setOutput, setSecret } from '@actions/core';

async function run() {
  const token = getInput('token', { required: true });
  setSecret(token);
  const path = getInput('scan-file', { required: true });
  const body = new FormData();
  body.append('ScanKey', getInput('scan-key', { required: true }));
  body.append('ScanJsonFile', new Blob([await readFile(path)]), basename(path));
  info(`Uploading ${path}`);
  const url = `${getInput('base-url', { required: true })}/v1/scanner/upload-file`;
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.text();
  setOutput('uploaded', 'true');
  info('Uploaded');
}

run().catch(setFailed);
