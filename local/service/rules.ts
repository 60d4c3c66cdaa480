import { readFile } from 'node:fs/promises';
import { isUuid, SCAN_KEY_PART, type Operation } from './contract.ts';
import type { Form } from './form.ts';
import { answerProblem, answerValidation, type Answer } from './problem.ts';
import type { RecordedPart } from './types.ts';

// A larger scan file is taken as it is: checking it would hold all of it in memory.
const MAX_CHECKED_JSON_BYTES = 32 * 1024 * 1024;

/** The contract's refusal of a complete form, or undefined when it is to be accepted. */
export async function checkForm(
  operation: Operation,
  form: Form,
  scanKeys: ReadonlySet<string> | undefined,
  traceId: string,
): Promise<Answer | undefined> {
  const errors = new Map<string, string[]>();
  for (const name of operation.fileParts) {
    if (findPart(form, name) === undefined) {
      errors.set(name, [`The ${name} field is required.`]);
    }
  }
  const scanKey = form.fields.get(SCAN_KEY_PART) ?? '';
  if (scanKey === '') {
    errors.set(SCAN_KEY_PART, [`The ${SCAN_KEY_PART} field is required.`]);
  } else if (!isUuid(scanKey)) {
    errors.set(SCAN_KEY_PART, [`The value '${scanKey}' is not valid.`]);
  }
  if (errors.size > 0) {
    return answerValidation(Object.fromEntries(errors), traceId);
  }
  if (scanKeys?.has(scanKey.toLowerCase()) === false) {
    return answerProblem(400, traceId, `There is no scan with the key ${scanKey}.`);
  }
  return (await isReadable(operation, form))
    ? undefined
    : answerProblem(400, traceId, 'The scan file is not valid JSON.');
}

function findPart(form: Form, name: string): RecordedPart | undefined {
  return form.parts.find((part) => part.name === name);
}

async function isReadable(operation: Operation, form: Form): Promise<boolean> {
  const part = operation.jsonPart === undefined ? undefined : findPart(form, operation.jsonPart);
  if (part === undefined || part.bytes > MAX_CHECKED_JSON_BYTES) {
    return true;
  }
  return isJson(await readFile(part.path));
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
