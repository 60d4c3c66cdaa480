import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { askForBody, readBody, type Exchange } from './exchange.ts';
import { readForm, type Form } from './form.ts';
import { SCAN_KEY_PART, admit } from './admission.ts';
import { makeProblem, makeValidationProblem, Refusal } from './reply.ts';
import type { Operation, RecordedUpload, ServiceOptions } from './types.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

// A larger scan file is not checked, because that would need all of it in memory.
const MAX_CHECKED_JSON_BYTES = 32 * 1024 * 1024;

/**
 * Receives one request: headers first, then the body, which is kept only if all of it is valid. Throws a
 * Refusal if it is not, and an Error when the caller closes the connection before its end.
 */
export async function receive(
  exchange: Exchange,
  options: ServiceOptions,
  nameUpload: (scanKey: string) => string,
): Promise<RecordedUpload> {
  const operation = admit(exchange.request, options);
  const incoming = await mkdtemp(join(options.directory, '.incoming-'));
  try {
    askForBody(exchange);
    const contentType = exchange.request.headers['content-type'] ?? '';
    const form = await readForm(readBody(exchange), contentType, incoming);
    const scanKey = checkFields(operation, form, options.scanKeys);
    await checkJson(operation, form);
    await rename(incoming, nameUpload(scanKey));
    const parts = form.parts.map(({ path: _path, ...part }) => part);
    return { operation: operation.name, scanKey, parts };
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

/** The scan key of a form that has every required field; throws a Refusal if there is another. */
function checkFields(
  { fileParts }: Operation,
  { fields, parts }: Form,
  scanKeys: readonly string[] | undefined,
): string {
  const errors: Record<string, string> = {};
  for (const name of fileParts) {
    if (!parts.some((part) => part.name === name)) errors[name] = `The ${name} field is required.`;
  }
  const scanKey = fields.get(SCAN_KEY_PART) ?? '';
  if (scanKey === '') errors[SCAN_KEY_PART] = `The ${SCAN_KEY_PART} field is required.`;
  else if (!UUID.test(scanKey)) errors[SCAN_KEY_PART] = `The value '${scanKey}' is not valid.`;
  if (Object.keys(errors).length > 0) throw new Refusal(makeValidationProblem(errors));
  if (scanKeys?.includes(scanKey) === false) {
    throw new Refusal(makeProblem(400, { detail: `There is no scan with the key ${scanKey}.` }));
  }
  return scanKey;
}

async function checkJson({ jsonPart }: Operation, { parts }: Form): Promise<void> {
  const part = parts.find(({ name }) => name === jsonPart);
  if (part === undefined || part.bytes > MAX_CHECKED_JSON_BYTES) return;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(part.path));
    JSON.parse(text);
  } catch {
    throw new Refusal(makeProblem(400, { detail: 'The scan file is not valid JSON.' }));
  }
}
