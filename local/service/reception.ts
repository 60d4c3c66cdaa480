import { join, relative } from 'node:path';
import { admit } from './admission.ts';
import { SCAN_KEY_PART, type Operation } from './contract.ts';
import type { Exchange } from './exchange.ts';
import { FormReader, MalformedFormError, type Form } from './form.ts';
import { answerEmpty, answerTooLarge, answerUnreadableForm, type Answer } from './problem.ts';
import { checkForm } from './rules.ts';
import type { Settings } from './settings.ts';
import type { Incoming, Store } from './store.ts';
import type { RecordedUpload } from './types.ts';

/** What became of a request: the service's answer and, when it is an acceptance, the upload. */
export interface Reception {
  readonly answer: Answer;
  readonly upload?: RecordedUpload;
}

// The words of ASP.NET Core's multipart reader for a body without its closing boundary.
const CUT_FORM =
  'Unexpected end of Stream, the content may have already been read by another component. ';

/**
 * Takes one request through the contract: headers first, then the body, which is kept only when
 * everything about it is right. Throws a BodyCutError when the caller leaves before its end.
 */
export async function receive(
  exchange: Exchange,
  settings: Settings,
  store: Store,
): Promise<Reception> {
  const admission = admit(exchange.request, settings, exchange.traceId);
  if (admission.kind === 'refused') {
    return { answer: admission.answer };
  }
  const incoming = await store.open();
  try {
    exchange.askForBody();
    return await receiveForm(exchange, admission.operation, settings, incoming);
  } finally {
    await incoming.discard();
  }
}

async function receiveForm(
  exchange: Exchange,
  operation: Operation,
  { maxBodyBytes, scanKeys }: Settings,
  incoming: Incoming,
): Promise<Reception> {
  const { body, request, traceId } = exchange;
  const reader = new FormReader(request.headers['content-type'] ?? '', incoming);
  try {
    const end = await body.readTo((chunk) => reader.write(chunk), maxBodyBytes);
    if (end === 'too-large') {
      return { answer: answerTooLarge(maxBodyBytes, traceId) };
    }
    const form = await reader.end();
    const refusal = await checkForm(operation, form, scanKeys, traceId);
    return refusal === undefined ? await accept(operation, form, incoming) : { answer: refusal };
  } catch (error) {
    if (error instanceof MalformedFormError) {
      return { answer: answerUnreadableForm(CUT_FORM, traceId) };
    }
    throw error;
  } finally {
    await reader.abort();
  }
}

async function accept(operation: Operation, form: Form, incoming: Incoming): Promise<Reception> {
  const scanKey = form.fields.get(SCAN_KEY_PART) ?? '';
  const folder = await incoming.keep(scanKey);
  const parts = form.parts.map((part) => ({
    ...part,
    path: join(folder, relative(incoming.folder, part.path)),
  }));
  return {
    answer: answerEmpty(200),
    upload: { operation: operation.name, scanKey, folder, parts },
  };
}
